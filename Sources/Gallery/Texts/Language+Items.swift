import Base
import Catalog

/// Texts about feeds and GIFs.
extension Language {
    private static let day = 86_400

    /// Returns the text for an age in seconds. The age is negative if the clock is behind.
    func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: self(en: "just now", de: "gerade eben")
        case ..<3600: ago(seconds / 60, "minute", "Minute", ending: "n")
        case ..<Self.day: ago(seconds / 3600, "hour", "Stunde", ending: "n")
        default: ageInDays(seconds / Self.day)
        }
    }

    private func ageInDays(_ days: Int) -> String {
        switch days {
        case ..<14: ago(days, "day", "Tag", ending: "en")
        case ..<61: ago(days / 7, "week", "Woche", ending: "n")
        case ..<365: ago(days / 30, "month", "Monat", ending: "en")
        default: ago(days / 365, "year", "Jahr", ending: "en")
        }
    }

    /// - Parameter ending: that of the German plural.
    private func ago(_ count: Int, _ english: String, _ german: String, ending: String) -> String {
        self(en: "\(count) \(english)\(count.ending("s")) ago", de: "vor \(count) \(german)\(count.ending(ending))")
    }

    /// Returns the text for the time from the publication of a GIF until now. Both are in seconds since 1970. Midnight
    /// UTC counts as a date without a time, because some sources know only the date.
    func age(of posted: Int, at seconds: Int) -> String {
        guard posted % Self.day == 0 else {
            let (age, overflow) = seconds.subtractingReportingOverflow(posted)
            return self.age(posted >= seconds ? 0 : overflow ? .max : age)
        }
        let days = seconds / Self.day - posted / Self.day
        if days <= 0 { return self(en: "today", de: "heute") }
        return days == 1 ? self(en: "yesterday", de: "gestern") : ageInDays(days)
    }

    /// Returns the name of a feed, which does not depend on the items.
    /// - Parameter title: returns the display name of a source.
    func name(of feed: Feed, title: (String) -> String) -> String {
        switch feed {
        case .trending(nil): self(en: "Trending", de: "Beliebt")
        case .random: self(en: "Random", de: "Zufall")
        case .trending(SampleRepository.name): self(en: "Built-in", de: "Eingebaut")
        case .trending(.some(let source)): title(source)
        case .files(""): title(GIFReference.fileProvider)
        case .search(let text), .files(let text): self(en: "“\(SafeText.line(text))”", de: "„\(SafeText.line(text))“")
        case .favourites: self(en: "★ Favourites", de: "★ Favoriten")
        case .history: self(en: "History", de: "Verlauf")
        case .community(let name): "r/" + SafeText.line(name)
        }
    }

    /// Returns the attribution, which is empty or in the words of the source, except that of a built-in sample.
    func attribution(of reference: GIFReference) -> String {
        guard reference.cachePolicy == .embedded, reference.path == nil else {
            return SafeText.line(reference.attribution)
        }
        return self(en: "built-in", de: "eingebaut")
    }

    /// Returns author, licence and source, or the parts of an attribution without a licence; the folder of a file.
    /// - Parameter source: the display name of the source.
    func credit(of reference: GIFReference, source: String) -> [String] {
        if let path = reference.path { return [SafeText.line(FileSystem.parent(of: path))] }
        if reference.cachePolicy == .embedded { return [attribution(of: reference)] }
        let parts = reference.licence.map { [reference.author ?? "", $0] } ?? [reference.creditLine.credit]
        let known = parts.map { SafeText.line($0) }.filter { !$0.isEmpty }
        let isNamed = known.contains { $0.lowercased().contains(source.lowercased()) }
        return isNamed ? known : known + [SafeText.line(source)]
    }

    var untitled: String { self(en: "untitled", de: "ohne Titel") }

    /// Returns author, source, community and licence of a GIF and its facts, as far as they are known.
    /// - Parameters:
    ///   - source: the display name of the source.
    ///   - seconds: the current time in seconds since 1970.
    func details(of reference: GIFReference, source: String, at seconds: Int) -> [String] {
        let author = SafeText.line(reference.author ?? "")
        let origin: [String?] = [
            author.isEmpty ? nil : self(en: "by \(author)", de: "von \(author)"), SafeText.line(source),
            reference.community.map { SafeText.line($0) }, reference.licence.map { SafeText.line($0) },
        ]
        return origin.compactMap(\.self).filter { !$0.isEmpty } + facts(of: reference, at: seconds)
    }

    /// Returns size, age and number of comments of a GIF, as far as they are known.
    func facts(of reference: GIFReference, at seconds: Int) -> [String] {
        let largest = reference.renditions.max { ($0.width ?? 0) < ($1.width ?? 0) }
        let pixels = largest?.width.flatMap { width in largest?.height.map { "\(width)×\($0)" } }
        let facts: [String?] = [
            [pixels, largest?.bytes.map(bytes)].compactMap(\.self).joined(separator: " "),
            reference.posted.map { age(of: $0, at: seconds) },
            reference.comments.map {
                self(en: "\($0) comment\($0.ending("s"))", de: "\($0) Kommentar\($0.ending("e"))")
            },
        ]
        return facts.compactMap(\.self).filter { !$0.isEmpty }
    }
}
