import Application
import Catalog
import Library

/// Error messages for the library.
extension ErrorMessages {
    static func describe(_ error: StoreError) -> String {
        switch error {
        case .cannotOpen(let path, let reason): "\(path) cannot be opened: \(reason)"
        case .failed(let reason): "the library failed: \(reason)"
        case .locked(let path): "\(path): locked by another program; try again after it has finished"
        case .tooNew(let path):
            "\(path) was written by a newer gifplay; use that version, or another XDG_DATA_HOME"
        case .damaged(let path, let reason):
            "\(path) is damaged: \(reason); move it away to start a new library; "
                + "'sqlite3 FILE .recover' may restore its content"
        }
    }

    static func describe(_ error: ImportError) -> String {
        switch error {
        case .tooLarge(_, let limit): "more than \(ByteSize.limit(limit)); nothing is imported"
        case .notJSON(let reason, let line):
            "not JSON\(line.map { ", line \($0)" } ?? ""): \(reason); nothing is imported"
        case .unknownVersion(let version):
            "export version \(Int(exactly: version).map(String.init) ?? String(version)) is not supported, only 1; nothing is imported"
        case .field(let field, let problem): "\(field): \(problem); nothing is imported"
        case .historyFull(let entries, let bound):
            "the history would have \(entries) GIFs, but its limit is \(bound); nothing is imported; "
                + "'gifplay library clear' empties it"
        case .store(let error): "nothing is imported: \(describe(error))"
        }
    }
}
