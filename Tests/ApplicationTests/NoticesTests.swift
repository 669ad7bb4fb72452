import Catalog
import Synchronization
import Testing

@testable import Application

@Suite("Notices")
struct NoticesTests {
    private func settings(_ additions: [String: String] = [:]) throws -> OnlineSettings {
        try OnlineSettings(ServiceOptions.parse([]), size: (80, 48), environment: additions)
    }

    @Test("A notice is shown for five seconds of a player's looks, once")
    func once() {
        let notices = Notices()
        for _ in 0..<2 { notices.post(.contactWanted) }
        #expect((0..<10).allSatisfy { _ in notices.current() == .contactWanted })
        #expect(notices.current() == nil && notices.takeRest().isEmpty)
    }

    @Test("A listener gets what waits and what comes, each once")
    func listener() {
        let notices = Notices()
        notices.post(.keyRefused(variable: "GIPHY_API_KEY"))
        let heard = Mutex<[Notices.Notice]>([])
        notices.listen { notice in heard.withLock { $0.append(notice) } }
        for _ in 0..<2 { notices.post(.contactWanted) }
        notices.post(.keyRefused(variable: "GIPHY_API_KEY"))
        #expect(heard.withLock { $0 } == [.keyRefused(variable: "GIPHY_API_KEY"), .contactWanted])
        #expect(notices.takeRest().isEmpty)
    }

    @Test("A refused key and Wikimedia's 429 are notices; a contact makes the second needless")
    func sources() throws {
        let notices = Notices()
        let settings = try settings().reporting(to: notices)
        settings.catalog.noteFailure(SourceFailure(source: "giphy", reason: .outage))
        settings.fetch.noteTooManyRequests("media.giphy.com")
        #expect(notices.takeRest().isEmpty)
        settings.catalog.noteFailure(SourceFailure(source: "giphy", reason: .keyRefused(variable: "K", message: nil)))
        settings.fetch.noteTooManyRequests("upload.wikimedia.org")
        #expect(notices.takeRest() == [.keyRefused(variable: "K"), .contactWanted])
        let others = Notices()
        try self.settings(["GIFPLAY_CONTACT": "me@example.org"]).reporting(to: others)
            .fetch.noteTooManyRequests("upload.wikimedia.org")
        #expect(others.takeRest().isEmpty)
    }

    @Test("The user agent has the contact, or the project's address where there is none")
    func agent() throws {
        #expect(try settings().fetch.userAgent == "gifplay/\(Product.version) (\(Product.address))")
        #expect(
            try settings(["GIFPLAY_CONTACT": "me@example.org"]).fetch.userAgent
                == "gifplay/\(Product.version) (me@example.org)")
    }
}
