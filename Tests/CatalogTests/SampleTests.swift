import Base
import Foundation
import Testing

@testable import Application
@testable import Catalog

@Suite struct SampleTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Samples")

    @Test("Every file in Samples/ is embedded byte for byte")
    func embedded() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".gif") }
        #expect(files.count >= 12)
        #expect(Set(files) == Set(Sample.all.map { $0.name + ".gif" }))
        for sample in Sample.all {
            let bytes = try Data(contentsOf: folder.appendingPathComponent(sample.name + ".gif"))
            #expect(bytes.elementsEqual(sample.bytes), "\(sample.name)")
        }
    }

    @Test("Every sample has a unique title and at least five lower-case tags")
    func described() {
        #expect(Set(Sample.all.map(\.title)).count == Sample.all.count)
        #expect(Sample.all.allSatisfy { $0.tags.count >= 5 && $0.tags == $0.tags.map { $0.lowercased() } })
    }

    @Test(
        "The first result of a query is the matching sample",
        arguments: [
            ("dancing cat", "dancing-cat"), ("cat dancing", "dancing-cat"), ("a DANCING cat!", "dancing-cat"),
            ("robot", "dancing-robot"), ("fire", "campfire"), ("heart", "beating-heart"),
            ("sleeping cats", "sleeping-cat"), ("sleepy cat", "sleeping-cat"), ("sleep", "sleeping-cat"),
            ("danc", "dancing-cat"), ("dance", "dancing-cat"), ("cats that danced", "dancing-cat"),
            ("bouncy", "bouncing-ball"), ("hops", "pixel-slime"), ("kissing", "beating-heart"),
            ("rain", "city-rain"), ("pixel art slime", "pixel-slime"),
        ])
    func search(query: String, name: String) {
        #expect(SampleSearch().search(query).first?.name == name)
    }

    @Test("Samples that match more terms come first")
    func ranking() {
        let hits = SampleSearch().search("party cat").map(\.name)
        #expect(hits.first == "party-cat")
        #expect(hits.contains("dancing-cat") && !hits.contains("sleeping-cat"))
    }

    @Test("A query that matches no sample has no results; for a misspelt term, similar words are suggested")
    func similarTerms() {
        #expect(SampleSearch().search("quetzalcoatl").isEmpty)
        #expect(SampleSearch().similarTerms(to: "quetzalcoatl").isEmpty)
        #expect(SampleSearch().search("dancign").isEmpty)
        #expect(SampleSearch().similarTerms(to: "dancign").first == "dancing")
        #expect(SampleSearch().similarTerms(to: "robto").contains("robot"))
        #expect(SampleSearch().search("").isEmpty)
    }

    @Test(
        "Similar terms begin with the same letter, and a word that is known or a filler has no other",
        arguments: [
            ("shurg", ["shrug"]), ("glückwnusch", ["glueckwunsch"]), ("guten mogren", ["guten morgen"]),
            ("tabel flip", ["flip", "table flip"]), ("facepam", ["facepalm"]), ("nicht lustig", []), ("on mute", []),
            ("build failed xyz", []), ("xyz robot", ["robot"]), ("really mute", []),
        ])
    func hints(query: String, terms: [String]) {
        #expect(SampleSearch().similarTerms(to: query) == terms)
    }
}

@Suite("Emoji and nekos.best") struct EmojiTests {
    private static let index = "https://googlefonts.github.io/noto-emoji-animation/data/api.json"

    private func repository(
        _ client: ScriptedHTTPClient, _ change: (inout CatalogSettings) -> Void = { _ in }
    ) throws -> any GIFRepository {
        var settings = CatalogSettings.test(keyed: false)
        change(&settings)
        return try GIFSources.repository(named: "emoji", settings: settings, client: client)
    }

    private func client() throws -> ScriptedHTTPClient {
        ScriptedHTTPClient(.success(try Fixture.response("emoji/search.json")))
    }

    @Test(
        "A tag, an everyday synonym and the emoji itself find the emoji",
        arguments: [
            ("mind blown", "1f92f"), ("applause", "1f44f"), ("coffee", "2615"), ("thumbs up", "1f44d"),
            ("crying laughing", "1f602"), ("👏", "1f44f"), ("👏🏽", "1f44f"), ("❤", "2764_fe0f"), ("dog", "1f436"),
            (":+1:", "1f44d"), ("+1", "1f44d"), ("👍🏿", "1f44d"), (":clap::skin-tone-2:", "1f44f"), ("a dog", "1f436"),
        ])
    func words(query: String, codepoint: String) async throws {
        let client = try client()
        let found = try await repository(client).search(SearchQuery(query), page: nil)
        let first = try #require(found.items.first)
        #expect(
            first.id == codepoint && first.renditions[0].alternatives.first?.hasSuffix("/\(codepoint)/512.gif") == true)
        #expect(first.attribution.contains("Animated Noto Emoji by Google") && first.licence == "CC BY 4.0")
        #expect(ResultRanking(query).bestScore(of: [first]) > 0 || query.unicodeScalars.allSatisfy { !$0.isASCII })
        // The query leaves nothing.
        #expect(client.requests.map(\.url) == [Self.index])
    }

    @Test(
        "The size fits the pane, and a larger pane gets the whole file",
        arguments: [(60, "=w64"), (200, "=w256"), (600, "512.gif")])
    func sizes(width: Int, ending: String) async throws {
        let query = SearchQuery("dog", preferences: ListingPreferences(targetWidth: width))
        let found = try await repository(try client()).search(query, page: nil)
        #expect(found.items.first?.renditions.first?.url.hasSuffix(ending) == true)
    }

    @Test("The rating g leaves out what only the rating r allows, and other words find nothing")
    func ratings() async throws {
        for (rating, count) in [(Rating.g, 0), (.r, 1)] {
            let query = SearchQuery("middle finger", preferences: ListingPreferences(rating: rating))
            #expect(try await repository(try client()).search(query, page: nil).items.count == count)
        }
        #expect(try await repository(try client()).search(SearchQuery("railway"), page: nil).items.isEmpty)
    }

    @Test(
        "A query that shares only a stop word or a negation with a tag finds nothing",
        arguments: ["no", "not", "of the", "mouth", "thumbs dog"])
    func partialTags(query: String) async throws {
        let icon = { (code: String, tag: String) in #"{"codepoint": "\#(code)", "tags": [":\#(tag):"]}"# }
        let icons = [icon("1f636", "no-mouth"), icon("1f9d1", "of-the-dog"), icon("1f44d", "thumbs-up")]
        let body = Array(#"{"icons": [\#(icons.joined(separator: ","))]}"#.utf8)
        let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200, headers: [:], body: body)))
        #expect(try await repository(client).search(SearchQuery(query), page: nil).items.isEmpty)
    }

    @Test("The index is requested once, and stored for later runs")
    func storing() async throws {
        let client = try client()
        let stored = Monitor<[String: [UInt8]]>([:])
        for _ in 0..<2 {
            let emoji = try repository(client) { settings in
                settings.storedIndex = { name in stored.withLock { $0[name] } }
                settings.storeIndex = { name, bytes in stored.withLock { $0[name] = bytes } }
            }
            for query in ["dog", "fire"] {
                #expect(try await emoji.search(SearchQuery(query), page: nil).items.count == 1)
            }
        }
        #expect(client.requests.count == 1)
    }

    @Test("In a chain, an emoji comes first for its own words, and is not queried for others without an index")
    func chain() async throws {
        let client = ScriptedHTTPClient([
            (Self.index, .success(try Fixture.response("emoji/search.json"))),
            ("https://commons.wikimedia.org/", .success(try Fixture.response("commons/search.json"))),
        ])
        let chain = try ServiceChain(.test(keyed: false), client, last: SampleRepository())
        #expect(try await chain.search(SearchQuery("dancing cat"), page: nil).items.first?.provider == "commons")
        #expect(!client.requests.contains { $0.url == Self.index })
        #expect(try await chain.search(SearchQuery("Applause"), page: nil).items.first?.provider == "emoji")
        #expect(try await chain.search(SearchQuery("fire"), page: nil).items.first?.id == "1f525")
    }

    @Test("nekos.best is queried only if it is named, for one of its categories")
    func nekos() async throws {
        var settings = CatalogSettings.test(keyed: false)
        settings.order = ["nekos"]
        let client = ScriptedHTTPClient(.success(try Fixture.response("nekos/search.json")))
        let chain = try ServiceChain(settings, client, last: SampleRepository())
        let found = try await chain.search(SearchQuery("high five"), page: nil)
        #expect(found.items.first?.author == "Fixture Show" && found.items.count == 1)
        #expect(client.requests.map(\.url) == ["https://nekos.best/api/v2/highfive?amount=20"])
        _ = try await chain.search(SearchQuery("railway"), page: nil)
        #expect(client.requests.count == 1)
    }
}
