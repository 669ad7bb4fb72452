import Base
import FoundationEssentials

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
            _ = try? await client.post(HTTPForm(json: #"{"customer_id":"\#(visitor)"}"#), to: request)
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
        let domain = URLAuthority.host(profile.base).split(separator: ".").suffix(2).joined(separator: ".")
        return URLAuthority.isHost(URLAuthority.host(address), in: domain)
            || URLAuthority.text(address) == URLAuthority.text(settings.base(of: profile))
    }
}
