import Base
import Catalog
import Synchronization
import Testing

@testable import Application

@Suite("Notices")
struct NoticesTests {
    private static func second(_ number: Int64) -> Instant { Instant(nanoseconds: number * Span.second) }

    private func settings(_ additions: [String: String] = [:]) throws -> Settings {
        try Settings(size: (80, 48), environment: additions)
    }

    @Test("A notice is displayed once, for five seconds, even if it was posted twice")
    func once() {
        let notices = Notices()
        for _ in 0..<2 { notices.post(.contactRequired) }
        #expect([1, 5].allSatisfy { notices.current(at: Self.second($0)) == .contactRequired })
        #expect(notices.current(at: Self.second(6)) == nil && notices.takeUndisplayed().isEmpty)
    }

    @Test("A listener receives each pending notice and each later notice once")
    func listener() {
        let notices = Notices()
        notices.post(.keyRefused(variable: "GIPHY_API_KEY"))
        let heard = Mutex<[Notices.Notice]>([])
        notices.listen { notice in heard.withLock { $0.append(notice) } }
        for _ in 0..<2 { notices.post(.contactRequired) }
        notices.post(.keyRefused(variable: "GIPHY_API_KEY"))
        #expect(heard.withLock { $0 } == [.keyRefused(variable: "GIPHY_API_KEY"), .contactRequired])
        #expect(notices.takeUndisplayed().isEmpty)
    }

    @Test("Each lost connection is reported to the listener, but not to the player")
    func noConnection() throws {
        let notices = Notices()
        let failure = Failure.unreachable(host: "h", reason: "refused").of("commons")
        let settings = try settings().reporting(to: notices)
        settings.catalog.onFailure(failure)
        #expect(notices.current(at: Self.second(1)) == nil && notices.takeUndisplayed().isEmpty)
        let heard = Mutex<[Notices.Notice]>([])
        notices.listen { notice in heard.withLock { $0.append(notice) } }
        for _ in 0..<2 { settings.catalog.onFailure(failure) }
        #expect(heard.withLock { $0 } == [.noConnection, .noConnection])
    }

    @Test("A notice is posted if an API key is refused, or if Wikimedia returns status 429 and no contact is set")
    func sources() throws {
        let notices = Notices()
        let settings = try settings().reporting(to: notices)
        settings.catalog.onFailure(Failure.outage.of("giphy"))
        settings.fetch.onTooManyRequests("media.giphy.com")
        #expect(notices.takeUndisplayed().isEmpty)
        settings.catalog.onFailure(Failure.keyRefused(variable: "K", message: nil).of("giphy"))
        settings.fetch.onTooManyRequests("upload.wikimedia.org")
        #expect(notices.takeUndisplayed() == [.keyRefused(variable: "K"), .contactRequired])
        let others = Notices()
        try self.settings(["GIFPLAY_CONTACT": "me@example.org"]).reporting(to: others)
            .fetch.onTooManyRequests("upload.wikimedia.org")
        #expect(others.takeUndisplayed().isEmpty)
    }

    @Test("The user agent contains the contact, or the project's address if no contact is set")
    func agent() throws {
        #expect(try settings().fetch.userAgent == "gifplay/\(Product.version)")
        #expect(
            try settings(["GIFPLAY_CONTACT": "me@example.org"]).fetch.userAgent
                == "gifplay/\(Product.version) (me@example.org)")
    }

    @Test("Several notices are displayed one after the other, each for five seconds")
    func several() {
        let notices = Notices()
        #expect(notices.current(at: Self.second(0)) == nil)
        notices.post(.contactRequired)
        notices.post(.keyRefused(variable: "K"))
        let displayed = [1, 5, 6, 10, 11].map { notices.current(at: Self.second($0)) }
        let key = Notices.Notice.keyRefused(variable: "K")
        #expect(displayed == [.contactRequired, .contactRequired, key, key, nil])
    }

    @Test("Each variable with a refused API key has its own notice; a displayed notice is not returned as undisplayed")
    func undisplayed() {
        let notices = Notices()
        notices.post(.keyRefused(variable: "A"))
        notices.post(.keyRefused(variable: "B"))
        #expect(notices.current(at: Self.second(1)) == .keyRefused(variable: "A"))
        #expect(notices.takeUndisplayed() == [.keyRefused(variable: "B")])
        #expect(notices.takeUndisplayed().isEmpty)
    }
}
