import Base
import CCurl
import Catalog

public struct FetchOptions: Sendable {
    public enum Proxy: Equatable, Sendable {
        /// The proxy that http_proxy, https_proxy, all_proxy and no_proxy specify.
        case environment
        case none
        case fixed(String)
    }

    /// Name, version and a contact, as Wikimedia's policy requires. The client appends libcurl's name and version.
    public var userAgent: String
    /// Replaces the system's trusted certificates.
    public var caFile: String?
    public var proxy: Proxy
    /// The variables with the proxies. libcurl does not read them itself.
    private let environment: [String: String]
    /// Includes name lookup and TLS handshake.
    public var connectMilliseconds = 8_000
    /// A transfer fails if no bytes arrive during this time.
    public var stallMilliseconds = 10_000
    /// A download must deliver at least 1 kB in this time.
    public var slowMilliseconds = 30_000
    public var retry = RetryPolicy()
    /// Tests replace it so that they need not wait.
    public var clock: any WaitClock = SystemWaitClock()
    /// Returns a random number from 0 to 1 for the jitter of the waits before retries.
    public var randomFraction: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// Whether an IP address in text form belongs to this machine or its network.
    public var isLocalAddress: @Sendable (String) -> Bool = { LocalAddress.isLocal($0) }
    /// The maximum number of concurrent downloads from a host.
    public var maximumDownloads: @Sendable (String) -> Int = { Wikimedia.isHost($0) ? 2 : 6 }
    /// Called with the host of each response with status 429.
    public var onTooManyRequests: @Sendable (String) -> Void = { _ in }
    /// A libcurl library to load instead of the system's. It has no effect if the process has already loaded libcurl.
    public var library: String?

    public init(userAgent: String, environment: [String: String] = [:]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.userAgent = userAgent
        caFile = value("CURL_CA_BUNDLE") ?? value("SSL_CERT_FILE")
        proxy = .environment
        self.environment = environment.filter { $0.key.lowercased().hasSuffix("_proxy") }
    }

    /// The proxy for a request to this address. If there is one, the IP address of the peer does not identify the target.
    func proxy(for address: ParsedURL) -> String? {
        switch proxy {
        case .environment: EnvironmentProxy(address, environment)?.value
        case .none: nil
        case .fixed(let proxy): proxy
        }
    }
}

extension FetchOptions {
    /// libcurl must be loaded.
    var fullUserAgent: String {
        let library = String(cString: gifplay_curl_version()).prefix { $0 != " " }
        return userAgent.isEmpty ? String(library) : "\(userAgent) \(library)"
    }
}

/// Wikimedia's hosts, which have stricter rules for clients than other hosts.
public enum Wikimedia {
    /// For example `upload.wikimedia.org` and `commons.wikimedia.org`.
    public static func isHost(_ host: String) -> Bool {
        ["wikimedia.org", "wikipedia.org"].contains { URLAuthority.isHost(host, in: $0) }
    }
}
