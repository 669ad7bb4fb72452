import Base
import Catalog
import Gallery
import Library

/// The library for the gallery. The gallery also works while another program locks the database: the database is opened
/// in the background, and a write that fails because of the lock is repeated.
final class GalleryLibrary: GalleryStore {
    private enum Phase {
        case opening
        case open(Library)
        case failed(Failure)
    }

    private struct State {
        var phase = Phase.opening
        /// Whether opening takes longer than ``patience``. The screen then no longer waits for the library.
        var isLate = false
        var isLocked = false
        /// Resumed by the next change of the phase or of `isLate`.
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// GIFs on the screen whose marks are not known, because the library was not open.
        var unmarked: Set<GIFKey> = []
    }

    /// The time in milliseconds that the first screen waits for the library. Opening usually takes 5 ms.
    private static let patience = 300
    /// The time in milliseconds after which the library counts as locked, even if the first attempt has not ended.
    private static let openingLimit = 2_000
    /// The pause in milliseconds between two attempts, in each of which SQLite waits for ``lockSeconds``.
    private static let retryInterval = 250
    /// In seconds. It is short, because SQLite reports the lock only after this wait.
    private static let lockSeconds = 0.5

    let path: String
    private let options: Library.Options
    private let clock = SystemWaitClock()
    private let state = Monitor(State())
    private let reporter = Monitor<(@Sendable (Failure) -> Void)?>(nil)

    convenience init(_ settings: Settings) throws(Failure) {
        self.init(path: try LibraryAccess.path(), options: Self.options(settings))
    }

    /// The library keeps listings separately for each combination of rating, language and a chosen source.
    static func options(_ settings: Settings) -> Library.Options {
        let parts = [settings.preferences.rating.rawValue, settings.preferences.language, settings.source]
        let variant = parts.compactMap(\.self).joined(separator: " ")
        var options = Library.Options(
            keepsHistory: settings.keepsHistory, variant: variant, lockSeconds: Self.lockSeconds)
        options.source = settings.source
        return options
    }

    init(path: String, options: Library.Options) {
        self.path = path
        self.options = options
    }

    // MARK: - Opening

    /// Opens the library on another thread.
    /// - Parameters:
    ///   - report: called when the library is locked, on any thread.
    ///   - addMarks: called with the marks of GIFs that were displayed before the library was open.
    func open(
        report: @escaping @Sendable (Failure) -> Void, addMarks: @escaping @Sendable ([GIFKey: Marks]) -> Void
    ) {
        reporter.withLock { $0 = report }
        let isStarted = DetachedThread.start { [self] in
            while case .opening = attempt(addMarks) {
                BackgroundValue { [clock] in try? await clock.wait(milliseconds: Self.retryInterval) }.wait()
            }
        }
        if !isStarted { change { $0.phase = .failed(.cannotOpen(path: path, reason: DetachedThread.failure)) } }
        Task.detached { [self] in
            try? await clock.wait(milliseconds: Self.patience)
            change { $0.isLate = true }
            try? await clock.wait(milliseconds: Self.openingLimit - Self.patience)
            reportLock()
        }
    }

    private func attempt(_ addMarks: @escaping @Sendable ([GIFKey: Marks]) -> Void) -> Phase {
        var phase = Phase.opening
        do throws(Failure) {
            let library = try Library(path: path, options: options)
            phase = .open(library)
            let unmarked = change {
                $0.phase = phase
                return Array($0.unmarked)
            }
            Task.detached {
                if !unmarked.isEmpty, let marks = try? await library.marks(of: unmarked) { addMarks(marks) }
            }
        } catch {
            if error.kind == .locked {
                reportLock()
            } else {
                phase = .failed(error)
                change { $0.phase = phase }
            }
        }
        return phase
    }

    /// If the library is not open yet, reports once that it is locked.
    private func reportLock() {
        let isNew = state.withLock { state in
            guard case .opening = state.phase, !state.isLocked else { return false }
            state.isLocked = true
            return true
        }
        if isNew { report(.locked(path: path)) }
    }

    private func report(_ error: Failure) { reporter.withLock { $0 }?(error) }

    /// Changes the state and resumes the tasks that wait for a change.
    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            let result = body(&state)
            defer { state.waiters = [] }
            return (result, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return result
    }

    private func wait<Value: Sendable>(_ body: @Sendable (inout State) -> Value?) async -> Value {
        while true {
            if let value = state.withLock(body) { return value }
            await withCheckedContinuation { waiter in
                let isReady = state.withLock { state in
                    if body(&state) != nil { return true }
                    state.waiters.append(waiter)
                    return false
                }
                if isReady { waiter.resume() }
            }
        }
    }

    /// Waits until the library is open or cannot be opened.
    private func opened() async throws(Failure) -> Library {
        let result = await wait { state -> Result<Library, Failure>? in
            switch state.phase {
            case .opening: nil
            case .open(let library): .success(library)
            case .failed(let error): .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: - At the end of a session

    /// The reason why nothing is stored; nil if the library is open, or if the session was too short to open it.
    var failure: Failure? {
        state.withLock { state in
            switch state.phase {
            case .opening: state.isLocked ? .locked(path: path) : nil
            case .open: nil
            case .failed(let error): error
            }
        }
    }

    /// What a gallery or a player has not stored; nil if all was stored.
    static func problem(of library: Result<GalleryLibrary, Failure>, _ unstored: UnstoredMarks) -> Failure? {
        let nothing = "nothing of this session is stored"
        switch library {
        case .failure(let error): return error.adding(nothing)
        case .success(let library):
            let failure = library.failure
            if let failure, failure.kind != .locked { return failure.adding(nothing) }
            guard unstored.isEmpty else {
                let favourites = unstored.favourites == 1 ? "favourite" : "favourites"
                let counts = [
                    (unstored.favourites, favourites), (unstored.viewed, "viewed"), (unstored.dismissed, "dismissed"),
                ]
                let list = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
                return Failure("not stored: \(list)", hint: "the library was locked or could not be written")
                    .of(library.path)
            }
            return failure == nil ? nil : Failure("locked by another program", hint: nothing).of(library.path)
        }
    }

    // MARK: - GalleryStore

    func listing(_ feed: Feed) async throws(Failure) -> StoredListing? {
        guard !feed.isLink, let library = try? await opened() else { return nil }
        return try await library.listing(feed)
    }

    func marks(of keys: [GIFKey]) async throws(Failure) -> [GIFKey: Marks] {
        let library = await wait { state -> Library?? in
            switch state.phase {
            case .opening where state.isLate:
                state.unmarked.formUnion(keys)
                return .some(nil)
            case .opening: return nil
            case .open(let library): return library
            case .failed: return .some(nil)
            }
        }
        return try await library?.marks(of: keys) ?? [:]
    }

    func storePage(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(Failure) {
        guard !feed.isLink, let library = try? await opened() else { return }
        try await repeating { () async throws(Failure) in
            try await library.storePage(page, of: feed, isFirst: isFirst, at: seconds)
        }
    }

    /// Does not wait for the library, because the user types on.
    func recentQueries(matching prefix: String, limit: Int) async throws(Failure) -> [String] {
        guard case .open(let library) = state.withLock({ $0.phase }) else { return [] }
        return try await library.recentQueries(matching: prefix, limit: limit)
    }

    func setFavourite(_ reference: GIFReference, _ isFavourite: Bool, at seconds: Int) async throws(Failure) {
        try await write { library async throws(Failure) in
            try await library.setFavourite(reference, isFavourite, at: seconds)
        }
    }

    func markViewed(_ reference: GIFReference, at seconds: Int) async throws(Failure) {
        guard options.keepsHistory, reference.provider != GIFReference.addressProvider else { return }
        try await write { library async throws(Failure) in try await library.markViewed(reference, at: seconds) }
    }

    func setDismissed(_ references: [GIFReference], _ isDismissed: Bool, at seconds: Int) async throws(Failure) {
        try await write { library async throws(Failure) in
            try await library.setDismissed(references, isDismissed, at: seconds)
        }
    }

    /// Performs a write that the user requested. If the library is locked, reports the lock before it waits.
    private func write(_ body: (Library) async throws(Failure) -> Void) async throws(Failure) {
        if let failure, failure.kind == .locked { report(failure) }
        let library = try await opened()
        try await repeating { () async throws(Failure) in try await body(library) }
    }

    /// Repeats `body` while another program locks the library.
    private func repeating(_ body: () async throws(Failure) -> Void) async throws(Failure) {
        var isReported = false
        while true {
            do throws(Failure) { return try await body() } catch {
                guard error.kind == .locked, !Task.isCancelled else { throw error }
                if !isReported { report(error) }
                isReported = true
                try? await clock.wait(milliseconds: Self.retryInterval)
            }
        }
    }
}
