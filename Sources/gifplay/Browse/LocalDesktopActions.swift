import Base
import Catalog
import FoundationEssentials
import Gallery
import Sharing

/// Saves GIFs, copies text and opens pages on the local desktop.
struct LocalDesktopActions: DesktopActions {
    let environment: [String: String]

    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(DesktopActionError) -> String {
        guard let directory = DownloadDirectory.path(environment: environment) else {
            throw .noDownloadDirectory
        }
        // The download directory might not exist yet.
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        do throws(SharingError) {
            return try SavedFile.write(bytes, title: reference.title, key: reference.key, in: directory)
        } catch {
            throw DesktopActionError(error)
        }
    }

    func copy(_ text: String) async -> String {
        let clipboard = Clipboard(environment: environment)
        _ = await clipboard.copy(text)
        return clipboard.sequence(text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func open(_ address: String) async throws(DesktopActionError) {
        do throws(SharingError) {
            try await LinkOpener(environment: environment).open(address)
        } catch {
            throw DesktopActionError(error)
        }
    }
}

extension DesktopActionError {
    fileprivate init(_ error: SharingError) {
        switch error {
        case .system(_, let path, let code): self = .system(path: path, reason: SystemError.message(code))
        case .noFreeName(let name): self = .fileNameTaken(name)
        case .notWebAddress: self = .notWebAddress
        case .noDisplay(let link): self = .noDisplay(link: link)
        case .noProgram(let tried, let link): self = .notInstalled(tried, link: link)
        case .notStarted(let program, let reason): self = .notStarted(program: program, reason: reason)
        case .programFailed(let program, let status): self = .programFailed(program: program, status: Int(status))
        }
    }
}
