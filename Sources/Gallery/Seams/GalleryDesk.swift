import Catalog

/// What the gallery does for its user outside the terminal.
public protocol GalleryDesk: Sendable {
    /// Writes the GIF into the download directory under a name of its own.
    /// - Returns: the path.
    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(DeskError) -> String

    /// Gives a text to the clipboards of the desktop, where there is one.
    /// - Returns: what the terminal must be sent for its own clipboard.
    func copy(_ text: String) async -> String

    /// Shows an address in the user's browser; returns when that has succeeded, or when the browser was closed.
    func open(_ address: String) async throws(DeskError)
}

/// Why it could not be done, in a sentence.
public struct DeskError: Error, Equatable, Sendable {
    public var reason: String

    public init(_ reason: String) {
        self.reason = reason
    }
}
