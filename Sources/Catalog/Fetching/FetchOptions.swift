import Base
import CCurl
import Glibc

public struct FetchOptions: Sendable {
    /// Name, version and a contact, as Wikimedia's policy requires. The client appends libcurl's name and version.
    public var userAgent: String
    /// Replaces the system's trusted certificates.
    public var caFile: String?
    /// The variables with the proxies: http_proxy, https_proxy, all_proxy and no_proxy. libcurl does not read them itself.
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
        self.userAgent = userAgent
        self.environment = environment.filter { $0.key.lowercased().hasSuffix("_proxy") }
    }

    /// The proxy for a request to this address. If there is one, the IP address of the peer does not identify the target.
    func proxy(for address: ParsedURL) -> String? { EnvironmentProxy(address, environment)?.value }

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
        ["wikimedia.org", "wikipedia.org"].contains { WebAddress.isHost(host, in: $0) }
    }
}

public struct RetryPolicy: Equatable, Sendable {
    /// The maximum after the first request. The waits are then 1.4 to 2.8 s in total, unless a server asks for more.
    public var retries = 3
    /// The wait without jitter. It doubles with each further retry.
    public var firstMilliseconds = 400
    /// The maximum that results from doubling.
    public var longestMilliseconds = 8_000

    public static let never = RetryPolicy(retries: 0)

    /// Returns the wait in milliseconds; nil if the request must not be repeated.
    ///
    /// Half of the wait is random (jitter), so that players that failed at the same time do not retry together.
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - retryAfter: the wait in milliseconds that the server requests, as a minimum. Zero or less has no effect.
    ///   - remaining: the milliseconds left for the request. The result is nil if the wait would use them up.
    ///   - randomFraction: the random number for the jitter, from 0 to 1.
    public func wait(beforeRetry retry: Int, retryAfter: Int?, remaining: Int, randomFraction: Double) -> Int? {
        guard retry <= retries else { return nil }
        let doublings = min(max(retry - 1, 0), 20)
        let whole = min(firstMilliseconds << doublings, longestMilliseconds)
        let jittered = whole / 2 + Int(Double(whole - whole / 2) * min(max(randomFraction, 0), 1))
        let wait = max(jittered, retryAfter ?? 0)
        return wait < remaining ? wait : nil
    }

    static func isTransient(status: Int) -> Bool { status == 429 || status == 408 || (500...599).contains(status) }
}

extension FetchOptions {
    /// In milliseconds; nil if the request must not be repeated.
    func wait(beforeRetry number: Int, after result: TransportResult, remaining: Int) -> Int? {
        let head = result.transientHead
        let requestedWait = head.flatMap { RetryPolicy.requestedSeconds($0.headers, unixSeconds: clock.unixSeconds) }
        // The server limits the request rate. Repeat the request only if the server specifies a wait.
        if head?.status == 429, requestedWait == nil { return nil }
        return retry.wait(
            beforeRetry: number, retryAfter: requestedWait.map { $0 * 1_000 }, remaining: remaining,
            randomFraction: randomFraction())
    }
}

extension RetryPolicy {
    /// The wait that the header Retry-After requests, in seconds, at most one day. The header contains a number of
    /// seconds or a date. Nil if it is missing or invalid, or if it is 0, which GIPHY sometimes sends.
    ///
    /// A date is compared with the response's Date header, so that a wrong clock on either side has no effect. Without
    /// a Date header, it is compared with `now`, the local clock.
    static func requestedSeconds(_ headers: [String: String], unixSeconds now: Int) -> Int? {
        let value = headers["retry-after"]?.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
        guard let value, !value.isEmpty else { return nil }
        let seconds: Int
        if let number = Int(outside: value, clampedTo: Int.outsideRange) {
            seconds = number
        } else if let date = HTTPDate.unixSeconds(value) {
            seconds = date - (headers["date"].flatMap(HTTPDate.unixSeconds) ?? now)
        } else {
            return nil
        }
        return seconds > 0 ? min(seconds, 86_400) : nil
    }
}

/// Parses the three date formats of RFC 9110, section 5.6.7, two of which are obsolete but must be accepted.
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns seconds since 1970; nil for any other format and for a year outside 1970...9999.
    static func unixSeconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            return unixSeconds(year: words[3], month: words[2], day: words[1], clock: words[4])
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, let year = number(date[2], in: 0...99) else { return nil }
            let whole = "\(year < 70 ? 2000 + year : 1900 + year)"
            return unixSeconds(year: whole[...], month: date[1], day: date[0], clock: words[2])
        // Sun Nov  6 08:49:37 1994
        case 5: return unixSeconds(year: words[4], month: words[1], day: words[2], clock: words[3])
        default: return nil
        }
    }

    private static func unixSeconds(year: Substring, month: Substring, day: Substring, clock: Substring) -> Int? {
        guard let day = number(day, in: 1...31), let month = months.firstIndex(of: String(month)),
            let year = number(year, in: 1970...9999)
        else { return nil }
        let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], in: 0...23), let minute = number(clock[1], in: 0...59),
            let second = number(clock[2], in: 0...60)
        else { return nil }
        return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
        text.hasPrefix("-") ? nil : Int(outside: text, in: range)
    }

    /// Days since 1970-01-01. Here, each year starts in March, so that the leap day is the last day of a year.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

/// The proxy that the environment specifies for a URL, by libcurl's rules.
public struct EnvironmentProxy: Equatable, Sendable {
    public var variable: String
    /// Host and port, without user name and password.
    public var address: String
    /// The value of the variable, with user name and password.
    let value: String

    /// Returns nil if the environment specifies no proxy for this URL.
    public init?(url: String, environment: [String: String]) {
        guard let target = ParsedURL(url) else { return nil }
        self.init(target, environment)
    }

    init?(_ target: ParsedURL, _ environment: [String: String]) {
        // libcurl ignores HTTP_PROXY, because in a CGI program the client can set that variable with a `Proxy` header.
        let variables =
            (target.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        let named = variables.lazy.compactMap { name in
            environment[name].flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
        }.first
        let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        guard let named, !Self.isExcepted(target.host.lowercased(), by: exceptions) else { return nil }
        (variable, value) = named
        address = WebAddress.authority(named.value)
    }

    /// Whether `no_proxy` lists the host, one of its parent domains, or a block of addresses such as `10.0.0.0/8` that
    /// contains it.
    private static func isExcepted(_ bracketedHost: String, by list: String) -> Bool {
        let host = bracketedHost.hasPrefix("[") ? String(bracketedHost.dropFirst().dropLast()) : bracketedHost
        if list == "*" { return true }
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = (entry.hasPrefix(".") ? entry.dropFirst() : entry).lowercased()
            return host == name || host.hasSuffix("." + name) || LocalAddress.isAddress(host, in: name)
        }
    }
}

/// Content from the internet must not cause requests to addresses of this machine or its network.
enum LocalAddress {
    /// True for loopback, private, link-local, multicast and other addresses for local or special use.
    static func isLocal(_ text: String) -> Bool {
        if let bytes = bytes(text, family: AF_INET, count: 4) { return isLocal4(bytes) }
        if let bytes = bytes(text, family: AF_INET6, count: 16) { return isLocal6(bytes) }
        return false
    }

    /// Returns the IP address of a URL's host if no DNS query is needed: the host itself if it is an IP address, and
    /// 127.0.0.1 for `localhost` and its subdomains. Returns nil for all other names.
    static func literal(host: String) -> String? {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        while name.hasSuffix(".") { name.removeLast() }
        if localNames.contains(name) || name.hasSuffix(".localhost") { return "127.0.0.1" }
        // Every form that a resolver takes for an address, such as 0x7f.1: behind a proxy, no IP address is checked.
        var address = in_addr()
        if !name.contains(where: \.isWhitespace), inet_aton(name, &address) != 0 {
            return withUnsafeBytes(of: &address) { $0.map { "\($0)" }.joined(separator: ".") }
        }
        return bytes(name, family: AF_INET6, count: 16) != nil ? name : nil
    }

    private static let localNames: Set<String> = [
        "localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback",
    ]

    /// Whether an IP address in text form is in a block such as `10.0.0.0/8`.
    static func isAddress(_ text: String, in block: String) -> Bool {
        let parts = block.split(separator: "/")
        guard parts.count == 2, let prefix = Int(outside: parts[1], in: 0...128) else { return false }
        return [(AF_INET, 4), (AF_INET6, 16)].contains { family, count in
            guard prefix <= count * 8, let network = bytes(String(parts[0]), family: family, count: count),
                let address = bytes(text, family: family, count: count)
            else { return false }
            return address.indices.allSatisfy { index in
                (address[index] ^ network[index]) >> (8 - min(max(prefix - index * 8, 0), 8)) == 0
            }
        }
    }

    private static func bytes(_ text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    private static func isLocal4(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let blocks: [(network: UInt32, prefix: UInt32)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12), (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
        ]
        return blocks.contains { (address ^ $0.network) >> (32 - $0.prefix) == 0 }
    }

    private static func isLocal6(_ bytes: [UInt8]) -> Bool {
        // IPv4-mapped and IPv4-compatible addresses and the well-known NAT64 prefix contain an IPv4 address to check.
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let isCompatible = bytes[..<12].allSatisfy { $0 == 0 }
        let isTranslated = bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0])
        if isMapped || isCompatible || isTranslated { return isLocal4(bytes[12...]) }
        // Further forms with an IPv4 address: IPv4-translated (::ffff:0:a.b.c.d), NAT64 64:ff9b:1::/48 and 6to4.
        let isStateless = bytes[..<8].allSatisfy { $0 == 0 } && bytes[8..<12].elementsEqual([0xFF, 0xFF, 0, 0])
        let isOwnTranslation = bytes[..<6].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 1])
        if isStateless || isOwnTranslation { return isLocal4(bytes[12...]) }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return isLocal4(bytes[2..<6]) }
        return bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80) || bytes[0] == 0xFF
    }
}
