import Base
import Catalog
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Service session") struct ServiceSessionTests {
    /// Returns the names of the sources that a session queries, in order.
    private func sources(_ settings: Settings) throws -> [String] {
        let session = ServiceSession(settings)
        defer { session.close() }
        return try session.repository().links.map(\.repository.name)
    }

    private func failure(_ settings: Settings) -> Failure? { thrown(Failure.self) { try sources(settings) } }

    @Test("Services whose API key is missing are not queried; the built-in samples come last")
    func order() throws {
        let keyless = ["commons", "emoji", "gifcities", "openverse", "samples"]
        #expect(try sources(Settings(size: (80, 48), environment: [:])) == keyless)
        let environment = ["GIPHY_API_KEY": "a"]
        #expect(try sources(Settings(size: (80, 48), environment: environment)) == ["giphy"] + keyless)
    }

    @Test("With a single source, only this source is queried")
    func single() throws {
        #expect(try sources(Settings(source: "giphy", size: (80, 48), environment: [:])) == ["giphy"])
        let samples = try Settings(source: "samples", isOffline: true, size: (80, 48), environment: [:])
        #expect(try sources(samples) == ["samples"])
    }

    @Test("Offline, the built-in samples are the only source, and any other source is refused")
    func offline() throws {
        #expect(try sources(Settings(isOffline: true, size: (80, 48), environment: [:])) == ["samples"])
        let giphy = try Settings(source: "giphy", isOffline: true, size: (80, 48), environment: [:])
        #expect(failure(giphy)?.message == "giphy cannot be queried while --offline or GIFPLAY_OFFLINE is set")
        #expect(failure(giphy)?.status == .failure)
    }

    @Test("An unknown source is a usage error that suggests a similar source")
    func unknownSource() throws {
        let error = failure(try Settings(source: "gipy", size: (80, 48), environment: [:]))
        #expect(error?.message.hasPrefix("unknown source 'gipy'; did you mean giphy?") == true)
        #expect(error?.status == .usage)
    }

    @Test("Without a folder for the cache, nothing is cached; an unusable folder does not prevent playback")
    func noCache() throws {
        let none = ServiceSession(try Settings(size: (80, 48), environment: [:]))
        #expect(none.cache == nil && none.cachedReferences.isEmpty && none.failures.path == nil)
        let folder = try TemporaryDirectory()
        try folder.write([1], to: "file")
        let environment = ["XDG_CACHE_HOME": folder.path + "/file"]
        let unusable = ServiceSession(try Settings(size: (80, 48), environment: environment))
        #expect(unusable.cache == nil && unusable.cachingFailure == nil)
    }

    @Test("The cache has the configured size, and is closed with the session")
    func cache() throws {
        let folder = try TemporaryDirectory()
        var settings = try Settings(size: (80, 48), environment: ["XDG_CACHE_HOME": folder.path])
        settings.cacheBytes = 4_096
        let session = ServiceSession(settings)
        #expect(session.cache?.limit == 4_096 && session.cache === session.cache)
        #expect(session.failures.path == folder.path + "/gifplay/failures.json")
        session.recordCachingFailure(of: nil)
        session.close()
        #expect(session.cache == nil && session.cachingFailure == nil)
    }

    @Test("Failures of services become notices of the session")
    func notices() throws {
        let session = ServiceSession(try Settings(size: (80, 48), environment: [:]))
        session.settings.catalog.onFailure(Failure.keyRefused(variable: "K", message: nil).of("giphy"))
        #expect(session.notices.takeUndisplayed() == [.keyRefused(variable: "K")])
    }
}

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
