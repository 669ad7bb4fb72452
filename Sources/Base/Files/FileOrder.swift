import Glibc

/// The order of files.
public enum FileOrder: String, CaseIterable, Sendable {
    /// As people count; see ``NaturalOrder``.
    case name
    /// The newest first.
    case time
    /// The largest first.
    case size
    case random

    public func sorted(_ paths: [String]) -> [String] {
        switch self {
        case .name: return paths.map { ($0, NaturalOrder($0)) }.sorted { $0.1 < $1.1 }.map(\.0)
        case .random: return paths.shuffled()
        case .time, .size:
            let keyed = Self.name.sorted(paths).map { path in
                var status = stat()
                stat(path.systemPath, &status)
                let time = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
                return (path, self == .time ? time : (Int(status.st_size), 0))
            }
            return keyed.sorted { $0.1 > $1.1 }.map(\.0)
        }
    }

    /// Several arguments in the order in which shells expand a pattern get the natural order. Others keep theirs.
    public static func arrange(_ paths: [String]) -> [String] {
        func isSorted(_ names: [String]) -> Bool {
            zip(names, names.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        return isSorted(paths) || isSorted(paths.map { $0.lowercased() }) ? name.sorted(paths) : paths
    }
}
