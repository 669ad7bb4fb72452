import Application
import Catalog
import FoundationEssentials
import Gallery
import Sharing

/// Saves GIFs, copies text and opens pages on the local desktop.
struct Desk: GalleryDesk {
    let environment: [String: String]

    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(DeskError) -> String {
        guard let directory = DownloadDirectory.path(environment: environment) else {
            throw DeskError("neither HOME nor XDG_DOWNLOAD_DIR names a place to save to")
        }
        // The download directory may not exist yet.
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        do throws(SharingError) {
            return try SavedFile.write(bytes, title: reference.title, key: reference.key, in: directory)
        } catch {
            throw DeskError(Sentences.describe(error))
        }
    }

    func copy(_ text: String) async -> String {
        let clipboard = Clipboard(environment: environment)
        _ = await clipboard.copy(text)
        return clipboard.sequence(text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func open(_ address: String) async throws(DeskError) {
        do throws(SharingError) {
            try await Opener(environment: environment).open(address)
        } catch {
            throw DeskError(Sentences.describe(error))
        }
    }
}
