/// The languages of the gallery's texts.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// Takes the language from the first non-empty variable among `LC_ALL`, `LC_MESSAGES` and `LANG`, as POSIX
    /// specifies. If this variable names no supported language, uses English.
    public init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let code = name.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        self = Language(rawValue: code.lowercased()) ?? .english
    }
}
