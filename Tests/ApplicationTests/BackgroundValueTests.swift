import Base
import LoadingSupport
import TestServer
import Testing

@testable import Application

@Suite("Background value", .timeLimit(.minutes(5)))
struct BackgroundValueTests {
    private struct Failure: Error, Equatable {
        var number: Int
    }

    @Test("The value is nil while the work runs, and available when the listener is called")
    func wake() async {
        let (begin, beginning) = AsyncStream<Void>.makeStream()
        let (wakes, wake) = AsyncStream<Void>.makeStream()
        let value = BackgroundValue(wake: { wake.finish() }) {
            for await _ in begin {}
            return 7
        }
        #expect(value.value == nil)
        beginning.finish()
        for await _ in wakes {}
        #expect(value.value == 7)
    }

    @Test("A thread that waits gets the value")
    func wait() async throws {
        #expect(try await onOwnThread { BackgroundValue { "a" }.wait() } == "a")
    }

    @Test("When the value is released, the work that computes it is cancelled")
    func release() async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        var value: BackgroundValue<Int>? = BackgroundValue {
            await waitUntilCancelled()
            end.finish()
            return 1
        }
        #expect(value?.value == nil)
        value = nil
        // Returns only after the work has noticed its cancellation.
        for await _ in ends {}
    }

    @Test("Blocking work returns its result or throws its error")
    func blocking() async throws {
        let value = try await onOwnThread { try runBlocking { () async throws(Failure) -> Int in 3 } }
        #expect(value == 3)
        await #expect(throws: Failure(number: 4)) {
            try await onOwnThread {
                try runBlocking { () async throws(Failure) -> Int in throw Failure(number: 4) }
            }
        }
    }
}
