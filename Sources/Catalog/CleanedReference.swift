import Base

/// Sanitizes references from a file or a database, so that they fulfil the guarantees of ``GIFReference``.
extension GIFReference {
    /// Nil if `provider` or `id` is invalid. Lists are truncated to a maximum that no service reaches. Renditions with
    /// an invalid address are removed.
    public func cleaned() -> GIFReference? {
        guard Self.isName(provider), Self.isName(id) else { return nil }
        var clean = self
        clean.title = Self.line(title) ?? ""
        clean.pageURL = pageURL.flatMap(Self.cleanedAddress)
        clean.author = author.flatMap(Self.line)
        clean.licence = licence.flatMap(Self.line)
        clean.licenceURL = licenceURL.flatMap(Self.cleanedAddress)
        clean.attribution = Self.line(attribution) ?? ""
        clean.rating = rating.flatMap(Self.line)
        clean.tags = tags.prefix(100).compactMap(Self.line)
        clean.posted = Int(outside: posted, in: 0...Int.latestTime)
        clean.comments = Int(outside: comments, in: 0...Int.outsideRange.upperBound)
        clean.community = community.flatMap(Self.line)
        clean.renditions = renditions.prefix(50).compactMap { $0.cleaned() }
        return clean
    }

    /// Whether a text is valid as a `provider` or an `id`. These texts are checked but not cleaned, because cleaning
    /// could make two different texts equal.
    private static func isName(_ text: String) -> Bool { !text.isEmpty && line(text) == text }

    private static func line(_ text: String) -> String? {
        let clean = SafeText.shortened(SafeText.line(text), to: LenientObject.textLimit)
        return clean.isEmpty ? nil : clean
    }

    fileprivate static func cleanedAddress(_ text: String) -> String? {
        guard text.utf8.count <= 4096 else { return nil }
        guard text.hasPrefix("sample:") else { return WebAddress.checked(text) }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let name = text.utf8.dropFirst("sample:".utf8.count)
        let isPlain = name.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
        return isPlain && !name.isEmpty ? text : nil
    }
}

extension Rendition {
    /// Nil if the file's own address is invalid.
    func cleaned() -> Rendition? {
        guard let url = GIFReference.cleanedAddress(url) else { return nil }
        let size: (Int) -> Int? = { Int(outside: $0, in: 1...Int.outsideRange.upperBound) }
        return Rendition(
            url: url, alternatives: alternatives.prefix(20).compactMap(GIFReference.cleanedAddress),
            width: width.flatMap(size), height: height.flatMap(size), bytes: bytes.flatMap(size),
            frames: frames.flatMap(size), mayBeStill: mayBeStill)
    }
}
