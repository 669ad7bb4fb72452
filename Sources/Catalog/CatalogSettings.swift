import Base

/// Everything that the services are given from outside: keys, addresses, the time, the dice.
public struct CatalogSettings: Sendable {
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
    /// Called with each failure of a service, also where another service answers in its place.
    public var noteFailure: @Sendable (SourceFailure) -> Void = { _ in }

    public init(
        keys: [String: Secret] = [:], endpoints: [String: ServiceEndpoint] = [:], order: [String]? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        draw: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
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
    /// `gifplay/1.0 (contact)`, to which the transport appends its own name and version.
    ///
    /// Source: foundation.wikimedia.org, User-Agent Policy, which wants the contact of the operator.
    /// - Parameter project: the address of the project, in place of a contact that says nothing.
    public static func text(version: String, contact: String?, project: String) -> String {
        let own = SafeText.line((contact ?? "").filter { $0.isASCII && !"()".contains($0) })
        return "gifplay/\(version) (\(own.isEmpty ? project : own))"
    }
}
