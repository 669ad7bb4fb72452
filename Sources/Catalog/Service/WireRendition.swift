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

/// The day of a service's date and time.
enum DayText {
    /// The first ten characters where they are a day; nil for GIPHY's `0000-00-00`.
    static func day(_ text: String?) -> String? {
        guard let day = text?.prefix(10), day.count == 10, day != "0000-00-00", day != "1970-01-01" else { return nil }
        let parts = day.split(separator: "-", omittingEmptySubsequences: false).map { (Int($0), $0.utf8.count) }
        guard parts.map(\.1) == [4, 2, 2], parts.allSatisfy({ $0.0 != nil }) else { return nil }
        return String(day)
    }
}

extension Rating {
    /// Whether what is rated so may come; what is not rated, or in an unknown word, may.
    func admits(_ word: String?) -> Bool {
        guard let word = word?.lowercased(), let other = Rating(rawValue: word) else { return true }
        return (Self.allCases.firstIndex(of: other) ?? 0) <= (Self.allCases.firstIndex(of: self) ?? 0)
    }
}
