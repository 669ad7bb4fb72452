import Base
import FoundationEssentials
import Synchronization
import TestServer
import Testing

@testable import Catalog

/// A fake Reddit server on the loopback interface, with the feed of a community.
final class StandInReddit: Sendable {
    /// The behaviour of the server. Tests can change it while the server runs.
    struct Behaviour: Sendable {
        /// If not nil, replaces the feed.
        var refusal: LoopbackServer.Response?
        /// Additional headers of the feed.
        var headers: [String: String] = [:]
        var feed = ""
    }

    let server: LoopbackServer
    private let state: State

    init(_ change: (inout Behaviour) -> Void = { _ in }) async throws {
        var initial = Behaviour()
        initial.feed = try Fixture.text("reddit/top.rss")
        change(&initial)
        let state = State(initial)
        server = try await LoopbackServer { _, _ in
            state.behaviour.withLock { behaviour in
                let headers = behaviour.headers.merging(["Content-Type": "application/atom+xml"]) { $1 }
                return behaviour.refusal ?? .init(headers: headers, text: behaviour.feed)
            }
        }
        self.state = state
    }

    func change(_ change: (inout Behaviour) -> Void) { state.behaviour.withLock { change(&$0) } }

    var paths: [String] { server.requests.map(\.path) }

    private final class State: Sendable {
        let behaviour: Mutex<Behaviour>
        init(_ behaviour: Behaviour) { self.behaviour = Mutex(behaviour) }
    }
}

/// A fake server, and repositories that query two communities of this server.
struct RedditSetup {
    let reddit: StandInReddit
    let clock = ManualClock()
    /// Of the community r/Kettles.
    let repository: any GIFRepository
    let other: any GIFRepository

    init(_ reddit: StandInReddit, feedToken: String? = nil) throws {
        self.reddit = reddit
        var settings = CatalogSettings()
        settings.reddit.communities = ["kettles", "teapots"]
        settings.reddit.username = "kettle_keeper"
        if feedToken != nil { settings.reddit.feedUser = "kettle_keeper" }
        settings.keys[RedditSettings.feedSource] = feedToken.flatMap(Secret.init)
        settings.endpoints[RedditSettings.source] = ServiceEndpoint(base: reddit.server.base)
        settings.now = { [clock] in clock.now }
        let options = FetchOptions(userAgent: "gifplay-tests/1")
        let communities = GIFSources.communities(settings, version: "1.0", client: CurlHTTPClient(options))
        repository = try #require(communities["kettles"])
        other = try #require(communities["teapots"])
    }

    /// Requests the community's top posts with a time budget of 200 s, which is enough even on a busy machine.
    func top(_ rating: Rating = .g, page: PageToken? = nil) async -> Result<ResultPage, Failure> {
        do throws(Failure) {
            let preferences = ListingPreferences(rating: rating, budgetMilliseconds: 200_000)
            return .success(try await repository.trending(preferences, page: page))
        } catch {
            return .failure(error)
        }
    }
}
