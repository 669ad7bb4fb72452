import Base

/// Why a GIF was not saved, or why a text or a link was not passed to a program.
extension Failure {
    public static let noDownloadDirectory = Failure(
        .other, "neither HOME nor XDG_DOWNLOAD_DIR is set", de: "weder HOME noch XDG_DOWNLOAD_DIR ist gesetzt")

    /// A system call failed; no part of a file remains.
    public static func notSaved(_ failure: Failure, in folder: String) -> Failure {
        Failure(failure.kind, "\(failure.message) (\(SafeText.path(folder)))")
    }

    /// All numbered variants of this name already exist.
    public static func noFreeName(_ name: String) -> Failure {
        Failure(
            .other, "\(name): this name and all numbered names are in use",
            de: "\(name): dieser Name und alle nummerierten Namen sind vergeben")
    }

    /// The link is not a web address, so it is not passed to any program.
    public static let notWebAddress = Failure(.other, "not an http or https URL", de: "keine HTTP- oder HTTPS-Adresse")

    /// There is no display, for example over SSH.
    /// - Parameter link: nil for a folder; else the user must open the link.
    public static func noDisplay(link: String?) -> Failure {
        link.map { noProgram("no display for a browser", "kein Bildschirm für einen Browser", link: $0) }
            ?? noProgram("no display for a file manager", "kein Bildschirm für eine Dateiverwaltung", link: nil)
    }

    /// None of these programs is in PATH.
    public static func noProgram(tried: [String], link: String?) -> Failure {
        let names = tried.joined(separator: ", ")
        return noProgram("\(names): not installed", "\(names): nicht installiert", link: link)
    }

    private static func noProgram(_ english: String, _ german: String, link: String?) -> Failure {
        let (hint, germanHint) = link.map { ("; the link is \($0)", "; der Link ist \($0)") } ?? ("", "")
        return Failure(.noProgram, english + hint, de: german + germanHint)
    }

    public static func notStarted(program: String, reason: String) -> Failure {
        Failure(
            .other, "\(program) cannot be started: \(reason)", de: "\(program) kann nicht gestartet werden: \(reason)")
    }

    /// - Parameter status: the exit status, or 128 plus the number of the signal that ended the program.
    public static func programFailed(program: String, status: Int32) -> Failure {
        Failure(
            .other,
            "\(program) failed with status \(status); set BROWSER to your browser, or press 'y' to copy the link",
            de: "\(program) endete mit Status \(status); BROWSER setzen oder den Link mit y kopieren")
    }

    /// The program did not end in time and was killed.
    public static func noAnswer(program: String) -> Failure {
        Failure(.timedOut, "\(program) does not answer", de: "\(program) antwortet nicht")
    }
}
