import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(5))) struct ChangeFeedTests {
    @Test("A stream yields an element at once and then one for each group of changes, until the feed ends")
    func changes() async {
        let feed = ChangeFeed()
        var elements = feed.changes().makeAsyncIterator()
        #expect(await elements.next() != nil)
        feed.noteChange()
        feed.noteChange()
        #expect(await elements.next() != nil)
        feed.noteChange()
        feed.end()
        // The last change is delivered before the stream ends.
        #expect(await elements.next() != nil)
        #expect(await elements.next() == nil)
    }

    @Test("Each listener receives every change")
    func listeners() async {
        let feed = ChangeFeed()
        var streams = (0..<3).map { _ in feed.changes().makeAsyncIterator() }
        for index in streams.indices { #expect(await streams[index].next() != nil) }
        feed.noteChange()
        for index in streams.indices { #expect(await streams[index].next() != nil) }
    }

    @Test("A listener that joins after the end of the feed receives one element")
    func late() async {
        let feed = ChangeFeed()
        feed.end()
        var count = 0
        for await _ in feed.changes() { count += 1 }
        #expect(count == 1)
    }

    @Test("Cancellation ends the stream of a listener")
    func cancelled() async {
        let feed = ChangeFeed()
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let listener = Task { for await _ in feed.changes() { begins.yield() } }
        for await _ in begun { break }
        listener.cancel()
        await listener.value
        feed.noteChange()
        feed.end()
    }
}
