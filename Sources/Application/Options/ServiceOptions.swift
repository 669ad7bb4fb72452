import ArgumentParser
import Base
import Catalog
import Glibc

/// Options that select the sources to query and filter their results.
public struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Query only this source; 'gifplay sources' lists the names", valueName: "name"))
    public var source: String?

    @Option(
        help: ArgumentHelp("Strongest content allowed: g, pg, pg-13 or r (default: g)", valueName: "level"),
        transform: RatingValue.parse)
    public var rating: RatingValue?

    @Option(
        help: ArgumentHelp("Language of the query, two letters (default: en)", valueName: "code"),
        transform: LanguageValue.parse)
    public var lang: LanguageValue?

    @Flag(help: "Query no service: search built-in GIFs, play random GIFs also from the cache (as GIFPLAY_OFFLINE=1)")
    public var offline = false

    @Option(help: ArgumentHelp("Trust the certificates in this file instead of the system's", valueName: "file"))
    public var cacert: String?

    public init() {}

    public func validate() throws {
        if let cacert, access(cacert, R_OK) != 0 {
            throw ValidationError("--cacert \(cacert): \(SystemError.message())")
        }
    }

    /// The options as command-line arguments, for the program that replaces this process by exec.
    public var arguments: [String] {
        let named = [
            ("--source", source), ("--rating", rating?.rating.rawValue), ("--lang", lang?.code), ("--cacert", cacert),
        ]
        return named.flatMap { name, value in value.map { [name, $0] } ?? [] } + (offline ? ["--offline"] : [])
    }
}

/// Which search result to play.
public enum ResultChoice: Equatable, Sendable {
    /// The first result that can be played.
    case first
    /// The result at this position, counted from 1. If it cannot be played, no other result replaces it.
    case number(Int)
    case any
}

/// A content rating: `g`, `pg`, `pg-13` or `r`.
public struct RatingValue: OptionValue {
    public static let expected = "expected g, pg, pg-13 or r"
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
