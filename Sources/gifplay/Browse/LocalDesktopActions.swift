import Application
import Catalog
import FoundationEssentials
import Gallery
import Sharing

/// Saves GIFs, copies text and opens pages on the local desktop.
struct LocalDesktopActions: DesktopActions {
    let environment: [String: String]

    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(SharingError) -> String {
        guard let directory = DownloadDirectory.path(environment: environment) else { throw .noDownloadDirectory }
        // The download directory might not exist yet.
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return try SavedFile.write(bytes, title: reference.title, key: reference.key, in: directory)
    }

    func copy(_ text: String) async -> String {
        let clipboard = Clipboard(environment: environment)
        _ = await clipboard.copy(text)
        return clipboard.sequence(text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func open(_ address: String) async throws(SharingError) {
        try await LinkOpener(environment: environment).open(address)
    }
}

extension ErrorMessages {
    /// The gallery has these messages in all languages; messages outside the gallery are English.
    static func describe(_ error: SharingError) -> String { Language.english.sentence(error) }
}
