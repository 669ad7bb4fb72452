/// The languages that the gallery speaks.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// By the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that says anything, as gettext does; else English.
    public init(environment: [String: String]) {
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let code = name.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != "-" }
        self = Language(rawValue: code.lowercased()) ?? .english
    }
}
