import Application
import Catalog
import Foundation
import Gallery
import Library

/// Error messages for the library.
extension Sentences {
    static func describe(_ error: StoreError) -> String {
        switch error {
        case .cannotOpen(let path, let reason): "\(path) cannot be opened: \(reason)"
        case .failed(let reason): "the library failed: \(reason)"
        case .tooNew(let path):
            "\(path) was written by a newer gifplay, and is left as it is; use that one, or another XDG_DATA_HOME"
        case .damaged(let path, let reason):
            "\(path) is damaged: \(reason). It is left as it is; move it away and gifplay begins a new one, "
                + "'sqlite3 FILE .recover' may get back what was in it"
        }
    }

    static func describe(_ error: ImportError) -> String {
        switch error {
        case .tooLarge(_, let limit): "more than \(ByteSize.limit(limit)); nothing is imported"
        case .notJSON(let reason, let line):
            "no JSON\(line.map { ", line \($0)" } ?? ""): \(reason); nothing is imported"
        case .unknownVersion(let version):
            "an export of version \(version.formatted()), and 1 is known here; nothing is imported"
        case .field(let field, let problem): "\(field): \(problem); nothing is imported"
        case .historyFull(let entries, let bound):
            "the history would hold \(entries) GIFs, and keeps \(bound); nothing is imported. "
                + "'gifplay library clear' makes room"
        case .store(let error): "nothing is imported: \(describe(error))"
        }
    }
}
