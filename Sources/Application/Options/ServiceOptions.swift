import ArgumentParser
import Base
import Catalog
import Glibc

/// Options that select the sources to query and filter their results.
public struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Query only this source; 'gifplay sources' lists the names", valueName: "name"),
        completion: .list(GIFSources.names))
    public var source: String?

    @Option(
        help: ArgumentHelp("Strongest content allowed: g, pg, pg-13 or r (default: g)", valueName: "level"),
        completion: .list(Rating.allCases.map(\.rawValue)), transform: RatingValue.parse)
    public var rating: RatingValue?

    @Option(
        help: ArgumentHelp("Language of the query, two letters (default: en)", valueName: "code"),
        transform: LanguageValue.parse)
    public var lang: LanguageValue?

    @Flag(help: "Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)")
    public var offline = false

    @Option(
        help: ArgumentHelp("Trust the certificates in this file instead of the system's", valueName: "file"),
        completion: .file())
    public var cacert: String?

    public init() {}

    public func validate() throws {
        if let source, !GIFSources.names.contains(source) {
            let hint = ErrorMessages.hint(forSource: source, GIFSources.names)
            throw ValidationError("--source \(source): unknown source; \(hint)")
        }
        if let cacert, access(cacert, R_OK) != 0 {
            throw ValidationError("--cacert \(cacert): \(SystemError.message())")
        }
    }
}

extension LoaderSettings {
    /// The options override the environment and the configuration file.
    /// - Parameter size: in half-block pixels. Each cell contains two such pixels, one above the other.
    public init(
        _ options: ServiceOptions, size: (width: Int, height: Int), maximumBytes: Int? = nil,
        configuration: ConfigurationUse = .required
    ) throws(CommandError) {
        try self.init(
            source: options.source, rating: options.rating?.rating, language: options.lang?.code,
            isOffline: options.offline, caFile: options.cacert, size: size, maximumBytes: maximumBytes,
            configuration: configuration)
    }

    /// Reports and ignores a broken configuration file if all items are local, so that a local GIF still plays.
    public init(
        _ options: ServiceOptions, size: (width: Int, height: Int), maximumBytes: Int?, isForLocalItems: Bool
    ) throws(CommandError) {
        do throws(CommandError) {
            try self.init(options, size: size, maximumBytes: maximumBytes)
        } catch {
            guard isForLocalItems else { throw error }
            printError("\(error.message); the configuration is ignored")
            try self.init(options, size: size, maximumBytes: maximumBytes, configuration: .ignored)
        }
    }
}

public enum ResultChoice: Equatable, Sendable {
    /// The first result that can be played.
    case first
    /// The result at this position, counted from 1. If it cannot be played, no other result replaces it.
    case number(Int)
    case any
}

public struct RatingValue: OptionValue {
    static let choices = "g, pg, pg-13 or r"
    public static let expected = "expected \(choices)"
    public let rating: Rating

    public init?(argument: String) {
        guard let rating = Rating(rawValue: argument.lowercased()) else { return nil }
        self.rating = rating
    }
}

/// The two letters of a language (ISO 639-1), such as `de`.
public struct LanguageValue: OptionValue {
    public static let expected = "expected the two letters of a language, such as de"
    public let code: String

    public init?(argument: String) {
        guard argument.count == 2, argument.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        code = argument.lowercased()
    }
}
