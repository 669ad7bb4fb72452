import Catalog

/// The actions of the gallery outside the terminal: saving files, copying texts and opening links.
public protocol DesktopActions: Sendable {
    /// Writes the GIF to a new file in the download directory.
    /// - Returns: the path of the file.
    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(DesktopActionError) -> String

    /// Copies a text to the clipboards of the desktop, if there is a desktop.
    /// - Returns: the escape sequence that copies the text to the terminal's clipboard; can be empty.
    func copy(_ text: String) async -> String

    /// Opens an address in the user's web browser. Returns when the web browser has opened the address. If the web
    /// browser runs in the foreground, returns when the user has closed it.
    func open(_ address: String) async throws(DesktopActionError)
}

/// The reason why a desktop action failed.
public enum DesktopActionError: Error, Hashable, Sendable {
    /// The environment names no directory to save to.
    case noDownloadDirectory
    /// A file operation failed. `reason` is the message of the system.
    case system(path: String, reason: String)
    /// Files with this name and with all of its numbered variants already exist.
    case fileNameTaken(String)
    case notWebAddress
    /// There is no graphical display for a web browser.
    case noDisplay(link: String)
    /// None of these programs is installed.
    case notInstalled([String], link: String?)
    /// The program did not start. `reason` is the message of the system.
    case notStarted(program: String, reason: String)
    case programFailed(program: String, status: Int)
}
