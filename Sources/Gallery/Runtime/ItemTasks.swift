import Base
import Catalog
import Playback
import Sharing

/// Performs the actions on a GIF that work outside the screen, for the gallery and for the player.
public struct ItemTasks: Sendable {
    let media: any MediaSource
    let desktop: any DesktopActions
    let seconds: @Sendable () -> Int
    let report: @Sendable (GalleryMessage) -> Void
    /// Sends an escape sequence to the terminal.
    let send: @Sendable (String) -> Void

    public init(
        media: any MediaSource, desktop: any DesktopActions, seconds: @escaping @Sendable () -> Int,
        report: @escaping @Sendable (GalleryMessage) -> Void, send: @escaping @Sendable (String) -> Void
    ) {
        (self.media, self.desktop, self.seconds, self.report, self.send) = (media, desktop, seconds, report, send)
    }

    /// - Returns: the path of the file; nil if the GIF was not saved.
    @discardableResult
    public func save(_ reference: GIFReference) async -> String? {
        let bytes: [UInt8]
        do throws(MediaError) {
            bytes = try await media.bytes(
                of: reference, filling: .init(width: 1, height: 1), isOriginal: true, arrived: { _ in })
        } catch {
            if error != .cancelled { report(.fetchFailed(error)) }
            return nil
        }
        do throws(SharingError) {
            let file = try await desktop.save(bytes, of: reference)
            report(file.isNew ? .saved(path: file.path) : .alreadySaved(path: file.path))
            return file.path
        } catch {
            report(.saveFailed(error))
            return nil
        }
    }

    /// Copies the link, the URL or the path that the action names.
    public func copy(_ action: ItemAction, of reference: GIFReference) async {
        guard let text = reference.text(copiedBy: action) else { return }
        guard let sequence = await desktop.copy(text) else { return report(.copyFailed) }
        send(sequence)
        report(reference.path != nil ? .pathCopied : action == .copyAddress ? .addressCopied : .linkCopied)
    }

    /// If opening takes at least this many seconds, the web browser probably ran in the foreground until the user
    /// closed it. The message "opened" would then be pointless.
    private static let openingSeconds = 10

    /// Opens the page, or the folder of a file. Without a program that can open it, copies the link or the path instead.
    public func open(_ reference: GIFReference) async {
        let isFolder = reference.path != nil
        guard let address = reference.path.map(FileSystem.parent) ?? reference.pageURL else { return }
        report(isFolder ? .openingFolder : .opening)
        let start = seconds()
        do throws(SharingError) {
            try await desktop.open(address, isFolder: isFolder)
            if !isFolder, seconds() - start < Self.openingSeconds { report(.opened) }
        } catch {
            switch error {
            case .noDisplay, .noProgram:
                guard let sequence = await desktop.copy(reference.path ?? address) else {
                    return report(.openFailed(error))
                }
                send(sequence)
                report(.copiedInstead(isFolder: isFolder))
            default: report(.openFailed(error))
            }
        }
    }
}

extension GIFReference {
    public func text(copiedBy action: ItemAction) -> String? {
        // The address of a built-in GIF is of no use outside gifplay.
        path ?? (action == .copyLink ? pageURL : cachePolicy == .embedded ? nil : renditions.first?.url)
    }

    /// The reason why this action is impossible; nil if it is possible.
    /// - Parameter source: the display name of the source.
    public func refusal(of action: ItemAction, source: String) -> GalleryMessage? {
        switch action {
        case .save where path != nil: .alreadyLocal
        case .save where cachePolicy == .sessionOnly: .savingForbidden(source: source)
        case .favourite where path != nil, .dismiss where path != nil,
            .favourite where provider == Self.addressProvider, .dismiss where provider == Self.addressProvider:
            .notForFiles
        case .copyLink where text(copiedBy: action) == nil, .open where text(copiedBy: .copyLink) == nil: .noPage
        case .copyAddress where text(copiedBy: action) == nil: .noURL
        default: nil
        }
    }
}
