/// A rendition as GIPHY and KLIPY write it: `url`, `width`, `height`, `size`, at GIPHY `frames`.
struct WireRendition: Decodable {
    /// Nil where there is no GIF at all, whatever the name promised.
    var rendition: Rendition?

    init(from decoder: any Decoder) throws {
        let wire = try LenientObject(decoder)
        guard let url = wire.address("url") else { return }
        if let kind = WebAddress.fileExtension(url), Self.otherKinds.contains(kind) { return }
        rendition = Rendition(
            url: url, width: wire.size("width"), height: wire.size("height"), bytes: wire.size("size"),
            frames: wire.size("frames"))
    }

    private static let otherKinds: Set<String> = ["webp", "mp4", "webm", "jpg", "jpeg", "png", "avif"]
}

extension Rating {
    /// Whether what is rated so may come; what is not rated, or in an unknown word, may.
    package func admits(_ word: String?) -> Bool {
        guard let word = word?.lowercased(), let other = Rating(rawValue: word) else { return true }
        return (Self.allCases.firstIndex(of: other) ?? 0) <= (Self.allCases.firstIndex(of: self) ?? 0)
    }
}
