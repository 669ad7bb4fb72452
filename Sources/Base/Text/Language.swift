/// The languages of the texts on the screen of the player and of the gallery. Each text stands where it is used, in all
/// languages. Help, manual pages and standard error are English.
///
/// To add a language, add a case and a parameter to ``callAsFunction(en:de:)``. The compiler reports missing texts.
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

    /// Returns the text in this language.
    public func callAsFunction<Text>(en: @autoclosure () -> Text, de: @autoclosure () -> Text) -> Text {
        switch self {
        case .english: en()
        case .german: de()
        }
    }
}

extension Int {
    /// The ending of a noun after this number: nothing after 1, else `plural`.
    public func ending(_ plural: String) -> String { self == 1 ? "" : plural }
}
