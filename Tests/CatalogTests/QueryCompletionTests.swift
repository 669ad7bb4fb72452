import Testing

@testable import Catalog

@Suite struct QueryCompletionTests {
    private static let giphy = "https://api.giphy.com/v1/gifs/search/tags?"
    private static let klipy = "https://api.klipy.com/v2/autocomplete?"

    private func completions(
        _ client: ScriptedHTTPClient, order: [String]? = nil, _ settings: CatalogSettings = .test()
    ) async -> [String] {
        var settings = settings
        settings.order = order
        return await GIFSources.completions(for: " dancing ca ", settings: settings, client: client)
    }

    @Test("GIPHY's completions come from one request with the key")
    func giphy() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("giphy/autocomplete.json")))
        #expect(await completions(client) == ["dancing cat", "dancing cats"])
        #expect(client.urls.count == 1 && client.urls[0].hasPrefix(Self.giphy))
        #expect(
            query(client.urls[0])
                == ["api_key": "SeCrEt-0123%2Fabc%2Bdef", "q": "dancing%20ca", "limit": "5"])
    }

    @Test("KLIPY's completions come from its second API version; unusable and explicit terms are dropped")
    func klipy() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("klipy/autocomplete.json")))
        let terms = await completions(client, order: ["samples", "commons", "klipy", "giphy"])
        #expect(terms == ["dancing cat", "dancing cats", "7", "dancing cat party", "dancing dog"])
        #expect(client.urls.count == 1 && client.urls[0].hasPrefix(Self.klipy))
        #expect(query(client.urls[0]) == ["key": "SeCrEt-0123%2Fabc%2Bdef", "q": "dancing%20ca", "limit": "5"])
    }

    @Test(
        "If a service fails or knows no completion, the next one is queried",
        arguments: [
            .failure(.unreachable(host: "api.giphy.com", reason: "refused")),
            .failure(.timedOut(host: "api.giphy.com", milliseconds: 6_000)),
            .success(HTTPResponse(status: 429, body: Array(#"{"message":"API rate limit exceeded"}"#.utf8))),
            .success(HTTPResponse(status: 200, body: Array("<html>".utf8))),
            .success(HTTPResponse(status: 200, body: Array(#"{"data":[{"nome":"x"},{}]}"#.utf8))),
            .success(HTTPResponse(status: 200, body: Array(#"{"data":{},"results":{}}"#.utf8))),
            .success(HTTPResponse(status: 200)),
        ] as [ScriptedHTTPClient.Outcome])
    func fallback(outcome: ScriptedHTTPClient.Outcome) async throws {
        let both = ScriptedHTTPClient([
            (Self.giphy, outcome), (Self.klipy, .success(try Fixture.response("klipy/autocomplete.json"))),
        ])
        #expect(await completions(both).first == "dancing cat")
        #expect(await completions(ScriptedHTTPClient([(Self.giphy, outcome)])).isEmpty)
    }

    @Test("Without a key, without text and for services without completion, nothing is requested")
    func nothing() async {
        let client = ScriptedHTTPClient([])
        #expect(await completions(client, .test(keyed: false)).isEmpty)
        #expect(await completions(client, order: ["commons", "openverse", "gifcities", "samples"]).isEmpty)
        #expect(await GIFSources.completions(for: " \t", settings: .test(), client: client).isEmpty)
        let mirror = ["klipy": ServiceEndpoint(base: "https://mirror.example/klipy")]
        #expect(await completions(client, order: ["klipy"], .test(endpoints: mirror)).isEmpty)
        #expect(client.urls.isEmpty)
    }
}
