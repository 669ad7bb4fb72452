import Base
import Catalog
import Library
import Pixels
import Playback
import Synchronization
import Testing

@testable import Gallery

@Suite("Tasks of the gallery", .timeLimit(.minutes(1))) struct GalleryTasksTests {
    private func tasks(
        _ inbox: Inbox, _ desktop: DesktopDouble = DesktopDouble(), store: HangingStore? = nil
    ) -> GalleryTasks {
        GalleryTasks(services: .doubles(listings: SinglePageSource(), desktop: desktop, store: store), inbox: inbox)
    }

    @Test("Cancelling a search while its listing is being stored reports no error")
    func cancelledStoring() async {
        let store = HangingStore()
        let inbox = Inbox(wake: {})
        let tasks = tasks(inbox, store: store)
        let load = Task { await tasks.load(.search(query: "teapot"), nil, ticket: 1, isRetry: false) }
        for await _ in store.begun { break }
        load.cancel()
        await load.value
        #expect(inbox.take() == [.loaded(ticket: 1, .success(SinglePageSource.page))])
    }

    @Test("The cool-downs are ended before a query only if the query is a retry", arguments: [true, false])
    func retry(isRetry: Bool) async {
        let inbox = Inbox(wake: {})
        let tasks = tasks(inbox)
        await tasks.load(.search(query: "cooling"), nil, ticket: 1, isRetry: isRetry)
        let expected: Result<ResultPage, Failure> =
            isRetry ? .success(SinglePageSource.page) : .failure(.coolingDown(seconds: 60))
        #expect(inbox.take() == [.loaded(ticket: 1, expected)])
    }

    @Test("Without a store too, the feed of random GIFs begins with the built-in samples")
    func placeholder() async {
        let inbox = Inbox(wake: {})
        let tasks = tasks(inbox)
        await tasks.loadStored(.random, ticket: 1)
        await tasks.loadStored(.trending(source: nil), ticket: 2)
        let samples = StoredListing(items: SampleRepository.allReferences, seconds: 0)
        #expect(inbox.take() == [.loadedStored(ticket: 1, samples), .loadedStored(ticket: 2, nil)])
    }

    @Test("A failure to store a listing is reported")
    func failedStoring() async {
        let inbox = Inbox(wake: {})
        let tasks = tasks(inbox, store: HangingStore(fails: true))
        await tasks.load(.search(query: "teapot"), nil, ticket: 1, isRetry: false)
        #expect(inbox.take().last == .reported(.storeFailed(.libraryFailed(reason: "disk full"))))
    }

    @Test("A mark is reported only after the store has it; one that fails, or that has no store, counts as lost")
    func marks() async {
        let reference = SinglePageSource.page.items[0]
        let effects: [(GalleryEffect, GalleryMessage)] = [
            (.setFavourite([reference], true), .favourite(true)),
            (.setFavourite([reference, reference], false), .favourite(false, count: 2)),
            (.setDismissed([reference], true), .dismissed(1)), (.setDismissed([reference], false), .restored(1)),
        ]
        let noFolder = GalleryMessage.storeFailed(.libraryFailed(reason: "there is no folder for it"))
        let diskFull = GalleryMessage.storeFailed(.libraryFailed(reason: "disk full"))
        for (effect, stored) in effects {
            for (store, message) in [
                (HangingStore(), stored), (HangingStore(fails: true), diskFull), (nil, noFolder),
            ] as [(HangingStore?, GalleryMessage)] {
                let inbox = Inbox(wake: {})
                store?.inbox.withLock { $0 = inbox }
                let (writes, gallery) = (MarkWrites(), tasks(inbox, store: store))
                writes.add(UnstoredMarks(effect)) { await gallery.store(effect) }
                await writes.last?.value
                #expect(inbox.take() == [.reported(message)] && store?.isReportedEarly != true)
                #expect(writes.unstored.isEmpty == (message == stored))
            }
        }
    }

    @Test("A feed of one source reports that it queries this source")
    func asking() async {
        let inbox = Inbox(wake: {})
        let tasks = tasks(inbox)
        await tasks.load(.trending(source: "giphy"), nil, ticket: 3, isRetry: false)
        #expect(inbox.take().first == .asking(ticket: 3, source: "giphy"))
    }

    @Test("The user's own queries come before those of a service, which is not asked for two letters")
    func suggestions() async {
        let inbox = Inbox(wake: {})
        let tasks = tasks(inbox, store: HangingStore())
        await tasks.suggest("tea", ticket: 1)
        let own = ["tea one", "tea two"]
        #expect(inbox.take() == [.suggested(ticket: 1, own), .suggested(ticket: 1, own + ["teaoon"])])
        await tasks.suggest("te", ticket: 2)
        #expect(inbox.take().last == .suggested(ticket: 2, ["te one", "te two"]))
    }

    @Test("If a program for the clipboard fails or hangs, the text is sent to the terminal, and the message says so")
    func hungClipboard() async {
        let outcomes: [([String], GalleryMessage)] = [
            ([], .linkCopied), (["wl-copy"], .copiedByTerminal(failed: ["wl-copy"])),
        ]
        for (failed, message) in outcomes {
            let inbox = Inbox(wake: {})
            await tasks(inbox, DesktopDouble(failed: failed)).items.copy(.copyLink, of: [.some("0")])
            #expect(inbox.take() == [.reported(message)])
            #expect(inbox.takeSequences() == ["https://example.org/0"])
        }
    }

    @Test("'c' copies the saved file, or its path if no clipboard takes files; a built-in GIF has a file's address")
    func copiedFile() async throws {
        let sample = GIFReference.sample(try #require(Sample.all.first))
        let (path, copy) = ("/my gifs/0.gif", "/my gifs/\(sample.id).gif")
        let address = "file:///my%20gifs/\(sample.id).gif"
        let rows: [(Clipboard.FileOutcome, ItemAction, GIFReference, GalleryMessage, [String])] = [
            (.copied, .copyFile, .some("0"), .fileCopied(path: path), []),
            (.isRemote, .copyFile, .some("0"), .pathCopiedInstead(path: path, isRemote: true), [path]),
            (.failed, .copyFile, sample, .pathCopiedInstead(path: copy, isRemote: false), [copy]),
            (.copied, .copyFile, .file("/a/b.gif"), .fileCopied(path: "/a/b.gif"), []),
            (.copied, .copyLink, sample, .fileCopied(path: copy), [address]),
            (.copied, .copyAddress, sample, .fileCopied(path: copy), [address]),
        ]
        for (outcome, action, reference, message, sent) in rows {
            let inbox = Inbox(wake: {})
            await tasks(inbox, DesktopDouble(folder: "/my gifs", fileOutcome: outcome)).items.copy(
                action, of: [reference])
            #expect(inbox.take() == [.reported(message)] && inbox.takeSequences() == sent, "\(reference.id) \(action)")
        }
    }

    @Test("A message says that a page is being opened; success is reported only within 10 s")
    func opening() async {
        func messages(_ desktop: ScriptedDesktop) async -> [GalleryEvent] {
            let inbox = Inbox(wake: {})
            let services = GalleryServices(
                listings: SinglePageSource(), media: ScriptedMedia(), desktop: desktop, store: nil,
                seconds: { desktop.seconds })
            await GalleryTasks(services: services, inbox: inbox).items.open(.some("0"))
            return inbox.take()
        }
        #expect(await messages(ScriptedDesktop()) == [.reported(.opening), .reported(.opened)])
        #expect(
            await messages(ScriptedDesktop(failure: .notWebAddress))
                == [.reported(.opening), .reported(.openFailed(.notWebAddress))])
        // The web browser stayed in the foreground until the user closed it after 600 s.
        #expect(await messages(ScriptedDesktop(secondsToOpen: 600)) == [.reported(.opening)])
    }
}

/// A terminal in virtual time that counts the waits that cannot block.
private final class CountingTerminal: PlaybackTerminal {
    let traits = TerminalTraits(size: CellSize(columns: 60, rows: 20))
    let isDrained = true
    let waker: @Sendable () -> Void = {}
    private(set) var now = Instant(nanoseconds: 0)
    private(set) var immediateWaits = 0
    private var events: [TerminalEvent] = [.deadline, .deadline, .key(.down), .deadline]

    func wait(until deadline: Instant?) -> TerminalEvent {
        if let deadline, deadline <= now {
            immediateWaits += 1
            return .deadline
        }
        guard !events.isEmpty else { return .closed }
        now = deadline ?? now
        return events.removeFirst()
    }

    func present(_ picture: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) {}
}

@Suite("The waits of the gallery")
struct GalleryWaitTests {
    @Test("The gallery polls again without waiting only after an event, not after each deadline")
    func polls() {
        let terminal = CountingTerminal()
        let services = GalleryServices.doubles(listings: SinglePageSource())
        let state = GalleryState(feed: .favourites, traits: terminal.traits)
        #expect(GalleryRuntime(state, terminal: terminal, services: services).run() == .closed)
        #expect(terminal.immediateWaits == 1)
    }
}

/// A source with one page. It refuses the query "cooling" with `coolingDown` until the cool-downs are ended.
private actor SinglePageSource: ListingSource {
    private var isLifted = false

    static let page = ResultPage(items: [.some("1")])

    func page(of feed: Feed, after page: PageToken?) async throws(Failure) -> ResultPage {
        guard isLifted || feed != .search(query: "cooling") else { throw .coolingDown(seconds: 60) }
        return Self.page
    }

    func endCooldowns() async { isLifted = true }

    func suggestions(for prefix: String) async -> [String] { [prefix + "oon"] }
}

/// A desktop with its own clock, `seconds`. Opening a page advances the clock by `secondsToOpen`, and then
/// throws `failure` unless it is nil.
private final class ScriptedDesktop: DesktopActions {
    private let failure: Failure?
    private let secondsToOpen: Int
    private let time = Mutex(1_000)

    init(failure: Failure? = nil, secondsToOpen: Int = 1) {
        self.failure = failure
        self.secondsToOpen = secondsToOpen
    }

    var seconds: Int { time.withLock { $0 } }

    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(Failure) -> SavedFile.Outcome {
        SavedFile.Outcome(path: "")
    }
    func copy(_ text: String) async -> (sequence: String, failed: [String])? { ("", []) }
    func copyFiles(_ paths: [String]) async -> Clipboard.FileOutcome { .failed }
    func open(_ address: String, isFolder: Bool) async throws(Failure) {
        time.withLock { $0 += secondsToOpen }
        if let failure { throw failure }
    }
}

/// A store whose `storePage` either fails immediately or waits until the task is cancelled. The wait simulates a
/// database that another process is writing to.
private final class HangingStore: GalleryStore {
    let begun: AsyncStream<Void>
    private let begins: AsyncStream<Void>.Continuation
    private let fails: Bool
    /// The inbox that must not contain a report before a mark is stored.
    let inbox = Monitor<Inbox?>(nil)
    private let early = Monitor(false)
    var isReportedEarly: Bool { early.withLock { $0 } }

    init(fails: Bool = false) {
        self.fails = fails
        (begun, begins) = AsyncStream.makeStream()
    }

    func storePage(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(Failure) {
        guard !fails else { throw .libraryFailed(reason: "disk full") }
        begins.yield()
        // The stream yields nothing, so the loop ends only when the task is cancelled.
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        defer { continuation.finish() }
        for await _ in stream {}
        throw .libraryFailed(reason: "cancelled")
    }

    func listing(_ feed: Feed) async throws(Failure) -> StoredListing? { nil }

    func recentQueries(matching prefix: String, limit: Int) async throws(Failure) -> [String] {
        [prefix + " one", prefix + " two"]
    }

    func marks(of keys: [GIFKey]) async throws(Failure) -> [GIFKey: Marks] { [:] }
    func markViewed(_ reference: GIFReference, at seconds: Int) async throws(Failure) {}

    func setFavourite(_ reference: GIFReference, _ isFavourite: Bool, at seconds: Int) async throws(Failure) {
        try await setDismissed([], isFavourite, at: seconds)
    }

    func setDismissed(_ references: [GIFReference], _ isDismissed: Bool, at seconds: Int) async throws(Failure) {
        let isReported = inbox.withLock { $0?.take().isEmpty == false }
        early.withLock { $0 = isReported }
        if fails { throw .libraryFailed(reason: "disk full") }
    }
}
