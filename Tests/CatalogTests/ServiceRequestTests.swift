import Base
import Testing

@testable import Catalog

@Suite struct ServiceRequestTests {
    private func urls(
        _ name: String, _ query: String, _ preferences: ListingPreferences = ListingPreferences(),
        _ page: PageToken? = nil, fixture: String? = nil
    ) async throws -> [String] {
        let client = ScriptedHTTPClient(.success(try Fixture.response(fixture ?? "\(name)/search.json")))
        _ = try await repository(name, client).search(SearchQuery(query, preferences: preferences), page: page)
        return client.urls
    }

    @Test(
        "The profile states whether a service lists trending GIFs", arguments: GIFSources.services.map(\.profile.name))
    func trendingProfile(name: String) throws {
        let service = try #require(GIFSources.services.first { $0.profile.name == name })
        let request = ListingRequest(
            listing: .trending, preferences: ListingPreferences(), page: [:],
            otherBases: service.profile.otherBases)
        #expect((service.target(for: request) != nil) == service.profile.hasTrending)
        #expect(GIFSources.services.contains { $0.profile.hasTrending } && !Commons().profile.hasTrending)
    }

    @Test("A GIPHY request contains the rating, the language and the list of needed fields")
    func giphyRequest() async throws {
        let url = try #require(
            try await urls("giphy", "wobbling teapot", ListingPreferences(rating: .pg13, language: "de")).first)
        #expect(url.hasPrefix("https://api.giphy.com/v1/gifs/search?"))
        let fields = [
            "id", "title", "url", "username", "rating", "import_datetime", "user.display_name", "images.original",
            "images.downsized",
            "images.fixed_width_small", "images.fixed_height_small", "images.fixed_width", "images.fixed_height",
        ].joined(separator: "%2C")
        #expect(
            query(url) == [
                "api_key": "SeCrEt-0123%2Fabc%2Bdef", "q": "wobbling%20teapot", "limit": "25", "offset": "0",
                "rating": "pg-13", "lang": "de", "fields": fields,
            ])
    }

    @Test("The default rating is g")
    func defaultRating() async throws {
        let giphy = try #require(try await urls("giphy", "x").first)
        let klipy = try #require(try await urls("klipy", "x").first)
        #expect(query(giphy)["rating"] == "g")
        #expect(query(klipy)["content_filter"] == "high")
    }

    @Test("A GIPHY query is shortened to 50 code points")
    func giphyQueryLimit() async throws {
        let url = try #require(try await urls("giphy", String(repeating: "ab ", count: 40)).first)
        #expect(query(url)["q"]?.replacing("%20", with: " ").count == 50)
        #expect(Giphy.shortened(String(repeating: "👩‍👩‍👧", count: 20)).unicodeScalars.count == 50)
        #expect(Giphy.shortened("short") == "short")
    }

    @Test("The URL path of a KLIPY request contains the API key")
    func klipyRequest() async throws {
        let url = try #require(try await urls("klipy", "snail").first)
        #expect(url.hasPrefix("https://api.klipy.com/api/v1/SeCrEt-0123%2Fabc%2Bdef/gifs/search?"))
        #expect(
            query(url) == [
                "q": "snail", "page": "1", "per_page": "24", "customer_id": "a-visitor",
                "locale": "en", "content_filter": "high", "format_filter": "gif",
            ])
    }

    @Test("A Commons request contains the documented parameters")
    func commonsRequest() async throws {
        let url = try #require(try await urls("commons", "juggling octopus", ListingPreferences(targetWidth: 80)).first)
        #expect(url.hasPrefix("https://commons.wikimedia.org/w/api.php?"))
        let metadata = [
            "Artist", "Credit", "LicenseShortName", "LicenseUrl", "ImageDescription", "ObjectName",
            "AttributionRequired", "Restrictions",
        ].joined(separator: "%7C")
        #expect(
            query(url) == [
                "action": "query", "format": "json", "formatversion": "2", "errorformat": "plaintext",
                "generator": "search", "gsrnamespace": "6", "gsrlimit": "20", "gsroffset": "0",
                "gsrsearch": "juggling%20octopus%20filemime%3Aimage%2Fgif%20filesize%3A%3C4096%20filew%3A%3E31",
                "prop": "imageinfo",
                "iiprop": "timestamp%7Curl%7Csize%7Cmime%7Cmediatype%7Csha1%7Cmetadata%7Cextmetadata",
                "iiurlwidth": "120", "iiextmetadatafilter": metadata, "iiextmetadatalanguage": "en",
            ])
    }

    @Test("A Commons request rounds the thumbnail width up to a standard width")
    func commonsWidth() async throws {
        let url = try #require(try await urls("commons", "octopus", ListingPreferences(targetWidth: 200)).first)
        #expect(query(url)["iiurlwidth"] == "250")
    }

    @Test(
        "Search terms never act as search operators of Commons",
        arguments: [
            ("cat", ["cat"]), ("\"black cat\" -dog", ["black", "cat", "dog"]),
            ("insource:/x/ deepcat:Sex", ["insource", "x", "deepcat", "Sex"]), ("cat OR dog", ["cat", "or", "dog"]),
            ("l'été ~fuzzy* !no", ["l'été", "fuzzy", "no"]), ("?!~", []), ("' ''", []), ("日本", ["日本"]),
        ])
    func commonsOperators(typed: String, terms: [String]) {
        #expect(Commons.terms(of: typed) == terms)
    }

    @Test("Commons is not queried if the query contains no search terms")
    func noTerms() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("commons/search.json")))
        let commons = try repository("commons", client)
        #expect(await failure { try await commons.search(SearchQuery("?!"), page: nil) } == .notOffered)
        #expect(try await commons.search(SearchQuery(" \u{1B} "), page: nil).items.isEmpty)
        #expect(client.requests.isEmpty)
    }

    @Test("GifCities and Openverse requests contain the search terms")
    func gifCitiesAndOpenverseRequests() async throws {
        #expect(
            try await urls("gifcities", "dancing ufo")
                == ["https://gifcities.archive.org/api/v1/gifsearch?q=dancing%20ufo"])
        let url = try #require(try await urls("openverse", "light house").first)
        #expect(url.hasPrefix("https://api.openverse.org/v1/images/?"))
        #expect(
            query(url) == ["q": "light%20house", "extension": "gif", "page": "1", "page_size": "20", "mature": "false"])
    }

    @Test("A random batch is requested in the form that the service supports")
    func randomRequests() async throws {
        let expected = [
            ("giphy", "https://api.giphy.com/v1/gifs/trending?", ["limit": "50", "offset": "57"]),
            (
                "klipy", "https://api.klipy.com/api/v1/SeCrEt-0123%2Fabc%2Bdef/gifs/trending?",
                ["per_page": "50", "page": "3"]
            ),
            (
                "commons", "https://commons.wikimedia.org/w/api.php?",
                [
                    "gsrsort": "random", "gsrlimit": "50", "maxlag": "5",
                    "gsrsearch": "filemime%3Aimage%2Fgif%20filesize%3A%3C2048",
                ]
            ),
            (
                "gifcities", "https://gifcities.archive.org/api/v1/gifsearch?",
                ["q": GifCities.randomWords[507 % GifCities.randomWords.count]]
            ),
        ]
        for (name, prefix, parameters) in expected {
            let fixture = ["giphy": "trending", "klipy": "trending", "commons": "random"][name] ?? "search"
            let client = ScriptedHTTPClient(.success(try Fixture.response("\(name)/\(fixture).json")))
            // For the random number 507, GIPHY's offset is 507 % 450 = 57, and KLIPY's page is 1 + 507 % 5 = 3.
            let settings = CatalogSettings.test(numbers: NumberSequence(507))
            let batch = try await repository(name, client, settings).random(ListingPreferences())
            #expect(!batch.items.isEmpty && batch.next == nil)
            let url = try #require(client.urls.first)
            #expect(url.hasPrefix(prefix))
            for (parameter, value) in parameters { #expect(query(url)[parameter] == value) }
            #expect(query(url)["gsroffset"] == nil)
        }
    }

    @Test("The offset of a random GIPHY batch is at most 449")
    func giphyRandomOffset() {
        for number in [0, 449, 450, UInt64.max] {
            let target = Giphy().target(
                for: ListingRequest(listing: .random(number: number), preferences: ListingPreferences()))
            let offset = target?.parameters.first { $0.name == "offset" }?.value
            #expect((0...449).contains(offset.flatMap { Int($0) } ?? -1))
        }
    }

    @Test("The base addresses of every service can be configured")
    func endpoints() async throws {
        for profile in GIFSources.profiles {
            let endpoint = ServiceEndpoint(
                base: "http://127.0.0.1:8080/\(profile.name)/",
                others: profile.otherBases.map { _ in "http://127.0.0.1:1/m/" })
            let client = ScriptedHTTPClient(.success(try Fixture.response("\(profile.name)/search.json")))
            let page = try await repository(profile.name, client, .test(endpoints: [profile.name: endpoint]))
                .search(SearchQuery(profile.isOptional ? "hug" : "x"), page: nil)
            #expect(client.urls.allSatisfy { $0.hasPrefix("http://127.0.0.1:8080/\(profile.name)/") })
            if profile.name == "gifcities" {
                #expect(page.items.allSatisfy { $0.renditions[0].url.hasPrefix("http://127.0.0.1:1/m/") })
            }
        }
    }

    @Test("The timeout of a request is the shorter of the service's timeout and the call's time budget")
    func timeouts() async throws {
        let client = ScriptedHTTPClient(.success(try Fixture.response("gifcities/search_empty.json")))
        let cities = try repository("gifcities", client)
        _ = try await cities.search(SearchQuery("a"), page: nil)
        let preferences = ListingPreferences(budgetMilliseconds: 700)
        _ = try await cities.search(SearchQuery("b", preferences: preferences), page: nil)
        #expect(client.requests.map(\.timeoutMilliseconds) == [12_000, 700])
    }

    @Test(
        "The user agent contains the contact if it is set",
        arguments: [
            (nil, ""), ("", ""), (" (\r\n) ", ""), ("me@example.org\r\n", " (me@example.org)"),
            ("https://me.example (me)", " (https://me.example me)"),
        ])
    func userAgent(contact: String?, suffix: String) {
        #expect(FetchOptions.userAgent(version: "1.2", contact: contact) == "gifplay/1.2" + suffix)
    }
}
