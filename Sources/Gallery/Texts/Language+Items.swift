import Base
import Catalog

/// Texts about feeds and GIFs.
extension Language {
    private static let day = 86_400

    /// Returns the text for an age in seconds. The age is negative if the clock is behind.
    func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: return self(en: "just now", de: "gerade eben")
        case ..<3600:
            let n = seconds / 60
            return self(en: "\(n) minute\(n.ending("s")) ago", de: "vor \(n) Minute\(n.ending("n"))")
        case ..<Self.day:
            let n = seconds / 3600
            return self(en: "\(n) hour\(n.ending("s")) ago", de: "vor \(n) Stunde\(n.ending("n"))")
        default: return ageInDays(seconds / Self.day)
        }
    }

    private func ageInDays(_ days: Int) -> String {
        switch days {
        case ..<14: return self(en: "\(days) day\(days.ending("s")) ago", de: "vor \(days) Tag\(days.ending("en"))")
        case ..<61:
            let n = days / 7
            return self(en: "\(n) week\(n.ending("s")) ago", de: "vor \(n) Woche\(n.ending("n"))")
        case ..<365:
            let n = days / 30
            return self(en: "\(n) month\(n.ending("s")) ago", de: "vor \(n) Monat\(n.ending("en"))")
        default:
            let n = days / 365
            return self(en: "\(n) year\(n.ending("s")) ago", de: "vor \(n) Jahr\(n.ending("en"))")
        }
    }

    /// Returns the text for the time from the publication of a GIF until now. Both are in seconds since 1970. A
    /// publication at midnight UTC is treated as a date without a time, because sources that know only the date report
    /// midnight.
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

    var untitled: String { self(en: "untitled", de: "ohne Titel") }

    /// Returns the author, source, community, licence, size, age and number of comments of a GIF, without the unknown
    /// ones.
    /// - Parameters:
    ///   - source: the display name of the source.
    ///   - seconds: the current time in seconds since 1970.
    func details(of reference: GIFReference, source: String, at seconds: Int) -> [String] {
        let author = SafeText.line(reference.author ?? "")
        let largest = reference.renditions.max { ($0.width ?? 0) < ($1.width ?? 0) }
        let pixels = largest?.width.flatMap { width in largest?.height.map { "\(width)×\($0)" } }
        let details: [String?] = [
            author.isEmpty ? nil : self(en: "by \(author)", de: "von \(author)"), SafeText.line(source),
            reference.community.map(SafeText.line), reference.licence.map(SafeText.line),
            [pixels, largest?.bytes.map(bytes)].compactMap(\.self).joined(separator: " "),
            reference.posted.map { age(of: $0, at: seconds) },
            reference.comments.map {
                self(en: "\($0) comment\($0.ending("s"))", de: "\($0) Kommentar\($0.ending("e"))")
            },
        ]
        return details.compactMap(\.self).filter { !$0.isEmpty }
    }
}
