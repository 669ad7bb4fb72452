/// The number of changes that are not stored, for each kind of mark. A change sets or removes a mark.
public struct UnstoredMarks: Equatable, Sendable {
    public private(set) var favourites = 0
    public private(set) var viewed = 0
    public private(set) var dismissed = 0

    public var isEmpty: Bool { self == UnstoredMarks() }

    /// Increases the counts by the changes that the effect requests if `sign` is 1, and decreases them if `sign` is -1.
    mutating func add(_ effect: GalleryEffect, _ sign: Int) {
        switch effect {
        case .setFavourite: favourites += sign
        case .markViewed: viewed += sign
        case .setDismissed(let references, _): dismissed += sign * references.count
        default: break
        }
    }
}
