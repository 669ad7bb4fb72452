import Base
import Testing

@testable import Catalog

@Suite struct DecodingTests {
    private func page(
        _ name: String, _ fixture: String, _ preferences: ListingPreferences = ListingPreferences()
    ) async throws -> ResultPage {
        let client = ScriptedHTTPClient(.success(try Fixture.response("\(name)/\(fixture)")))
        return try await repository(name, client).search(SearchQuery("x", preferences: preferences), page: nil)
    }

    @Test("A GIPHY result contains metadata and only those renditions that show the whole animation")
    func giphyRenditions() async throws {
        let page = try await page("giphy", "search.json")
        #expect(page.items.map(\.id) == ["TeaWobble01", "4071"])
        let teapot = page.items[0]
        #expect(teapot.title == "Wobbling Teapot GIF by Kettle House")
        #expect(teapot.author == "Kettle House")
        #expect(teapot.attribution == "Powered By GIPHY · https://giphy.com/gifs/teapot-TeaWobble01")
        #expect(teapot.cachePolicy == .sessionOnly)
        #expect(teapot.rating == "g")
        #expect(teapot.posted == 1_738_555_506)
        #expect(teapot.renditions.map(\.width) == [100, 133, 200, 267, 400, 400])
        #expect(teapot.renditions.last?.frames == 30)
        #expect(
            teapot.renditions[0].url
                == "https://media2.giphy.com/media/v1.tea/TeaWobble01/100w.gif"
                + "?cid=tea0&ep=v1_gifs_search&rid=100w.gif&ct=g"
        )
        #expect(teapot.renditions.allSatisfy { !$0.url.contains("_d.gif") && !$0.url.contains("preview") })
        #expect(page.total == 60)
        #expect(page.next == PageToken(source: "giphy", parameters: ["offset": "25"]))
    }

    @Test("Incomplete GIPHY items keep their usable fields")
    func giphyIncompleteItem() async throws {
        let odd = try await page("giphy", "search.json").items[1]
        #expect(odd.title == "Redteapot end")
        #expect(odd.tags == ["teapot", "red"])
        #expect(odd.pageURL == "https://giphy.com/gifs/4071")
        #expect(odd.renditions == [Rendition(url: "https://media2.giphy.com/media/odd/giphy.gif", frames: 8)])
    }

    @Test("Items whose rating exceeds the requested rating are dropped")
    func ratings() async throws {
        #expect(
            try await page("giphy", "search.json", ListingPreferences(rating: .r)).items.map(\.id) == [
                "TeaWobble01", "4071", "TeaSpicy05",
            ])
        #expect(Rating.pg.allows("PG") && Rating.pg.allows("y") && Rating.g.allows(nil) && !Rating.g.allows("pg-13"))
    }

    @Test("The last GIPHY page has no next page")
    func giphyLastPage() async throws {
        #expect(try await page("giphy", "search_last_page.json").next == nil)
    }

    @Test("KLIPY results contain no ads and no clips")
    func klipyItems() async throws {
        let page = try await page("klipy", "search.json")
        #expect(page.items.map(\.id) == ["9007199254740995", "78", "79"])
        let snail = page.items[0]
        #expect(snail.attribution == "Powered by KLIPY · https://klipy.com/gifs/snail-on-skateboard-1")
        #expect(snail.renditions.map(\.bytes) == [50_000, 160_000, 900_000, 2_000_000])
        #expect(snail.cachePolicy == .sessionOnly)
        #expect(page.items[1].title == "Numbers as texts")
        #expect(page.items[1].renditions.map(\.width) == [120, 480])
        #expect(page.items[1].renditions.map(\.bytes) == [nil, 2_000_000])
        #expect(page.items[2].title.isEmpty)
        #expect(page.next == PageToken(source: "klipy", parameters: ["page": "2"]))
        #expect(try await self.page("klipy", "search_last_page.json").next == nil)
    }

    @Test("Commons results are ordered by their search rank and contain no still images")
    func commonsOrder() async throws {
        let page = try await page("commons", "search.json")
        #expect(page.items.map(\.id) == ["7101", "7102", "7103"])
        #expect(page.items.map(\.title) == ["Octopus sprite", "Juggling octopus", "Huge octopus"])
        #expect(page.next == PageToken(source: "commons", parameters: ["gsroffset": "20", "continue": "gsroffset||"]))
    }

    @Test("Commons results contain the author and the licence as plain text")
    func commonsCredit() async throws {
        let items = try await page("commons", "search.json").items
        let octopus = items[1]
        #expect(octopus.author == "Kraken & Sons")
        #expect(octopus.posted == 1_336_126_272 && items[0].posted == nil)
        #expect(octopus.licence == "CC BY-SA 4.0")
        #expect(octopus.licenceURL == "https://creativecommons.org/licenses/by-sa/4.0")
        #expect(
            octopus.attribution
                == "Juggling octopus — Kraken & Sons (CC BY-SA 4.0) · "
                + "https://commons.wikimedia.org/wiki/File:Juggling_octopus.gif"
        )
        #expect(octopus.cachePolicy == .persistent)
        #expect(items[2].author == nil)
        #expect(items[2].licence == "5")
    }

    @Test("A Commons thumbnail is listed as a rendition only if it is not the original file")
    func commonsThumbnail() async throws {
        let items = try await page("commons", "search.json").items
        #expect(items[0].renditions.count == 1)
        #expect(items[1].renditions.map(\.mayBeStill) == [false, true])
        #expect(items[1].renditions.map(\.frames) == [24, nil])
        #expect(items[1].renditions[1].url.hasSuffix("utm_content=thumbnail"))
    }

    @Test("Commons files with an explicit title or description are listed only if the rating r is requested")
    func commonsExplicitFiles() async throws {
        #expect(
            try await page("commons", "search.json", ListingPreferences(rating: .r)).items.map(\.id) == [
                "7101", "7102", "7103", "7105", "7106",
            ])
        #expect(
            ExplicitTextFilter.matches("A PORNO film")
                && !ExplicitTextFilter.matches("Essex, Middlesex; a cocktail in Scunthorpe"))
    }

    @Test("Commons files without image information are dropped")
    func commonsMissingInformation() async throws {
        let page = try await page("commons", "missing_imageinfo.json")
        #expect(page.items.map(\.title) == ["Only duration"])
        #expect(
            page.items[0].renditions == [
                Rendition(
                    url: "https://upload.wikimedia.org/wikipedia/commons/a/ab/Only_duration.gif", width: 40, height: 40,
                    bytes: 900)
            ])
    }

    @Test("GifCities results contain no invalid or duplicate items")
    func gifCitiesItems() async throws {
        let page = try await page("gifcities", "search.json")
        #expect(page.items.map(\.title) == ["area51 dancing ufo", "alien", "bad checksum"])
        let ufo = page.items[0]
        #expect(
            ufo.renditions == [
                Rendition(
                    url: "https://blob.gifcities.org/gifcities/ABCDEFGHIJKLMNOPQRSTUVWXYZ234567.gif",
                    alternatives: [
                        "https://web.archive.org/web/20091020304050if_/"
                            + "http://www.geocities.com/Area51/1234/dancing%20ufo.gif"
                    ],
                    width: 88, height: 62, mayBeStill: true)
            ])
        #expect(
            ufo.pageURL == "https://web.archive.org/web/20091027000000/http://www.geocities.com/Area51/1234/ufo.html")
        #expect(ufo.attribution == "GifCities · Internet Archive · \(ufo.pageURL ?? "")")
        #expect(
            page.items[1].pageURL
                == "https://web.archive.org/web/20091027000000/http://www.geocities.com/Area51/1234/alien.html")
        let odd = page.items[2]
        #expect(odd.pageURL == nil && odd.id == "20091020304050/http://www.geocities.com/Area51/5/x.gif")
        #expect(
            odd.renditions[0].url
                == "https://web.archive.org/web/20091020304050if_/http://www.geocities.com/Area51/5/x.gif")
    }

    @Test("If the GifCities API is unavailable, the GifCities website is searched")
    func gifCitiesSite() async throws {
        let client = ScriptedHTTPClient([
            ("https://gifcities.archive.org/", .success(try Fixture.response("any/outage.html"))),
            (
                "https://gifcities.org/search?q=ufo&offset=0&page_size=50",
                .success(try Fixture.response("gifcities/site.html"))
            ),
        ])
        let page = try await repository("gifcities", client).search(SearchQuery("ufo"), page: nil)
        #expect(page.items.map(\.title) == ["ufo & moon"])
        #expect(
            page.items[0].renditions[0].url
                == "https://blob.gifcities.org/gifcities/ABCDEFGHIJKLMNOPQRSTUVWXYZ234567.gif")
    }

    @Test("Playable items of an Openverse response are kept even if some fields are null")
    func openverseNulls() async throws {
        let page = try await page("openverse", "search.json")
        #expect(page.items.map(\.id.last) == ["1", "2"])
        let lighthouse = page.items[0]
        #expect(lighthouse.licence == "CC BY-SA 4.0")
        #expect(lighthouse.attribution == "\"Turning lighthouse\" by Keeper is licensed under CC BY-SA 4.0.")
        #expect(lighthouse.tags == ["lighthouse"])
        #expect(lighthouse.renditions[0].bytes == 512_000)
        #expect(page.items[1].licence == "Public Domain Mark 1.0")
        #expect(page.items[1].attribution == "(Public Domain Mark 1.0) · https://example.org/lighthouse/2")
        #expect(page.items[1].renditions[0].width == nil)
        #expect(page.next == PageToken(source: "openverse", parameters: ["page": "2"]))
        #expect(try await self.page("openverse", "search_last_page.json").next == nil)
    }

    @Test(
        "An empty listing becomes an empty page without a next page",
        arguments: ["giphy", "klipy", "commons", "gifcities", "openverse"])
    func emptyListing(name: String) async throws {
        let page = try await page(name, "search_empty.json")
        #expect(page.items.isEmpty && page.next == nil)
    }

    @Test("A random GIPHY response is decoded whether its data is an object or an empty list")
    func giphyRandomData() async throws {
        #expect(try await page("giphy", "random.json").items.map(\.id) == ["TeaRandom08"])
        #expect(try await page("giphy", "random_miss.json").items.isEmpty)
    }

    @Test(
        "The texts and URLs of decoded results contain no control characters",
        arguments: ["giphy", "klipy", "commons", "gifcities", "openverse"])
    func safeTextsAndURLs(name: String) async throws {
        for item in try await page(name, "search.json", ListingPreferences(rating: .r)).items {
            let texts = [item.title, item.author ?? "", item.attribution, item.licence ?? "", item.id] + item.tags
            for text in texts { #expect(SafeText.line(text) == text) }
            let addresses =
                [item.pageURL, item.licenceURL].compactMap(\.self)
                + item.renditions.flatMap { [$0.url] + $0.alternatives }
            for address in addresses {
                #expect(address.hasPrefix("http") && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            }
        }
    }
}
