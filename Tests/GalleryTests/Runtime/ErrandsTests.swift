import Catalog
import Synchronization
import Testing

@testable import Gallery

@Suite("What the gallery does in tasks", .timeLimit(.minutes(1))) struct ErrandsTests {
    @Test("Who goes on to other words while a listing is being kept hears nothing of it")
    func cancelledKeeping() async {
        let store = HangingStore()
        let inbox = Inbox(wake: {})
        let services = GalleryServices(
            listings: OneListing(), media: ScriptedMedia(), desk: NoDesk(), store: store, seconds: { 0 })
        let errands = Errands(services: services, inbox: inbox)
        let load = Task { await errands.load(.search(words: "teapot"), nil, ticket: 1, isRetry: false) }
        for await _ in store.begun { break }
        load.cancel()
        await load.value
        #expect(inbox.take() == [.loaded(ticket: 1, .success(OneListing.page))])
    }

    @Test("A retry, and nothing else, ends the cool-downs before the query", arguments: [true, false])
    func retry(isRetry: Bool) async {
        let inbox = Inbox(wake: {})
        let services = GalleryServices(
            listings: OneListing(), media: ScriptedMedia(), desk: NoDesk(), store: nil, seconds: { 0 })
        let errands = Errands(services: services, inbox: inbox)
        await errands.load(.search(words: "cooling"), nil, ticket: 1, isRetry: isRetry)
        let expected: Result<ResultPage, CatalogError> =
            isRetry ? .success(OneListing.page) : .failure(.coolingDown(seconds: 60))
        #expect(inbox.take() == [.loaded(ticket: 1, expected)])
    }

    @Test("What cannot be kept otherwise is told")
    func failedKeeping() async {
        let inbox = Inbox(wake: {})
        let services = GalleryServices(
            listings: OneListing(), media: ScriptedMedia(), desk: NoDesk(), store: HangingStore(fails: true),
            seconds: { 0 })
        await Errands(services: services, inbox: inbox).load(.search(words: "teapot"), nil, ticket: 1, isRetry: false)
        #expect(inbox.take().last == .told(.storeFailed(reason: "disk full")))
    }

    @Test("Opening a page is reported when it begins, and again only when it has succeeded or failed")
    func opening() async {
        func messages(_ desk: Desk) async -> [GalleryEvent] {
            let inbox = Inbox(wake: {})
            let services = GalleryServices(
                listings: OneListing(), media: ScriptedMedia(), desk: desk, store: nil, seconds: { desk.seconds })
            await Errands(services: services, inbox: inbox).open("https://example.org/")
            return inbox.take()
        }
        #expect(await messages(Desk()) == [.told(.opening), .told(.opened)])
        #expect(
            await messages(Desk(failure: "no browser")) == [.told(.opening), .told(.openFailed(reason: "no browser"))])
        // The browser stayed in the foreground until the user closed it after 600 s.
        #expect(await messages(Desk(secondsToOpen: 600)) == [.told(.opening)])
    }
}

/// A source with one page. It refuses the query "cooling" with `coolingDown` until the cool-downs are lifted.
private actor OneListing: ListingSource {
    private var isLifted = false

    static let page = ResultPage(items: [
        GIFReference(
            provider: "commons", id: "1", title: "Teapot", attribution: "", renditions: [], cachePolicy: .persistent)
    ])

    func page(of feed: Feed, after page: PageToken?) async throws(CatalogError) -> ResultPage {
        guard isLifted || feed != .search(words: "cooling") else { throw .coolingDown(seconds: 60) }
        return Self.page
    }

    func liftCooldowns() async { isLifted = true }

    func atRandom() async throws(CatalogError) -> GIFReference { throw .nothingFound }
}

/// A desk whose browser takes `secondsToOpen` on the clock `seconds`, and fails if `failure` is not nil.
private final class Desk: GalleryDesk {
    private let failure: String?
    private let secondsToOpen: Int
    private let time = Mutex(1_000)

    init(failure: String? = nil, secondsToOpen: Int = 1) {
        self.failure = failure
        self.secondsToOpen = secondsToOpen
    }

    var seconds: Int { time.withLock { $0 } }

    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(DeskError) -> String { "" }
    func copy(_ text: String) async -> String { "" }

    func open(_ address: String) async throws(DeskError) {
        time.withLock { $0 += secondsToOpen }
        if let failure { throw DeskError(failure) }
    }
}

private struct NoDesk: GalleryDesk {
    func save(_ bytes: [UInt8], of reference: GIFReference) async throws(DeskError) -> String { "" }
    func copy(_ text: String) async -> String { "" }
    func open(_ address: String) async throws(DeskError) {}
}

/// A store whose `keep` either fails at once or waits until the task is cancelled. The wait simulates a database that
/// another process is writing to.
private final class HangingStore: GalleryStore {
    let begun: AsyncStream<Void>
    private let begins: AsyncStream<Void>.Continuation
    private let fails: Bool

    init(fails: Bool = false) {
        self.fails = fails
        (begun, begins) = AsyncStream.makeStream()
    }

    func keep(_ page: ResultPage, of feed: Feed, isFirst: Bool, at seconds: Int) async throws(StoreError) {
        guard !fails else { throw .failed(reason: "disk full") }
        begins.yield()
        // The stream yields nothing, so the loop ends only when the task is cancelled.
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        defer { continuation.finish() }
        for await _ in stream {}
        throw .failed(reason: "cancelled")
    }

    func listing(_ feed: Feed) async throws(StoreError) -> KeptListing? { nil }
    func marks(of keys: [GIFKey]) async throws(StoreError) -> [GIFKey: Marks] { [:] }
    func setFavourite(_ reference: GIFReference, _ isFavourite: Bool, at seconds: Int) async throws(StoreError) {}
    func noteViewed(_ reference: GIFReference, at seconds: Int) async throws(StoreError) {}
    func setDismissed(_ references: [GIFReference], _ isDismissed: Bool, at seconds: Int) async throws(StoreError) {}
}
