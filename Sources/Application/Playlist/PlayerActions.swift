import Base
import Catalog
import Gallery
import Glibc
import Library
import Pixels
import Playback

/// The actions of the player's keys on a GIF.
protocol PlayedItemActions {
    func perform(_ action: ItemAction, on fetched: FetchedItem) -> ActionResult
    /// The outcome of an action that has ended since the last call.
    func takeOutcome() -> ActionResult?
    func markViewed(_ item: GIFReference)
    /// - Returns: messages for standard error about GIFs that are not saved, and marks that are not stored.
    func finish() -> [Failure]
}

/// Performs the actions of the player's keys on a GIF, and records the history. Opens the library at the first mark or
/// view, because playing a file needs none.
final class PlayerActions: PlayedItemActions, Sendable {
    private struct State {
        var library: GalleryLibrary?
        var outcome: ActionResult?
        /// The GIFs that the user has dismissed, and can restore.
        var dismissed: [GIFReference] = []
    }

    private let session: ServiceSession
    /// Provides the originals of GIFs of a source.
    private let media: any MediaSource
    private let wake: @Sendable () -> Void
    /// Nil for the environment of the process, which takes time to read.
    private let environment: [String: String]?
    private let state = Monitor(State())
    private let writes = MarkWrites()

    private var language: Language { session.settings.screenLanguage }

    /// - Parameter wake: called on any thread when ``takeOutcome()`` has an outcome.
    init(
        _ session: ServiceSession, media: any MediaSource, environment: [String: String]? = nil,
        wake: @escaping @Sendable () -> Void
    ) {
        (self.session, self.media, self.environment, self.wake) = (session, media, environment, wake)
    }

    func takeOutcome() -> ActionResult? {
        state.withLock { state in
            defer { state.outcome = nil }
            return state.outcome
        }
    }

    func perform(_ action: ItemAction, on fetched: FetchedItem) -> ActionResult {
        guard let reference = fetched.item.resolvingPath else {
            return ActionResult(note: language(en: "not for standard input", de: "nicht für die Standardeingabe"))
        }
        let source = GIFSources.profiles.first { $0.name == reference.provider }?.title ?? reference.credit
        if let refusal = reference.refusal(of: action, source: source) {
            return ActionResult(note: language.sentence(refusal))
        }
        let tasks = tasks(for: fetched)
        switch action {
        case .save:
            tasks.start(action, on: [reference])
            return ActionResult(note: language.sentence(.saving))
        case .copyLink, .copyAddress, .copyFile:
            session.reportUse(.share, of: fetched.item)
            fallthrough
        case .open: tasks.start(action, on: [reference])
        case .favourite: toggleFavourite(reference)
        case .dismiss:
            state.withLock { $0.dismissed = $0.dismissed.suffix(99) + [reference] }
            setDismissed(reference, true)
            return ActionResult(showsNext: true)
        case .undo:
            guard let last = state.withLock({ $0.dismissed.popLast() }) else {
                return ActionResult(note: language.sentence(.nothingToUndo))
            }
            setDismissed(last, false)
        }
        return ActionResult()
    }

    private func tasks(for fetched: FetchedItem) -> ItemTasks {
        ItemTasks(
            media: PlayedMedia(fetched: fetched, others: media),
            desktop: LocalDesktopActions(environment: environment ?? Environment.variables), running: session.running,
            seconds: { time(nil) }, report: { [self] in post(language.sentence($0)) },
            send: { [self] sequence in post(nil, sequence) })
    }

    private func post(_ note: String?, _ sequence: String = "") {
        state.withLock { state in
            let earlier = state.outcome ?? ActionResult()
            state.outcome = ActionResult(sequence: earlier.sequence + sequence.utf8, note: note ?? earlier.note)
        }
        wake()
    }

    // MARK: - Library

    private func toggleFavourite(_ reference: GIFReference) {
        write(UnstoredMarks(favourites: 1)) { [self] library async throws(Failure) in
            let isFavourite = try await library.marks(of: [reference.key])[reference.key]?.isFavourite == true
            try await library.setFavourite(reference, !isFavourite, at: time(nil))
            post(language.sentence(.favourite(!isFavourite)))
        }
    }

    private func setDismissed(_ reference: GIFReference, _ isDismissed: Bool) {
        write(UnstoredMarks(dismissed: 1)) { [self] library async throws(Failure) in
            try await library.setDismissed([reference], isDismissed, at: time(nil))
            post(language.sentence(isDismissed ? .dismissed(1) : .restored(1)))
        }
    }

    /// Adds the item to the history, if it is a GIF of a source.
    func markViewed(_ item: GIFReference) {
        guard session.settings.keepsHistory, item.isResult else { return }
        write(UnstoredMarks()) { library async throws(Failure) in
            try await library.markViewed(item, at: time(nil))
        }
    }

    /// Queues a write.
    /// - Parameter marks: those that the user has set, so that a failure is reported.
    private func write(
        _ marks: UnstoredMarks, _ body: @escaping @Sendable (GalleryLibrary) async throws(Failure) -> Void
    ) {
        guard let library = library(reports: !marks.isEmpty) else { return }
        writes.add(marks) { [self] in
            do throws(Failure) { try await body(library) } catch {
                if !marks.isEmpty { post(language.sentence(.storeFailed(error))) }
                return false
            }
            return true
        }
    }

    private func library(reports: Bool) -> GalleryLibrary? {
        if let library = state.withLock({ $0.library }) { return library }
        do throws(Failure) {
            let library = try GalleryLibrary(session.settings)
            state.withLock { $0.library = library }
            library.open(report: { [self] in post(language.sentence(.storeFailed($0))) }, addMarks: { _ in })
            return library
        } catch {
            if reports { post(error.message) }
            return nil
        }
    }

    /// Waits at most two seconds for saves and copies, and then one for queued writes.
    func finish() -> [Failure] {
        let (unsaved, unstored) = (session.running.finish(), writes.finish())
        guard !unstored.isEmpty, let library = state.withLock({ $0.library }) else { return unsaved }
        return unsaved + [GalleryLibrary.problem(of: .success(library), unstored)].compactMap(\.self)
    }
}

/// The file that is being played, for a GIF whose URL the user has typed. Other GIFs have originals.
private struct PlayedMedia: MediaSource {
    let fetched: FetchedItem
    let others: any MediaSource

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        if reference.provider == GIFReference.addressProvider {
            let state = await fetched.download?.waitForEnd() ?? .finished
            // Otherwise, the player has moved on, and so cancelled the download.
            if state == .finished || fetched.downloadFailure != nil {
                guard fetched.downloadFailure == nil, let bytes = fetched.bytes(limit: .max) else {
                    throw .empty(host: reference.credit)
                }
                return bytes
            }
        }
        return try await others.bytes(of: reference, filling: size, isOriginal: isOriginal, arrived: arrived)
    }
}

extension GIFReference {
    /// The item as the library and the actions know it; nil for standard input.
    fileprivate var resolvingPath: GIFReference? {
        switch origin {
        case .standardInput: nil
        case .file(let path): .file(FileSystem.realPath(path) ?? path)
        case .sample, .address, .data, .source: self
        }
    }
}
