/// The name of a community of Reddit, checked: it goes into addresses.
package struct Community: Hashable, Sendable {
    /// In lower case, as Reddit makes no difference.
    package let name: String

    /// Takes `gifs`, `r/gifs` and `/r/gifs`; nil for what no community is called.
    package init?(_ text: String) {
        var bare = text[...]
        if bare.first == "/" { bare = bare.dropFirst() }
        if bare.lowercased().hasPrefix("r/") { bare = bare.dropFirst(2) }
        guard (2...21).contains(bare.unicodeScalars.count), bare.unicodeScalars.allSatisfy(Self.isAllowed) else {
            return nil
        }
        name = bare.lowercased()
    }

    /// Whether it may stand in such a name.
    package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
