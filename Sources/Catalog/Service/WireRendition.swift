/// A rendition in the format of GIPHY and KLIPY. Its members are `url`, `width`, `height` and `size`. GIPHY adds
/// `frames`.
struct WireRendition: Decodable {
    /// Nil if the address is missing or invalid, or if its file extension belongs to a format other than GIF.
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
    /// Whether a GIF with the rating `word` is allowed if `self` is the upper limit. A missing or unknown rating is
    /// allowed.
    package func allows(_ word: String?) -> Bool {
        guard let word = word?.lowercased(), let other = Rating(rawValue: word) else { return true }
        return (Self.allCases.firstIndex(of: other) ?? 0) <= (Self.allCases.firstIndex(of: self) ?? 0)
    }
}
