import Foundation
import Synchronization

/// A fake Reddit on loopback with the RSS feed of a community.
final class FakeReddit: Sendable {
    static let secret = "hu5h-Hu5h+/="
    /// The lines that set the user's own feed in the configuration file.
    static let ownFeed = "--reddit-feed-user kettle_keeper\n--key reddit.feed=\(secret)\n"

    /// How the fake Reddit treats requests. Tests change this with ``setAccess(_:)``.
    enum Access {
        case granted
        /// Responds with status 403 and an HTML page, as Reddit can do for any client.
        case refused
    }

    let site: FakeSite
    private let access: AccessState

    private final class AccessState: Sendable {
        let current = Mutex(Access.granted)
    }

    init() throws {
        let access = AccessState()
        self.access = access
        site = try FakeSite { request, base in
            guard request.path.hasPrefix("/reddit/") else { return .text("", status: 503) }
            guard access.current.withLock({ $0 == .granted }) else {
                return try Self.fixture("error_403.html", base, status: 403)
            }
            return try Self.answer(request, base)
        }
    }

    func setAccess(_ access: Access) { self.access.current.withLock { $0 = access } }

    /// The request lines of the requests for the RSS feed.
    var requestLines: [String] { site.requestLines.filter { $0.contains("/reddit/") } }

    private static func answer(_ request: FakeSite.Request, _ base: String) throws -> FakeSite.Reply {
        guard request.header("User-Agent")?.hasPrefix("linux:gifplay:") == true else { return .text("", status: 429) }
        switch request.path {
        case "/reddit/r/kettles/top/.rss": return try fixture("top.rss", base)
        default: return .text("", status: 404)
        }
    }

    private static func fixture(_ name: String, _ base: String, status: Int = 200) throws -> FakeSite.Reply {
        let file = Binary.package.appendingPathComponent("Tests/Fixtures/reddit/\(name)")
        let text = try String(contentsOf: file, encoding: .utf8)
        return .text(text, status: status)
    }
}
