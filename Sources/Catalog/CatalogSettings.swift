/// Everything that the services are given from outside: keys, addresses, the time, the dice.
public struct CatalogSettings: Sendable {
    /// Sent with every request; downloads should carry the same.
    public var userAgent: String
    /// By the name of the source.
    public var keys: [String: Secret]
    /// By the name of the source; the service's own where there is none.
    public var endpoints: [String: ServiceEndpoint]
    /// The names in the order of asking; nil for the usual one, in which services without a key stay out.
    public var order: [String]?
    public var now: @Sendable () -> ContinuousClock.Instant
    /// When a silent source is left to go on beside the next one.
    public var hedge = HedgedAttempts()
    /// Sources that failed in another run, with the seconds for which they are asked after the others.
    public var failedLately: [String: Int] = [:]
    /// A random number, another one in each call.
    public var draw: @Sendable () -> UInt64

    public init(
        userAgent: String, keys: [String: Secret] = [:], endpoints: [String: ServiceEndpoint] = [:],
        order: [String]? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        draw: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        self.userAgent = userAgent
        self.keys = keys
        self.endpoints = endpoints
        self.order = order
        self.now = now
        self.draw = draw
    }

    /// For whatever writes down a request: it knows every key.
    public var redactor: Redactor { Redactor(Array(keys.values)) }
}

/// Where a service is asked instead of at its own address: a proxy, a mirror, a test's server.
public struct ServiceEndpoint: Equatable, Sendable {
    /// In place of `ServiceProfile.base`.
    public var base: String
    /// In place of `ServiceProfile.otherBases`, in the same order; nil leaves those as they are.
    public var others: [String]?

    /// Slashes at an end are taken off.
    public init(base: String, others: [String]? = nil) {
        self.base = Self.trimmed(base)
        self.others = others?.map(Self.trimmed)
    }

    private static func trimmed(_ base: String) -> String {
        String(base.reversed().drop { $0 == "/" }.reversed())
    }
}

/// The user agent in the form that Wikimedia's policy asks for.
public enum UserAgent {
    /// `gifplay/1.0 (https://project; contact) libcurl/8.5`; services block what says less.
    ///
    /// Source: foundation.wikimedia.org, User-Agent Policy; the contact is the operator's, where given.
    public static func text(version: String, contacts: [String], library: String) -> String {
        let contacts = contacts.map(CleanText.line).map { $0.filter { $0.isASCII && !"()".contains($0) } }
        let inside = contacts.filter { !$0.isEmpty }.joined(separator: "; ")
        return ["gifplay/\(version)", inside.isEmpty ? "" : "(\(inside))", library]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }
}
