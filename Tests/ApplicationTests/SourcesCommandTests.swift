import Catalog
import Playback
import Testing

@testable import Application

@Suite("Sources command") struct SourcesCommandTests {
    private func lines(
        _ arguments: [String] = [], _ settings: CatalogSettings = CatalogSettings(),
        _ failures: [String: FailureLog.Entry] = [:]
    ) throws -> [String] {
        try SourcesCommand(Invocation(["sources"] + arguments)).lines(settings, failures)
    }

    @Test("Sources are listed in query order with their terms of use, and the built-in samples come last")
    func order() throws {
        let settings = CatalogSettings(order: ["openverse", "commons"])
        let lines = try lines([], settings)
        let names = lines.filter { !$0.hasPrefix(" ") }.map { line in String(line.prefix { $0 != " " }) }
        #expect(Array(names.prefix(2)) == ["openverse", "commons"])
        #expect(lines.last == "samples  Built-in GIFs")
        for profile in GIFSources.profiles { #expect(lines.contains("    " + profile.terms)) }
    }

    @Test("For a source that needs a key, the list states whether the key is set but never contains the key")
    func keys() throws {
        var settings = CatalogSettings()
        #expect(try lines([], settings).contains { $0.hasSuffix(" — not queried: no key in GIPHY_API_KEY") })
        settings.keys["giphy"] = Secret("SeCrEt0123456789")
        let withKey = try lines([], settings)
        #expect(withKey.contains { $0.hasPrefix("giphy  ") && $0.hasSuffix(" — key is set") })
        #expect(!withKey.joined().contains("SeCrEt"))
        #expect(withKey.contains { $0.hasPrefix("commons  ") && !$0.contains("key") })
    }

    @Test("The last failure of a source is printed after its terms of use")
    func failures() throws {
        let failures = ["commons": FailureLog.Entry(seconds: Int.max / 2, message: "HTTP 503, service unavailable")]
        let lines = try lines(["--source", "commons"], CatalogSettings(), failures)
        #expect(lines.count == 3 && lines.last == "    failed just now: HTTP 503, service unavailable")
    }

    @Test("With --source, only this source is listed")
    func single() throws {
        #expect(try lines(["--source", "giphy"]).filter { !$0.hasPrefix(" ") }.count == 1)
        #expect(try lines(["--source", "samples"]) == ["samples  Built-in GIFs"])
    }

    @Test("The tags of the samples are aligned in a column after the titles")
    func samples() throws {
        let lines = SamplesCommand.lines(width: .max)
        #expect(lines.count == Sample.all.count)
        for (line, sample) in zip(lines, Sample.all) {
            #expect(line.hasPrefix(sample.title) && line.hasSuffix("  " + sample.tags.joined(separator: " ")))
        }
        let starts = zip(lines, Sample.all).map { line, sample in
            line.count - sample.tags.joined(separator: " ").count
        }
        #expect(Set(starts).count == 1)
    }

    @Test("On a terminal, the samples fit 80 columns and show only whole tags", arguments: [80, 60])
    func fittedSamples(width: Int) {
        let lines = SamplesCommand.lines(width: width)
        #expect(lines.count == Sample.all.count)
        for (line, sample) in zip(lines, Sample.all) {
            #expect(TerminalText.width(line) <= width && line.hasPrefix(sample.title))
            let tags = line.dropFirst(sample.title.count).split(separator: " ").filter { $0 != "…" }.map(String.init)
            #expect(!tags.isEmpty && Array(sample.tags.prefix(tags.count)) == tags, "\(line)")
        }
    }
}
