import Foundation
import Testing

@testable import Catalog

@Suite struct SampleTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Samples")

    @Test("Every file of Samples/ is embedded, byte for byte")
    func embedded() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".gif") }
        #expect(files.count >= 12)
        #expect(Set(files) == Set(Sample.all.map { $0.name + ".gif" }))
        for sample in Sample.all {
            let bytes = try Data(contentsOf: folder.appendingPathComponent(sample.name + ".gif"))
            #expect(bytes.elementsEqual(sample.bytes), "\(sample.name)")
        }
    }

    @Test("Each has a title and tags of its own")
    func described() {
        #expect(Set(Sample.all.map(\.title)).count == Sample.all.count)
        #expect(Sample.all.allSatisfy { $0.tags.count >= 5 && $0.tags == $0.tags.map { $0.lowercased() } })
    }

    @Test(
        "Words find what they say, best first",
        arguments: [
            ("dancing cat", "dancing-cat"), ("cat dancing", "dancing-cat"), ("a DANCING cat!", "dancing-cat"),
            ("robot", "dancing-robot"), ("fire", "campfire"), ("heart", "beating-heart"),
            ("sleeping cats", "sleeping-cat"),
            ("rain", "city-rain"), ("pixel art slime", "pixel-slime"),
        ])
    func search(words: String, name: String) {
        #expect(SampleSearch().search(words).first?.name == name)
    }

    @Test("More matching words go before better ones")
    func ranking() {
        let hits = SampleSearch().search("party cat").map(\.name)
        #expect(hits.first == "party-cat")
        #expect(hits.contains("dancing-cat") && hits.contains("sleeping-cat"))
    }

    @Test("What is not there is not found, and what is near is offered")
    func near() {
        #expect(SampleSearch().search("quetzalcoatl").isEmpty)
        #expect(SampleSearch().near("quetzalcoatl").isEmpty)
        #expect(SampleSearch().search("dancign").isEmpty)
        #expect(SampleSearch().near("dancign").first == "dancing")
        #expect(SampleSearch().near("robto").contains("robot"))
        #expect(GIFSources.suggestions(for: "dancign robot").first == "dancing")
        #expect(!GIFSources.suggestions(for: "dancing robot").contains("robot"))
        #expect(SampleSearch().search("").isEmpty)
    }
}
