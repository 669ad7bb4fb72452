import ArgumentParser
import Base
import Catalog
import FoundationEssentials
import Glibc

/// Options that select the sources to query and filter their results.
public struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Query only this source; 'gifplay sources' lists the names", valueName: "name"),
        completion: .list(GIFSources.names))
    public var source: String?

    @Option(
        help: ArgumentHelp("Strongest content allowed: g, pg, pg-13 or r (default: g)", valueName: "level"),
        completion: .list(Rating.allCases.map(\.rawValue)), transform: OptionValue.rating)
    public var rating: Rating?

    @Option(
        help: ArgumentHelp("Language of the query, two letters (default: en)", valueName: "code"),
        transform: OptionValue.language)
    public var lang: String?

    @Flag(help: "Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)")
    public var offline = false

    @Option(
        help: ArgumentHelp("Trust the certificates in this file instead of the system's", valueName: "file"),
        completion: .file())
    public var cacert: String?

    public init() {}

    public func validate() throws {
        if let source, !GIFSources.names.contains(source) {
            let hint = CatalogError.hint(forSource: source, GIFSources.names)
            throw ValidationError("--source \(source): unknown source; \(hint)")
        }
        if let cacert, access(cacert, R_OK) != 0 {
            throw ValidationError("--cacert \(cacert): \(SystemError.message())")
        }
    }
}

extension Settings {
    /// The options override the environment and the configuration file.
    public init(
        _ options: ServiceOptions, ignoresFile: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) {
        try self.init(ignoresFile: ignoresFile, environment: environment)
        services.source = options.source
        if let rating = options.rating { services.preferences.rating = rating }
        if let language = options.lang { services.preferences.language = language }
        if options.offline { services.isOffline = true }
        if let file = options.cacert { services.fetch.caFile = file }
    }

    /// Reports and ignores a broken configuration file if all items are local, so that a local GIF still plays.
    public init(_ options: ServiceOptions, isForLocalItems: Bool) throws(CommandError) {
        do throws(CommandError) { try self.init(options) } catch {
            guard isForLocalItems else { throw error }
            printError("\(error.message); the configuration is ignored")
            try self.init(options, ignoresFile: true)
        }
    }
}

public enum ResultChoice: Equatable, Sendable {
    /// The first result that can be played.
    case first
    /// The result at this position, counted from 1. If it cannot be played, no other result replaces it.
    case number(Int)
    case any

    var isReplaceable: Bool { if case .number = self { false } else { true } }
}
