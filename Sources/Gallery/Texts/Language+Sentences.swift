import Base
import Catalog
import Library

/// The sentences for messages and errors, short enough for a status line.
extension Language {
    public func sentence(_ message: GalleryMessage) -> String {
        switch message {
        case .saved(let path): self(en: "saved \(SafeText.path(path))", de: "gespeichert: \(SafeText.path(path))")
        case .alreadySaved(let path):
            self(en: "already saved: \(SafeText.path(path))", de: "schon gespeichert: \(SafeText.path(path))")
        case .saveFailed(let error), .fetchFailed(let error): notSaved(self(error))
        case .savingForbidden(let source):
            self(en: "\(source) does not allow saving", de: "\(source) erlaubt kein Speichern")
        case .opening: self(en: "opening in the browser…", de: "wird im Browser geöffnet …")
        case .opened: self(en: "opened in the browser", de: "im Browser geöffnet")
        case .openFailed(let error):
            self(en: "not opened: \(self(error))", de: "nicht geöffnet: \(self(error))")
        case .openingFolder: self(en: "opening the folder…", de: "Ordner wird geöffnet …")
        case .copiedInstead(true):
            self(en: "no file manager: path copied", de: "keine Dateiverwaltung: Pfad kopiert")
        case .copiedInstead(false): self(en: "no browser: link copied", de: "kein Browser: Link kopiert")
        case .alreadyLocal:
            self(en: "this file is already on this machine", de: "diese Datei ist schon auf diesem Rechner")
        case .notForFiles:
            self(en: "only for GIFs of a source", de: "nur für GIFs einer Quelle")
        case .storeFailed(let error) where error.kind == .locked: self(error)
        case .storeFailed(let error):
            self(en: "library error: \(self(error))", de: "Bibliotheksfehler: \(self(error))")
        case .keyRefused(let variable): self(Failure.keyRefused(variable: variable, message: nil))
        case .contactRequired:
            self(
                en: "Wikimedia limits requests without a contact; set --contact in the configuration",
                de: "Wikimedia begrenzt Anfragen ohne Kontakt; „--contact“ in der Konfiguration eintragen")
        case .noConnection where CurlHTTPClient.isMissing:
            self(en: CurlHTTPClient.advice, de: "das Paket libcurl4 installieren")
        case .noConnection: self(en: "no network", de: "kein Netz")
        case .saving: self(en: "saving…", de: "wird gespeichert …")
        default: actionSentence(message)
        }
    }

    /// The sentences about the user's last action.
    private func actionSentence(_ message: GalleryMessage) -> String {
        switch message {
        case .sorted(.time): self(en: "newest first", de: "neueste zuerst")
        case .sorted(.size): self(en: "largest first", de: "größte zuerst")
        case .sorted: self(en: "sorted by name", de: "nach Namen sortiert")
        case .favourite(true, let count):
            number(count) + self(en: "added to favourites", de: "Favorit\(count.ending("en")) hinzugefügt")
        case .favourite(false, let count):
            number(count) + self(en: "removed from favourites", de: "Favorit\(count.ending("en")) entfernt")
        case .dismissed(let count): number(count) + self(en: "dismissed · u: undo", de: "ausgeblendet · u: rückgängig")
        case .restored(let count): number(count) + self(en: "restored", de: "wiederhergestellt")
        case .nothingToUndo: self(en: "nothing to undo", de: "nichts rückgängig zu machen")
        case .noPage: self(en: "this GIF has no page", de: "dieses GIF hat keine Seite")
        case .noURL: self(en: "this GIF has no URL", de: "dieses GIF hat keine Adresse")
        case .unprintableName:
            self(en: "control character in the name; rename it first", de: "Steuerzeichen im Namen; erst umbenennen")
        case .first: self(en: "first GIF", de: "erstes GIF")
        case .last: self(en: "last GIF", de: "letztes GIF")
        case .unknownKey(let character):
            (character.map { "\($0): " } ?? "")
                + self(en: "no command · press / to search", de: "kein Befehl · zum Suchen / drücken")
        case .drawing(let name): name
        case .openerRuns: self(en: "program started · y: copy the link", de: "Programm gestartet · y: Link kopieren")
        case .askedRecently:
            self(
                en: "asked less than a minute ago; try later",
                de: "vor weniger als einer Minute abgefragt; später versuchen")
        case .loadingMore: self(en: "loading more…", de: "lädt weitere …")
        case .sharperPictures: self(en: "m: sharper pictures", de: "m: schärfere Bilder")
        case .tooNarrowForSide:
            self(en: "v needs \(Pane.minColumnsForSide) columns", de: "v braucht \(Pane.minColumnsForSide) Spalten")
        default: copySentence(message)
        }
    }

    /// The sentences about copies and about several GIFs.
    private func copySentence(_ message: GalleryMessage) -> String {
        switch message {
        case .severalSaved(let count, let total):
            self(en: "\(count) of \(total) saved", de: "\(count) von \(total) gespeichert")
        case .linkCopied: self(en: "link copied", de: "Link kopiert")
        case .addressCopied: self(en: "GIF URL copied", de: "GIF-Adresse kopiert")
        case .pathCopied: self(en: "path copied", de: "Pfad kopiert")
        case .severalCopied(let count): self(en: "\(count) copied", de: "\(count) kopiert")
        case .copyFailed: self(en: "not copied: the link is too long", de: "nicht kopiert: der Link ist zu lang")
        case .fileCopied(let path): self(en: "copied: \(SafeText.path(path))", de: "kopiert: \(SafeText.path(path))")
        case .pathCopiedInstead(let path, let isRemote, let count):
            (isRemote
                ? self(en: "over ssh, ", de: "Terminal anderswo, ")
                : self(en: "no clipboard for files, ", de: "keine Ablage für Dateien, "))
                + (count == 1
                    ? self(en: "path copied: ", de: "Pfad kopiert: ") + SafeText.path(path)
                    : self(en: "\(count) paths copied", de: "\(count) Pfade kopiert"))
        case .copiedByTerminal(let failed):
            self(en: "sent to the terminal; failed: ", de: "ans Terminal geschickt; fehlgeschlagen: ")
                + failed.joined(separator: ", ")
        default: ""
        }
    }

    private func number(_ count: Int) -> String { count == 1 ? "" : "\(count) " }

    private func notSaved(_ reason: String) -> String {
        self(en: "not saved: \(reason)", de: "nicht gespeichert: \(reason)")
    }
}

// MARK: - Files and listings

extension Language {
    /// - Parameter title: returns the display name of a source.
    public func sentence(_ error: Failure, title: (String) -> String) -> String {
        guard case .exhausted(let failures) = error.kind else { return self(error) }
        guard let failure = Self.mostInformative(failures) else { return nothingHere }
        return title(failure.source) + ": " + sentence(failure, title: title)
    }

    var nothingHere: String { self(en: "nothing here", de: "hier ist nichts") }

    /// Returns the most informative failure: the first error of a source that was queried, or else the first failure
    /// other than "nothing found", or else the first failure.
    private static func mostInformative(_ failures: [Failure]) -> Failure? {
        failures.first { !$0.isNoProblem && ![.outOfTime, .cancelled].contains($0.kind) }
            ?? failures.first { !$0.meansNothingFound } ?? failures.first
    }
}

/// Texts about feeds and GIFs.
extension Language {
    private static let day = 86_400

    /// Returns the text for an age in seconds. The age is negative if the clock is behind.
    public func age(_ seconds: Int) -> String {
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
    public func name(of feed: Feed, title: (String) -> String) -> String {
        switch feed {
        case .trending(nil): self(en: "Trending", de: "Beliebt")
        case .random: self(en: "Random", de: "Zufall")
        case .trending(SampleRepository.name): self(en: "Built-in", de: "Eingebaut")
        case .trending(.some(let source)): title(source)
        case .files(""): title(GIFReference.fileProvider)
        case .search(let text), .files(let text): self(en: "“\(SafeText.line(text))”", de: "„\(SafeText.line(text))“")
        case .favourites: self(en: "★ Favourites", de: "★ Favoriten")
        case .history: self(en: "History", de: "Verlauf")
        case .dismissed: self(en: "Dismissed", de: "Ausgeblendet")
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
        let parts = reference.licence.map { [reference.author ?? "", $0] } ?? [reference.credit]
        let known = parts.map { SafeText.line($0) }.filter { !$0.isEmpty }
        let isNamed = known.contains { $0.lowercased().contains(source.lowercased()) }
        return isNamed ? known : known + [SafeText.line(source)]
    }

    public var untitled: String { self(en: "untitled", de: "ohne Titel") }

    /// Returns size, age and number of comments of a GIF, as far as they are known.
    public func facts(of reference: GIFReference, at seconds: Int) -> [String] {
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
