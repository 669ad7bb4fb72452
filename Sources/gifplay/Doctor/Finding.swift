import Application
import Base

/// One line of `gifplay doctor`.
struct Finding: Encodable, Sendable {
    enum Status: String, Encodable {
        case ok
        case warning
        case error
    }

    var status: Status
    /// The subject of the check, such as `terminal size`.
    var subject: String
    /// The result of the check.
    var text: String
    /// Advice for the user; nil if there is nothing to do.
    var advice: String?

    static func ok(_ subject: String, _ text: String) -> Finding {
        Finding(status: .ok, subject: subject, text: text)
    }

    static func warning(_ subject: String, _ text: String, _ advice: String) -> Finding {
        Finding(status: .warning, subject: subject, text: text, advice: advice)
    }

    static func error(_ subject: String, _ text: String, _ advice: String? = nil) -> Finding {
        Finding(status: .error, subject: subject, text: text, advice: advice)
    }

    /// The finding as a line of text.
    var line: String {
        let gap = String(repeating: " ", count: 9 - status.rawValue.count)
        return "\(status.rawValue)\(gap)\(subject): \(text)\(advice.map { "; \($0)" } ?? "")"
    }
}
