import Base
import FoundationEssentials

public struct CatalogSettings: Sendable {
    /// The API keys by source name.
    public var keys: [String: Secret] = [:]
    /// A source without an entry uses its own addresses.
    public var endpoints: [String: ServiceEndpoint] = [:]
    /// Nil means the default order, which omits services whose required key is missing.
    public var order: [String]?
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }
    public var randomNumber: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    /// KLIPY requires an identifier. It is another one in each run, so that no service can track a user across runs.
    var visitorIdentifier: @Sendable () -> String = { runIdentifier }
    private static let runIdentifier = UUID().uuidString.lowercased()
    /// Whether ``UseReporter`` reports displayed and shared GIFs to their services.
    public var reportsUse = false
    /// Returns the index of a service that was stored within the last week.
    public var storedIndex: @Sendable (String) -> [UInt8]? = { _ in nil }
    public var storeIndex: @Sendable (String, [UInt8]) -> Void = { _, _ in }
    private let indices = Monitor<[String: [UInt8]]>([:])
    /// Called for each failure of a service, even if another service provides the result.
    public var onFailure: @Sendable (Failure) -> Void = { _ in }

    public var reddit = RedditSettings()

    public init(order: [String]? = nil) { self.order = order }

    /// The index of a service, which is read once in a run.
    func index(of service: String) -> [UInt8]? {
        indices.withLock { indices in
            indices[service] = indices[service] ?? storedIndex(service)
            return indices[service]
        }
    }

    func setIndex(_ index: [UInt8], of service: String) {
        indices.withLock { $0[service] = index }
        storeIndex(service, index)
    }

    /// Redacts all ``keys``. Code that records requests must use this redactor.
    public var redactor: Redactor { Redactor(Array(keys.values)) }
}

/// The communities of Reddit whose GIFs the gallery shows, and how gifplay requests them.
public struct RedditSettings: Equatable, Sendable {
    /// The name of Reddit in the configuration, and of its endpoint in ``CatalogSettings``.
    public static let source = "reddit"
    /// The name under which ``CatalogSettings`` stores the token for the user's own feeds.
    public static let feedSource = "reddit.feed"
    /// Earlier versions had `--reddit-client` and `--key reddit=SECRET`.
    public static let appIsGone =
        "Reddit's API with your own app is no longer used; remove --reddit-client and --key reddit=…"

    /// Names without `r/`, in lower case and without duplicates; empty unless configured.
    public var communities: [String] = []
    /// The user name that identifies the user to Reddit's operators.
    public var username: String?
    /// The user whose feeds can be read with the token.
    public var feedUser: String?
}

extension CatalogSettings {
    func base(of profile: ServiceProfile) -> String { endpoints[profile.name]?.base ?? profile.base }

    /// The complete URL of a request, with the key.
    func address(of target: RequestTarget, at profile: ServiceProfile) -> String {
        var address = target.base ?? base(of: profile)
        var parameters = target.parameters
        if let key = profile.key, let secret = keys[profile.name] {
            switch target.keyLocation ?? key.location {
            case .path: address += "/" + WebAddress.component(secret.reveal())
            case .query(let name): parameters.insert((name, secret.reveal()), at: 0)
            }
        }
        let query = parameters.map { "\($0.name)=\(WebAddress.component($0.value))" }.joined(separator: "&")
        return address + target.path + (query.isEmpty ? "" : "?" + query)
    }
}

/// Addresses that replace the addresses of a service, for example to use a proxy, a mirror or a test server.
public struct ServiceEndpoint: Equatable, Sendable {
    /// Replaces `ServiceProfile.base`.
    public var base: String
    /// Replaces `ServiceProfile.otherBases`, in the same order. Nil keeps the service's own `otherBases`.
    public var others: [String]?

    /// Removes trailing slashes from the addresses.
    public init(base: String, others: [String]? = nil) {
        self.base = Self.trimmed(base)
        self.others = others?.map(Self.trimmed)
    }

    private static func trimmed(_ base: String) -> String { String(base.reversed().drop { $0 == "/" }.reversed()) }
}

extension FetchOptions {
    /// Returns `gifplay/1.0 (contact)`, or `gifplay/1.0` without a valid contact. The transport appends its own name.
    ///
    /// Source: the User-Agent Policy on foundation.wikimedia.org, which limits clients without contact information.
    public static func userAgent(version: String, contact: String?) -> String {
        let contact = SafeText.line((contact ?? "").filter { $0.isASCII && !"()".contains($0) })
        return "gifplay/\(version)" + (contact.isEmpty ? "" : " (\(contact))")
    }
}

/// The uses of a GIF that GIPHY and KLIPY ask clients with production keys to report.
public enum GIFUse: Sendable {
    case view
    case share
}

/// Reports uses of GIFs to their services, if `CatalogSettings.reportsUse` is set. Failures are ignored.
///
/// GIPHY gets a GET request for the URL that it supplied with the GIF, with the visitor identifier of this run and the
/// time. KLIPY gets a POST request with the GIF's name in the path and the visitor identifier.
public final class UseReporter: Sendable {
    private let settings: CatalogSettings
    private let viewed = Monitor<Set<GIFKey>>([])

    public init(settings: CatalogSettings) { self.settings = settings }

    /// Reports a view only once per GIF.
    public func report(_ use: GIFUse, of reference: GIFReference, client: any HTTPClient & HTTPFormClient) async {
        guard settings.reportsUse, settings.keys[reference.provider] != nil, let address = reference.useReports[use],
            let profile = GIFSources.profiles.first(where: { $0.name == reference.provider }),
            use == .share
                || viewed.withLock({ viewed in
                    // Only the latest views are remembered, because the random mode has no end.
                    if viewed.count >= 10_000 { viewed = [] }
                    return viewed.insert(reference.key).inserted
                })
        else { return }
        let visitor = settings.visitorIdentifier()
        if address.hasPrefix("/") {
            var request = request(settings.address(of: RequestTarget(address, [:]), at: profile))
            request.headers = ["Content-Type": "application/json"]
            _ = try? await client.post(#"{"customer_id":"\#(visitor)"}"#, to: request)
        } else if isOwnAddress(address, of: profile) {
            let milliseconds = Int(Date().timeIntervalSince1970 * 1_000)
            let parameters = "customer_id=\(visitor)&ts=\(milliseconds)"
            _ = try? await client.get(request(address + (address.contains("?") ? "&" : "?") + parameters))
        }
    }

    private func request(_ url: String) -> HTTPRequest {
        var request = HTTPRequest(url: url, maximumBytes: 64 << 10, timeoutMilliseconds: 6_000)
        request.mayRepeat = false
        return request
    }

    /// Whether the URL belongs to the domain of the service, such as `giphy.com`, or to the configured endpoint. A
    /// response must not make gifplay send the visitor identifier to another server.
    private func isOwnAddress(_ address: String, of profile: ServiceProfile) -> Bool {
        let domain = WebAddress.host(profile.base).split(separator: ".").suffix(2).joined(separator: ".")
        return WebAddress.isHost(WebAddress.host(address), in: domain)
            || WebAddress.authority(address) == WebAddress.authority(settings.base(of: profile))
    }
}

/// A secret such as an API key. Its description is a placeholder, so that messages do not reveal the secret.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Trims white space. Returns nil if nothing is left, because a blank setting counts as unset.
    public init?(_ value: String) {
        let trimmed = value.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        guard !trimmed.isEmpty else { return nil }
        self.value = String(trimmed)
    }

    public var description: String { Redactor.placeholder }
    public var debugDescription: String { Redactor.placeholder }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Only ``Redactor`` and the code that creates requests are allowed to call this function.
    package func reveal() -> String { value }
}

/// Removes keys from texts such as traces, addresses and error messages of services (KLIPY's messages repeat the key).
public struct Redactor: Sendable, CustomReflectable {
    static let placeholder = "(key)"
    /// The keys in lower case, because a service might repeat a key in a different case.
    private let needles: [[UInt8]]
    private let beginnings: Set<UInt8>

    public init(_ secrets: [Secret] = []) {
        let forms = secrets.flatMap { [$0.reveal(), WebAddress.component($0.reveal())] }
        needles = Set(forms).map { $0.utf8.map(Self.lowered) }.sorted { $0.count > $1.count }
        beginnings = Set(needles.compactMap(\.first))
    }

    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Returns the text with a placeholder in place of each key, whether the key is plain or percent-encoded.
    ///
    /// Compares bytes, because a comparison of characters would not find a key followed by a combining mark.
    public func callAsFunction(_ text: String) -> String {
        guard containsKey(text) else { return text }
        let bytes = Array(text.utf8)
        let lowered = bytes.map(Self.lowered)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let needle = needle(at: index, in: lowered) {
                result += Self.placeholder.utf8
                index += needle.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    public func containsKey(_ text: String) -> Bool {
        guard !needles.isEmpty else { return false }
        let lowered = text.utf8.map(Self.lowered)
        return lowered.indices.contains { needle(at: $0, in: lowered) != nil }
    }

    private func needle(at index: Int, in lowered: [UInt8]) -> [UInt8]? {
        guard beginnings.contains(lowered[index]) else { return nil }
        return needles.first { lowered[index...].starts(with: $0) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
