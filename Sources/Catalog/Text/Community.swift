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
