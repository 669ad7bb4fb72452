import Application
import Base
import Glibc
import Sharing

/// Error messages for saving, copying and opening.
extension Sentences {
    static func describe(_ error: SharingError) -> String {
        switch error {
        case .system(_, let path, let code): return "\(path): \(SystemError.message(code))"
        case .tooManyOfTheName(let name): return "\(name): no name is free beside those that are there"
        case .notWeb: return "no address of the web"
        case .noDisplay(let link): return "no screen for a browser here; the link is \(link)"
        case .noProgram(let tried, let link):
            let rest = link.map { "; the link is \($0)" } ?? ""
            return "\(tried.joined(separator: ", ")): not installed\(rest)"
        case .notStarted(let program, let reason): return "\(program) would not start: \(reason)"
        case .programFailed(let program, let status):
            return "\(program) failed with status \(status); set BROWSER to your browser, or copy the link with y"
        }
    }
}
