import Base

public struct Marks: Hashable, Sendable {
    public var isFavourite: Bool
    public var isViewed: Bool
    public var isDismissed: Bool

    public init(isFavourite: Bool = false, isViewed: Bool = false, isDismissed: Bool = false) {
        (self.isFavourite, self.isViewed, self.isDismissed) = (isFavourite, isViewed, isDismissed)
    }
}

public struct StoredListing: Equatable, Sendable {
    /// Omits dismissed GIFs, except in favourites and in the feed of dismissed GIFs.
    public var items: [GIFReference]
    public var next: PageToken?
    public var total: Int?
    /// The time at which the first page was stored, in seconds since 1970. For favourites and history, the time at
    /// which the newest item was marked as a favourite or viewed.
    public var seconds: Int

    public init(items: [GIFReference], next: PageToken? = nil, total: Int? = nil, seconds: Int) {
        (self.items, self.next, self.total, self.seconds) = (items, next, total, seconds)
    }
}

/// Each `reason` is not translated, because the database or the system always provides it in English.
extension Failure {
    public static func cannotOpen(path: String, reason: String) -> Failure {
        library("\(path) cannot be opened: \(reason)", short: "\(reason) (\(SafeText.path(path)))")
    }

    public static func libraryFailed(reason: String) -> Failure {
        library("the library failed: \(reason)", short: reason)
    }

    /// Another process held a lock on the file until the call timed out.
    public static func locked(path: String) -> Failure {
        Failure(
            .locked, "\(path): locked by another program; try again after it has finished",
            short: "library in use by another program; not stored yet, trying again",
            de: "ein anderes Programm nutzt die Bibliothek; noch nicht gespeichert, neuer Versuch")
    }

    /// A newer version of gifplay has written the file.
    public static func tooNew(path: String) -> Failure {
        Failure(
            .other, "\(path) was written by a newer gifplay; use that version, or another XDG_DATA_HOME",
            short: "written by a newer gifplay (\(SafeText.path(path)))",
            de: "stammt von einer neueren Version (\(SafeText.path(path)))")
    }

    /// The file is corrupt or is not a gifplay library. gifplay does not change the file.
    public static func damaged(path: String, reason: String) -> Failure {
        library(
            "\(path) is damaged: \(reason); move it away to start a new library; "
                + "'sqlite3 FILE .recover' may restore its content",
            short: "\(reason) (\(SafeText.path(path)))")
    }

    private static func library(_ full: String, short: String) -> Failure { Failure(.other, full, short: short) }
}

/// A listing that the services, the library or the folders of the user provide.
public enum Feed: Hashable, Sendable {
    /// If `source` is nil, the first source that has such a listing provides it.
    case trending(source: String?)
    /// An endless listing of random GIFs from the first source that has one. It is not stored.
    case random
    /// The text that the user typed, without white space at its ends.
    case search(query: String)
    case favourites
    case history
    case dismissed
    /// The top posts of a Reddit community, named without `r/`.
    case community(String)
    /// The files that the user named. With a query, only the files whose names contain all of its terms.
    case files(matching: String)

    /// Whether the items come only from the store and not from a service.
    public var isLocal: Bool { [.favourites, .history, .dismissed].contains(self) }

    public var isOfFiles: Bool {
        if case .files = self { true } else { false }
    }

    /// Whether the query is an address or a path. It is no search, so no service gets it and the library does not store
    /// it.
    public var isLink: Bool { address != nil }

    /// The address or the path in the query. The names that a filter looks for have no slash.
    public var address: TypedAddress? {
        switch self {
        case .search(let query): TypedAddress(query)
        case .files(let query): query.contains("/") ? TypedAddress(query) : nil
        default: nil
        }
    }
}

/// The name of a Reddit community, validated because it becomes part of URLs.
package struct Community: Hashable, Sendable {
    /// The name in lower case, because Reddit ignores case.
    package let name: String

    /// Accepts `gifs`, `r/gifs` and `/r/gifs`. Returns nil for an invalid name.
    package init?(_ text: String) {
        var bare = text[...]
        if bare.first == "/" { bare = bare.dropFirst() }
        if bare.lowercased().hasPrefix("r/") { bare = bare.dropFirst(2) }
        guard (2...21).contains(bare.unicodeScalars.count), bare.unicodeScalars.allSatisfy(Self.isAllowed) else {
            return nil
        }
        name = bare.lowercased()
    }

    package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
