import Application
import Base
import Glibc
import Sharing

/// Error messages for saving, copying and opening.
extension ErrorMessages {
    static func describe(_ error: SharingError) -> String {
        switch error {
        case .system(_, let path, let code): return "\(path): \(SystemError.message(code))"
        case .noFreeName(let name): return "\(name): this name and all numbered names are in use"
        case .notWebAddress: return "not an http or https URL"
        case .noDisplay(let link): return "no display for a browser; the link is \(link)"
        case .noProgram(let tried, let link):
            let rest = link.map { "; the link is \($0)" } ?? ""
            return "\(tried.joined(separator: ", ")): not installed\(rest)"
        case .notStarted(let program, let reason): return "\(program) cannot be started: \(reason)"
        case .programFailed(let program, let status):
            return "\(program) failed with status \(status); set BROWSER to your browser, or press 'y' to copy the link"
        }
    }
}
