import Foundation
import Testing

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
