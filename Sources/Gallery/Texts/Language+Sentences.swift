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
        case .storeFailed(.locked(let path)): self(StoreError.locked(path: path))
        case .storeFailed(let error):
            self(en: "library error: \(self(error))", de: "Bibliotheksfehler: \(self(error))")
        case .keyRefused(let variable): self(CatalogError.keyRefused(variable: variable, message: nil))
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
        case .cancelled: self(HTTPError.cancelled)
        case .transport(let error): self(error)
        case .status(404, _), .status(410, _): self(en: "no longer available", de: "nicht mehr verfügbar")
        case .status(let status, _): self(ErrorText(status: status))
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
        case .foreignPage(let source): return self(CatalogError.foreignPage(source: title(source)))
        case .exhausted(let failures):
            guard let failure = Self.mostInformative(failures) else { return nothingHere }
            return title(failure.source) + ": " + sentence(failure.reason, title: title)
        default: return self(error)
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
}
