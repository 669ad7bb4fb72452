import Base
import Catalog
import TestServer
import Testing

@testable import Application

@Suite(.timeLimit(.minutes(5))) struct UseReportTests {
    /// A server that stands in for GIPHY and KLIPY, and a session that queries it.
    private struct Setup {
        let server: LoopbackServer
        let session: ServiceSession

        init(reportsUse: Bool = true, keys: Bool = true, isOffline: Bool = false) async throws {
            let place = Monitor("")
            server = try await LoopbackServer { request, _ in
                let base = place.withLock { $0 }
                if request.path.hasSuffix("/autocomplete") { return .init(text: #"{"results":["tea time"]}"#) }
                if request.path.hasSuffix("/tags") { return .init(503) }
                return .init(text: request.path.hasPrefix("/giphy") ? Self.giphy(base) : Self.klipy)
            }
            place.withLock { [base = server.base] in $0 = base }
            var environment = [
                "GIFPLAY_ENDPOINT_GIPHY": server.base + "/giphy",
                "GIFPLAY_ENDPOINT_KLIPY": server.base + "/klipy/api/v1",
            ]
            if keys { environment.merge(["GIPHY_API_KEY": "key-of-giphy", "KLIPY_API_KEY": "key/of/klipy"]) { $1 } }
            let text = reportsUse ? "--report-use" : ""
            session = try ConfigurationFolder(text).withEnvironment(environment) {
                ServiceSession(try Settings(isOffline: isOffline, size: (80, 48), environment: $0))
            }
        }

        private static func giphy(_ base: String) -> String {
            func gif(_ id: Int, _ host: String) -> String {
                let pings = #"{"onload":{"url":"\#(host)/seen?p=1"},"onsent":{"url":"\#(host)/sent"}}"#
                let file = #"{"url":"https://media.giphy.com/\#(id).gif"}"#
                return #"{"id":"\#(id)","images":{"original":\#(file)},"analytics":\#(pings)}"#
            }
            let gifs = [gif(1, base), gif(2, "http://127.0.0.1:1"), gif(3, "\(base)@127.0.0.1:1")]
            return #"{"data":[\#(gifs.joined(separator: ","))],"meta":{"response_id":"x"}}"#
        }

        private static let klipy =
            #"{"result":true,"data":{"data":[{"id":1,"slug":"a b","file":{"sm":{"gif":{"url":"https://k.example/a.gif"}}}}]}}"#

        func references(_ name: String) async throws -> [GIFReference] {
            try await GIFSources.repository(named: name, settings: session.settings.catalog, client: session.client)
                .search(SearchQuery("tea"), page: nil).items
        }

        /// The requests after the search, once there are `count` of them.
        func reports(_ count: Int) async -> [LoopbackServer.Request] {
            while server.requests.count < count + 1 { await Task.yield() }
            return Array(server.requests.dropFirst())
        }
    }

    @Test("GIPHY gets its own URLs with the identifier of the run and the time; a view is reported once")
    func giphy() async throws {
        let setup = try await Setup()
        let gif = try #require(try await setup.references("giphy").first)
        setup.session.reportUse(.view, of: gif)
        let view = try #require(await setup.reports(1).first)
        setup.session.reportUse(.view, of: gif)
        setup.session.reportUse(.share, of: gif)
        let reports = await setup.reports(2)
        #expect(reports.map(\.path) == ["/seen", "/sent"] && reports.allSatisfy { $0.method == "GET" })
        let visitor = try #require(view.query["customer_id"])
        #expect(visitor.count == 36 && reports[1].query["customer_id"] == visitor && view.query["p"] == "1")
        #expect(reports.allSatisfy { Int($0.query["ts"] ?? "") ?? 0 > 1_700_000_000_000 && $0.query["api_key"] == nil })
        setup.session.close()
    }

    @Test("KLIPY gets a POST request with the GIF's name and the identifier of the run")
    func klipy() async throws {
        let setup = try await Setup()
        let gif = try #require(try await setup.references("klipy").first)
        setup.session.reportUse(.view, of: gif)
        _ = await setup.reports(1)
        setup.session.reportUse(.share, of: gif)
        let reports = await setup.reports(2)
        #expect(reports.map(\.method) == ["POST", "POST"])
        let paths = reports.map { $0.path.split(separator: "/").suffix(3).joined(separator: "/") }
        #expect(paths == ["gifs/view/a b", "gifs/share/a b"])
        let visitor = try #require(setup.server.requests.first?.query["customer_id"])
        #expect(reports.allSatisfy { $0.body == #"{"customer_id":"\#(visitor)"}"# })
        #expect(reports.allSatisfy { $0.headers["content-type"] == "application/json" })
        setup.session.close()
    }

    @Test("A report never goes to a server that belongs neither to the service nor to its configured endpoint")
    func foreignServers() async throws {
        let setup = try await Setup()
        let reporter = UseReporter(settings: setup.session.settings.catalog)
        let gifs = try await setup.references("giphy")
        #expect(gifs.count == 3)
        let client = RecordingClient()
        for var gif in gifs {
            await reporter.report(.share, of: gif, client: client)
            for url in ["https://giphy.com.evil.example/", "https://evilgiphy.com/", "https://x.giphy.com/?a=b"] {
                gif.useReports[.share] = url
                await reporter.report(.share, of: gif, client: client)
            }
        }
        let hosts = Set(client.urls.map(WebAddress.authority))
        #expect(hosts == ["127.0.0.1:\(setup.server.port)", "x.giphy.com"])
        setup.session.close()
    }

    @Test("By default, offline, and without a key, nothing is reported")
    func silence() async throws {
        let asked = try await Setup()
        let gifs = try await asked.references("giphy") + asked.references("klipy")
        #expect(gifs.allSatisfy { $0.useReports.count == 2 || $0.id == "3" })
        for setup in [
            try await Setup(reportsUse: false), try await Setup(keys: false), try await Setup(isOffline: true),
        ] {
            let client = RecordingClient()
            let reporter = UseReporter(settings: setup.session.settings.catalog)
            for gif in gifs {
                setup.session.reportUse(.view, of: gif)
                if !setup.session.settings.isOffline { await reporter.report(.share, of: gif, client: client) }
            }
            #expect(client.urls.isEmpty && setup.server.requests.isEmpty)
            setup.session.close()
        }
        asked.session.close()
    }

    @Test("Completions come from the next service if the first one is out of order")
    func completions() async throws {
        let setup = try await Setup()
        let terms = await GIFSources.completions(
            for: "tea", settings: setup.session.settings.catalog, client: setup.session.client)
        #expect(terms == ["tea time"])
        #expect(setup.server.requests.map(\.path) == ["/giphy/gifs/search/tags", "/klipy/v2/autocomplete"])
        #expect(setup.server.requests[1].query == ["key": "key/of/klipy", "q": "tea", "limit": "5"])
        setup.session.close()
    }
}

/// Records the URLs of all requests and fails each of them.
private final class RecordingClient: HTTPClient, HTTPFormClient {
    private let recorded = Monitor<[String]>([])

    var urls: [String] { recorded.withLock { $0 } }

    func get(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        recorded.withLock { $0.append(request.url) }
        throw .cancelled
    }

    func post(_ form: String, to request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        try await get(request)
    }
}
