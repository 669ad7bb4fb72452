import Catalog

/// The actions of the gallery outside the terminal: saving files, copying texts and opening links.
public protocol GalleryDesk: Sendable {
    /// Writes the GIF to a new file in the download directory.
    /// - Returns: the path of the file.
    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(DeskError) -> String

    /// Copies a text to the clipboards of the desktop, if there is a desktop.
    /// - Returns: the escape sequence that copies the text to the terminal's clipboard; may be empty.
    func copy(_ text: String) async -> String

    /// Opens an address in the user's browser. Returns when the browser has opened it or, if the browser runs in the
    /// foreground, when the user has closed the browser.
    func open(_ address: String) async throws(DeskError)
}

/// The reason why a desktop action failed, as a sentence.
public struct DeskError: Error, Equatable, Sendable {
    public var reason: String

    public init(_ reason: String) {
        self.reason = reason
    }
}
