import Base
import CCurl

/// How fetching is done, for all requests of one client.
public struct FetchOptions: Sendable {
    /// Who carries the requests on.
    public enum Proxy: Equatable, Sendable {
        /// As http_proxy, https_proxy, all_proxy and no_proxy say.
        case environment
        case none
        /// A proxy's URL.
        case fixed(String)
    }

    /// Name, version and a contact, as Wikimedia's policy asks; libcurl's name and version follow when it is sent.
    public var userAgent: String
    /// A file of certificates to trust in place of the system's.
    public var caFile: String?
    /// Whether and which.
    public var proxy: Proxy
    /// Whether the environment names a proxy.
    public var hasEnvironmentProxy: Bool
    /// Until a connection is made, the name's lookup and TLS included, in milliseconds.
    public var connectMilliseconds = 8_000
    /// The silence after which a transfer is given up, in milliseconds.
    public var stallMilliseconds = 10_000
    /// How often and after what waits a request is made again.
    public var retry = RetryPolicy()
    /// Replaced in tests, which do not wait.
    public var clock: any WaitClock = SystemWaitClock()
    /// 0 to 1, for the waits between retries.
    public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// Judges whether an IP address in text belongs to this machine or its network.
    public var isLocalAddress: @Sendable (String) -> Bool = { LocalAddress.isLocal($0) }
    /// How many downloads run at once from a host.
    public var downloadsAtOnce: @Sendable (String) -> Int = { Wikimedia.isHost($0) ? 2 : 6 }
    /// Called with the host of each answer of status 429.
    public var noteTooManyRequests: @Sendable (String) -> Void = { _ in }
    /// A libcurl to load in place of the system's. Counts for the first client of the process.
    public var library: String?

    /// - Parameters:
    ///   - caFile: goes before the environment's CURL_CA_BUNDLE and SSL_CERT_FILE.
    ///   - environment: the process's own; the proxies' variables are read by libcurl from there.
    public init(userAgent: String, caFile: String? = nil, environment: [String: String] = [:]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.userAgent = userAgent
        self.caFile = caFile ?? value("CURL_CA_BUNDLE") ?? value("SSL_CERT_FILE")
        proxy = .environment
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        hasEnvironmentProxy = names.contains { value($0) != nil }
    }

    /// Whether a request may go through a proxy, so that peers say nothing of targets.
    var hasProxy: Bool {
        switch proxy {
        case .environment: hasEnvironmentProxy
        case .none: false
        case .fixed: true
        }
    }
}

extension FetchOptions {
    /// ``userAgent`` with libcurl's name and version. libcurl must be loaded.
    var fullUserAgent: String {
        let library = String(cString: gifplay_curl_version()).prefix { $0 != " " }
        return userAgent.isEmpty ? String(library) : "\(userAgent) \(library)"
    }
}
