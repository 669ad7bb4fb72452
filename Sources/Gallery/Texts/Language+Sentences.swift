import Base
import Catalog
import Sharing

/// The sentences for messages and errors, short enough for a status line.
extension Language {
    public func sentence(_ message: GalleryMessage) -> String {
        switch message {
        case .saved(let path): self(en: "saved: \(path)", de: "gespeichert: \(path)")
        case .alreadySaved(let path): self(en: "already saved: \(path)", de: "schon gespeichert: \(path)")
        case .saveFailed(let error): notSaved(sentence(error))
        case .fetchFailed(let error): notSaved(sentence(error))
        case .savingForbidden(let source):
            self(en: "\(source) does not allow saving", de: "\(source) erlaubt kein Speichern")
        case .linkCopied: self(en: "link copied", de: "Link kopiert")
        case .addressCopied: self(en: "GIF URL copied", de: "GIF-Adresse kopiert")
        case .pathCopied: self(en: "path copied", de: "Pfad kopiert")
        case .copyFailed: self(en: "not copied: the link is too long", de: "nicht kopiert: der Link ist zu lang")
        case .opening: self(en: "opening in the browser…", de: "wird im Browser geöffnet …")
        case .opened: self(en: "opened in the browser", de: "im Browser geöffnet")
        case .openFailed(let error):
            self(en: "not opened: \(sentence(error))", de: "nicht geöffnet: \(sentence(error))")
        case .openingFolder: self(en: "opening the folder…", de: "Ordner wird geöffnet …")
        case .copiedInstead(true):
            self(en: "no file manager: path copied", de: "keine Dateiverwaltung: Pfad kopiert")
        case .copiedInstead(false): self(en: "no browser: link copied", de: "kein Browser: Link kopiert")
        case .alreadyLocal:
            self(en: "this file is already on this machine", de: "diese Datei ist schon auf diesem Rechner")
        case .notForFiles:
            self(en: "not for files, only for GIFs of a source", de: "nicht für Dateien, nur für GIFs einer Quelle")
        case .storeFailed(.locked(let path)): sentence(StoreError.locked(path: path))
        case .storeFailed(let error):
            self(en: "library error: \(sentence(error))", de: "Bibliotheksfehler: \(sentence(error))")
        case .keyRefused(let variable): keyRefused(variable)
        case .contactRequired:
            self(
                en: "Wikimedia limits requests without a contact; set 'contact' in the configuration",
                de: "Wikimedia begrenzt Anfragen ohne Kontakt; „contact“ in der Konfiguration eintragen")
        case .noConnection: self(en: "no connection", de: "keine Verbindung")
        case .saving: self(en: "saving…", de: "wird gespeichert …")
        default: actionSentence(message)
        }
    }

    /// The sentences about the user's last action.
    private func actionSentence(_ message: GalleryMessage) -> String {
        switch message {
        case .favourite(true): self(en: "added to favourites", de: "Favorit hinzugefügt")
        case .favourite(false): self(en: "removed from favourites", de: "Favorit entfernt")
        case .dismissed(let count): number(count) + self(en: "dismissed · u: undo", de: "ausgeblendet · u: rückgängig")
        case .restored(let count): number(count) + self(en: "restored", de: "wiederhergestellt")
        case .nothingToUndo: self(en: "nothing to undo", de: "nichts rückgängig zu machen")
        case .noPage: self(en: "this GIF has no page", de: "dieses GIF hat keine Seite")
        case .noURL: self(en: "this GIF has no URL", de: "dieses GIF hat keine Adresse")
        case .first: self(en: "first GIF", de: "erstes GIF")
        case .last: self(en: "last GIF", de: "letztes GIF")
        case .unknownKey(let character):
            (character.map { "\($0): " } ?? "")
                + self(en: "no command · press / to search", de: "kein Befehl · zum Suchen / drücken")
        case .drawing(let name): name
        case .loadingMore: self(en: "loading more…", de: "lädt weitere …")
        case .sharperPictures: self(en: "m: sharper pictures", de: "m: schärfere Bilder")
        default: ""
        }
    }

    private func number(_ count: Int) -> String { count == 1 ? "" : "\(count) " }

    private func notSaved(_ reason: String) -> String {
        self(en: "not saved: \(reason)", de: "nicht gespeichert: \(reason)")
    }

    private func keyRefused(_ variable: String) -> String {
        self(en: "the key in \(variable) was refused", de: "Schlüssel in \(variable) abgelehnt")
    }

    private var cancelled: String { self(en: "cancelled", de: "abgebrochen") }

    /// The `reason` of an error is not translated, because the database or the system always provides it in English.
    private func sentence(_ error: StoreError) -> String {
        switch error {
        case .cannotOpen(let path, let reason), .damaged(let path, let reason): "\(path): \(reason)"
        case .failed(let reason): reason
        case .locked:
            self(
                en: "library in use by another program; not stored yet, trying again",
                de: "ein anderes Programm nutzt die Bibliothek; noch nicht gespeichert, neuer Versuch")
        case .tooNew(let path):
            self(en: "\(path) was written by a newer gifplay", de: "\(path) stammt von einer neueren Version")
        }
    }
}

// MARK: - Saving, copying and opening

extension Language {
    public func sentence(_ error: SharingError) -> String {
        switch error {
        case .noDownloadDirectory:
            self(en: "neither HOME nor XDG_DOWNLOAD_DIR is set", de: "weder HOME noch XDG_DOWNLOAD_DIR ist gesetzt")
        case .system(_, let path, let code): "\(path): \(SystemError.message(code))"
        case .noFreeName(let name):
            self(
                en: "\(name): this name and all numbered names are in use",
                de: "\(name): dieser Name und alle nummerierten Namen sind vergeben")
        case .notWebAddress: self(en: "not an http or https URL", de: "keine HTTP- oder HTTPS-Adresse")
        case .noDisplay(let path) where path.hasPrefix("/"):
            self(en: "no display for a file manager", de: "kein Bildschirm für eine Dateiverwaltung")
        case .noDisplay(let link):
            self(en: "no display for a browser", de: "kein Bildschirm für einen Browser") + linkToOpen(link)
        case .noProgram(let tried, let link):
            tried.joined(separator: ", ") + self(en: ": not installed", de: ": nicht installiert")
                + (link.map(linkToOpen) ?? "")
        case .notStarted(let program, let reason):
            self(en: "\(program) cannot be started: \(reason)", de: "\(program) kann nicht gestartet werden: \(reason)")
        case .programFailed(let program, let status):
            self(
                en:
                    "\(program) failed with status \(status); set BROWSER to your browser, or press 'y' to copy the link",
                de: "\(program) endete mit Status \(status); BROWSER setzen oder den Link mit y kopieren")
        }
    }

    private func linkToOpen(_ link: String) -> String {
        link.hasPrefix("/") ? "" : self(en: "; the link is \(link)", de: "; der Link ist \(link)")
    }
}

// MARK: - Files and listings

extension Language {
    func sentence(_ error: MediaError) -> String {
        switch error {
        case .cancelled: cancelled
        case .transport(let error): sentence(error)
        case .status(404, _), .status(410, _): self(en: "no longer available", de: "nicht mehr verfügbar")
        case .status(let status, _): refusal(status, nil)
        case .notGIF: self(en: "not a GIF", de: "kein GIF")
        case .incomplete: self(en: "incomplete file", de: "Datei unvollständig")
        case .tooLarge: self(en: "file over 64 MiB", de: "Datei über 64 MiB")
        case .cacheFailed: self(en: "media cache error", de: "Zwischenspeicher nicht nutzbar")
        case .noAddress: self(en: "only title and link stored", de: "nur Titel und Link gespeichert")
        case .notCached: self(en: "not cached, and offline", de: "ohne Netz nicht verfügbar")
        case .notAnimated: self(en: "not animated", de: "nicht animiert")
        case .unreadable(let reason): self(en: "cannot be read: \(reason)", de: "nicht lesbar: \(reason)")
        }
    }

    /// - Parameter title: returns the display name of a source.
    func sentence(_ error: CatalogError, title: (String) -> String) -> String {
        switch error {
        case .transport(let error): return sentence(error)
        case .refused(let status, _, let wait): return refusal(status, wait)
        case .notJSON: return self(en: "invalid response", de: "ungültige Antwort")
        case .api(_, let message, let wait):
            return waiting(self(en: "error: \(message)", de: "Fehler: \(message)"), wait)
        case .outage: return self(en: "unavailable", de: "nicht verfügbar")
        case .noKey(let variable):
            return self(en: "needs a key: \(variable)", de: "Schlüssel erforderlich: \(variable)")
        case .keyRefused(let variable, _): return keyRefused(variable)
        case .coolingDown(let seconds) where seconds > 0:
            return waiting(self(en: "paused after an error", de: "Pause nach Fehler"), seconds)
        case .coolingDown: return self(en: "ready to retry", de: "wieder bereit")
        case .nothingFound: return self(en: "no playable GIFs", de: "keine abspielbaren GIFs")
        case .notOffered: return self(en: "feed not available", de: "Liste nicht verfügbar")
        case .foreignPage(let source):
            let title = title(source)
            return self(en: "this page of results is from \(title)", de: "diese Ergebnisseite ist von \(title)")
        case .link(let message): return message
        case .outOfTime: return self(en: "not queried in time", de: "nicht rechtzeitig abgefragt")
        case .unknownSource(let name, let known):
            let known = known.joined(separator: ", ")
            return self(
                en: "unknown source \(name); the sources are \(known)",
                de: "unbekannte Quelle \(name); die Quellen sind \(known)")
        case .cancelled: return cancelled
        case .exhausted(let failures):
            guard let failure = Self.mostInformative(failures) else { return nothingHere }
            return title(failure.source) + ": " + sentence(failure.reason, title: title)
        }
    }

    var nothingHere: String { self(en: "nothing here", de: "hier ist nichts") }

    /// Returns the most informative failure: the first error of a source that was queried, or else the first failure
    /// other than "nothing found", or else the first failure.
    private static func mostInformative(_ failures: [SourceFailure]) -> SourceFailure? {
        let broken = failures.first { failure in
            switch failure.reason {
            case .noKey, .notOffered, .nothingFound, .outOfTime, .cancelled, .foreignPage: false
            default: true
            }
        }
        return broken ?? failures.first { !$0.reason.meansNothingFound } ?? failures.first
    }

    private func sentence(_ error: HTTPError) -> String {
        switch error {
        case .unreachable: self(en: "server cannot be reached", de: "Server nicht erreichbar")
        case .timedOut, .tooSlow: self(en: "server timed out", de: "Server antwortet nicht")
        case .tooLarge(_, let limit):
            self(
                en: "response over the \(limit >> 20) MiB limit",
                de: "Antwort über der Grenze von \(limit >> 20) MiB")
        case .responseRefused: self(en: "response refused", de: "Antwort abgelehnt")
        case .invalidURL: self(en: "invalid URL", de: "ungültige Adresse")
        case .cancelled: cancelled
        }
    }

    private func refusal(_ status: Int, _ seconds: Int?) -> String {
        switch status {
        case 429: waiting(self(en: "too many requests", de: "zu viele Anfragen"), seconds)
        case 401, 403: self(en: "access denied (\(status))", de: "Zugriff verweigert (\(status))")
        case 500...: waiting(self(en: "server error (\(status))", de: "Serverfehler (\(status))"), seconds)
        default: self(en: "HTTP \(status)", de: "HTTP-Status \(status)")
        }
    }

    private func waiting(_ reason: String, _ seconds: Int?) -> String {
        guard let seconds, seconds > 0 else { return reason }
        return reason + self(en: "; retry \(wait(seconds))", de: "; erneut \(wait(seconds))")
    }

    /// Returns the text for a waiting time. Rounds up, so that a retry after the displayed time is not too early.
    private func wait(_ seconds: Int) -> String {
        switch seconds {
        case ..<90: self(en: "in \(seconds) s", de: "in \(seconds) Sek.")
        case ..<5400: self(en: "in \((seconds - 1) / 60 + 1) min", de: "in \((seconds - 1) / 60 + 1) Min.")
        default: self(en: "in \((seconds - 1) / 3600 + 1) h", de: "in \((seconds - 1) / 3600 + 1) Std.")
        }
    }
}
