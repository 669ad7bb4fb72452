import Base
import Catalog
import Library
import Playback

/// The operations that the runtime runs in tasks. They post their results to the inbox.
struct GalleryTasks: Sendable {
    let services: GalleryServices
    let inbox: Inbox

    // MARK: - Listings

    func load(_ feed: Feed, _ page: PageToken?, ticket: Int, isRetry: Bool) async {
        if isRetry { await services.listings.endCooldowns() }
        let observer = SourceQuery { [inbox] in inbox.post(.asking(ticket: ticket, source: $0)) }
        switch feed {
        case .trending(let source?): observer.report(source)
        case .community(let name): observer.report("r/" + name)
        default: break
        }
        let result = await SourceQuery.$observer.withValue(observer) {
            await Result(of: { () async throws(Failure) in
                try await services.listings.page(of: feed, after: page)
            })
        }
        guard case .success(let found) = result else {
            // A cancelled load needs no answer.
            if result != .failure(.cancelled) { inbox.post(.loaded(ticket: ticket, result)) }
            return
        }
        await postMarks(of: found.items)
        inbox.post(.loaded(ticket: ticket, result))
        // Built-in samples are a substitute if no service provides results, so they must not replace stored results.
        guard !found.items.areSamples else { return }
        await write { (store, now) async throws(Failure) in
            try await store.storePage(found, of: feed, isFirst: page == nil, at: now)
        }
    }

    func loadStored(_ feed: Feed, ticket: Int) async {
        do throws(Failure) {
            if case .search(let query) = feed { return try await find(query, ticket: ticket) }
            // Random GIFs are not stored. The built-in samples are displayed until the first page arrives.
            let stored =
                feed == .random
                ? StoredListing(items: SampleRepository.allReferences, seconds: 0)
                : try await services.store?.listing(feed)
            await postMarks(of: stored?.items ?? [])
            inbox.post(.loadedStored(ticket: ticket, stored))
        } catch {
            guard !Task.isCancelled else { return }
            inbox.post(.loadedStored(ticket: ticket, nil))
            inbox.post(.reported(.storeFailed(error)))
        }
    }

    /// Posts what this machine has for a query: built-in GIFs at once, then those of the library and of indices.
    private func find(_ query: String, ticket: Int) async throws(Failure) {
        let builtIn = services.listings.builtIn(for: query)
        if !builtIn.isEmpty {
            await postMarks(of: builtIn)
            let known = StoredListing(items: builtIn, seconds: services.seconds())
            inbox.post(.loadedStored(ticket: ticket, known, isLast: false))
        }
        guard !Task.isCancelled else { return }
        var stored = try await services.store?.listing(.search(query: query))
        let indexed = await services.listings.indexed(for: query)
        if stored == nil, !indexed.isEmpty { stored = StoredListing(items: [], seconds: services.seconds()) }
        stored?.items += indexed
        await postMarks(of: stored?.items ?? [])
        inbox.post(.loadedStored(ticket: ticket, stored))
    }

    /// Posts the marks of the items. Callers post the items after the marks. Otherwise, a viewed GIF would briefly be
    /// drawn as bright as one that is not yet viewed.
    private func postMarks(of items: [GIFReference]) async {
        guard let store = services.store, !items.isEmpty else { return }
        guard let marks = try? await store.marks(of: items.map(\.key)), !marks.isEmpty else { return }
        inbox.post(.marked(marks))
    }

    /// Posts the user's own queries, and then these with the suggestions of a service.
    func suggest(_ prefix: String, ticket: Int) async {
        let own = (try? await services.store?.recentQueries(matching: prefix, limit: Suggestions.maxCount)) ?? []
        if !own.isEmpty { inbox.post(.suggested(ticket: ticket, own)) }
        let isLong = prefix.count >= SearchInput.minQueryLength
        let others = isLong && !Task.isCancelled ? await services.listings.suggestions(for: prefix) : []
        inbox.post(.suggested(ticket: ticket, own + others))
    }

    // MARK: - Writing

    func storeSide(_ isOn: Bool) async {
        do throws(Failure) { try await services.storeSide(isOn) } catch {
            inbox.post(.reported(.storeFailed(error)))
        }
    }

    /// Writes the marks of an effect, and reports it.
    /// - Returns: as ``write(requiresStore:_:)``.
    func store(_ effect: GalleryEffect) async -> Bool {
        let message = effect.storedMessage
        let isStored = await write(requiresStore: message != nil) { (store, now) async throws(Failure) in
            switch effect {
            case .setFavourite(let references, let isFavourite):
                for reference in references { try await store.setFavourite(reference, isFavourite, at: now) }
            case .markViewed(let reference): try await store.markViewed(reference, at: now)
            case .setDismissed(let references, let isDismissed):
                try await store.setDismissed(references, isDismissed, at: now)
            default: break
            }
        }
        if isStored, let message { inbox.post(.reported(message)) }
        return isStored
    }

    /// - Parameter requiresStore: whether to report it if there is no store.
    /// - Returns: true if the write succeeded, or if there is no store and none is required.
    @discardableResult
    func write(
        requiresStore: Bool = false, _ body: @Sendable (any GalleryStore, Int) async throws(Failure) -> Void
    ) async -> Bool {
        guard let store = services.store else {
            if requiresStore {
                inbox.post(.reported(.storeFailed(.libraryFailed(reason: "there is no folder for it"))))
            }
            return !requiresStore
        }
        do throws(Failure) {
            try await body(store, services.seconds())
            return true
        } catch {
            // A cancelled task belongs to a listing that the user has left, so its store errors are not reported.
            if !Task.isCancelled { inbox.post(.reported(.storeFailed(error))) }
            return false
        }
    }

    /// The actions that work outside the screen.
    var items: ItemTasks {
        ItemTasks(
            media: services.media, desktop: services.desktop, running: services.running, seconds: services.seconds,
            report: { [inbox] in inbox.post(.reported($0)) }, send: inbox.send)
    }
}

/// Performs the actions on a GIF that work outside the screen, for the gallery and for the player.
public struct ItemTasks: Sendable {
    let media: any MediaSource
    let desktop: any DesktopActions
    let running: RunningActions
    let seconds: @Sendable () -> Int
    let report: @Sendable (GalleryMessage) -> Void
    /// Sends an escape sequence to the terminal.
    let send: @Sendable (String) -> Void

    public init(
        media: any MediaSource, desktop: any DesktopActions, running: RunningActions,
        seconds: @escaping @Sendable () -> Int, report: @escaping @Sendable (GalleryMessage) -> Void,
        send: @escaping @Sendable (String) -> Void
    ) {
        (self.media, self.desktop, self.running) = (media, desktop, running)
        (self.seconds, self.report, self.send) = (seconds, report, send)
    }

    /// Starts an action. The program does not end before it, except before a browser that it has opened.
    public func start(_ action: ItemAction, on references: [GIFReference]) {
        let body: @Sendable () async -> Void = { await perform(action, on: references) }
        if action == .open { Task.detached(operation: body) } else { running.start(body) }
    }

    /// - Parameter references: at least one. Only the first one is opened.
    func perform(_ action: ItemAction, on references: [GIFReference]) async {
        switch action {
        case .save where references.count > 1:
            var count = 0
            for reference in references { if await savedFile(of: reference) != nil { count += 1 } }
            // Otherwise, the reason of the last failure stays.
            if count > 0 { report(.severalSaved(count, of: references.count)) }
        case .save: for reference in references { await save(reference) }
        case .copyLink, .copyAddress, .copyFile: await copy(action, of: references)
        case .open: if let reference = references.first { await open(reference) }
        case .favourite, .dismiss, .undo: break
        }
    }

    /// - Returns: the path of the file, which is saved unless it exists; nil if the GIF was not saved.
    func savedPath(of reference: GIFReference) async -> String? {
        if let path = reference.path { path } else { await save(reference) }
    }

    /// - Returns: the path of the file; nil if the GIF was not saved.
    @discardableResult
    func save(_ reference: GIFReference) async -> String? {
        guard let file = await savedFile(of: reference) else { return nil }
        report(file.isNew ? .saved(path: file.path) : .alreadySaved(path: file.path))
        return file.path
    }

    private func savedFile(of reference: GIFReference) async -> SavedFile.Outcome? {
        if let path = reference.path { return SavedFile.Outcome(path: path, isNew: false) }
        return await running.save(reference) { await newFile(of: reference) }
    }

    private func newFile(of reference: GIFReference) async -> SavedFile.Outcome? {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try await media.bytes(
                of: reference, filling: .init(width: 1, height: 1), isOriginal: true, arrived: { _ in })
        } catch {
            if error.kind != .cancelled { report(.fetchFailed(error.withoutWait)) }
            return nil
        }
        do throws(Failure) {
            return try await desktop.save(bytes, of: reference)
        } catch {
            report(.saveFailed(error))
            return nil
        }
    }

    /// Copies the GIFs, or the links, URLs or paths that the action names, one a line. A built-in GIF has the address of a
    /// saved copy.
    func copy(_ action: ItemAction, of references: [GIFReference]) async {
        if action == .copyFile { return await copyFiles(of: references) }
        var copies: [(text: String, outcome: GalleryMessage)] = []
        for reference in references {
            if let text = reference.text(copiedBy: action) {
                let outcome: GalleryMessage = action == .copyAddress ? .addressCopied : .linkCopied
                copies.append((text, reference.path == nil ? outcome : .pathCopied))
            } else if let path = await savedFile(of: reference)?.path {
                copies.append((Clipboard.fileURL(path) ?? path, .fileCopied(path: path)))
            }
        }
        guard let first = copies.first else { return }
        await copy(copies.map(\.text), copies.count == 1 ? first.outcome : .severalCopied(copies.count))
    }

    /// Copies the saved files of the GIFs, or their paths if the clipboard cannot have files.
    private func copyFiles(of references: [GIFReference]) async {
        var paths: [String] = []
        for reference in references { if let path = await savedFile(of: reference)?.path { paths.append(path) } }
        guard let first = paths.first else { return }
        let outcome = await desktop.copyFiles(paths)
        guard outcome != .copied else {
            return report(paths.count == 1 ? .fileCopied(path: first) : .severalCopied(paths.count))
        }
        await copy(paths, .pathCopiedInstead(path: first, isRemote: outcome == .isRemote, count: paths.count))
    }

    private func copy(_ texts: [String], _ outcome: GalleryMessage) async {
        guard let (sequence, failed) = await desktop.copy(texts.joined(separator: "\n")) else {
            return report(.copyFailed)
        }
        send(sequence)
        report(failed.isEmpty ? outcome : .copiedByTerminal(failed: failed))
    }

    /// If opening takes at least this many seconds, the web browser probably ran in the foreground until the user
    /// closed it. The message "opened" would then be pointless.
    private static let openingSeconds = 10

    /// Opens the page, or the folder of a file. Without a program that can open it, copies the link or the path instead.
    func open(_ reference: GIFReference) async {
        let isFolder = reference.path != nil
        guard let address = reference.path.map(FileSystem.parent) ?? reference.pageURL else { return }
        report(isFolder ? .openingFolder : .opening)
        let start = seconds()
        let reminder = Task.detached { [report] in
            if (try? await SystemWaitClock().wait(milliseconds: 3_000)) != nil { report(.openerRuns) }
        }
        defer { reminder.cancel() }
        do throws(Failure) {
            try await desktop.open(address, isFolder: isFolder)
            if !isFolder, seconds() - start < Self.openingSeconds { report(.opened) }
        } catch {
            guard error.kind == .notOffered, let copied = await desktop.copy(reference.path ?? address) else {
                return report(.openFailed(error))
            }
            send(copied.sequence)
            report(.copiedInstead(isFolder: isFolder))
        }
    }
}

extension GIFReference {
    public func text(copiedBy action: ItemAction) -> String? {
        // The address of a built-in GIF is of no use outside gifplay.
        path ?? (action == .copyLink ? pageURL : cachePolicy == .embedded ? nil : renditions.first?.url)
    }

    public var isBuiltIn: Bool { if case .sample = origin { true } else { false } }

    /// The reason why this action is impossible; nil if it is possible.
    /// - Parameter source: the display name of the source.
    public func refusal(of action: ItemAction, source: String) -> GalleryMessage? {
        switch action {
        case .save where path != nil: .alreadyLocal
        case .save where cachePolicy == .sessionOnly, .copyFile where cachePolicy == .sessionOnly:
            .savingForbidden(source: source)
        case .favourite where path != nil, .dismiss where path != nil,
            .favourite where provider == Self.addressProvider, .dismiss where provider == Self.addressProvider:
            .notForFiles
        case .copyLink where isBuiltIn, .copyAddress where isBuiltIn: nil
        case .copyLink where text(copiedBy: action) == nil, .open where text(copiedBy: .copyLink) == nil: .noPage
        case .copyAddress where text(copiedBy: action) == nil: .noURL
        default: nil
        }
    }
}

extension GalleryEffect {
    /// The message that a mark is stored. It is not displayed before, because the process can be killed at any time.
    var storedMessage: GalleryMessage? {
        switch self {
        case .setFavourite(let references, let isFavourite): .favourite(isFavourite, count: references.count)
        case .setDismissed(let references, true): .dismissed(references.count)
        case .setDismissed(let references, false): .restored(references.count)
        default: nil
        }
    }
}
