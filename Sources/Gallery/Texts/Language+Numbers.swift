import Catalog

/// Texts for ages, waiting times and sizes.
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

    /// Returns the text for a waiting time. Rounds up, so that a retry after the displayed time is not too early.
    func wait(_ seconds: Int) -> String {
        switch seconds {
        case ..<90: return self(en: "in \(seconds) s", de: "in \(seconds) Sek.")
        case ..<5400:
            let n = (seconds - 1) / 60 + 1
            return self(en: "in \(n) min", de: "in \(n) Min.")
        default:
            let n = (seconds - 1) / 3600 + 1
            return self(en: "in \(n) h", de: "in \(n) Std.")
        }
    }

    /// Returns the text for a file size in bytes.
    func bytes(_ count: Int) -> String { ByteSize.file(count, decimalMark: self(en: ".", de: ",")) }
}
