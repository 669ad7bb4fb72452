import Base
import Catalog
import Library
import LoadingSupport
import TestServer
import Testing

@testable import Application

@Suite("Checks of doctor") struct DoctorChecksTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var environment: [String: String] {
        ["XDG_CACHE_HOME": folder.path + "/cache", "XDG_DATA_HOME": folder.path + "/data"]
    }

    private func storage(_ environment: [String: String]) throws -> [Finding] {
        let settings = try Settings(isOffline: true, size: (80, 48), environment: environment)
        return StorageChecks(settings: settings, environment: environment).findings
    }

    @Test("A finding is printed as one line with its status, subject, text and advice")
    func lines() {
        #expect(Finding("cache", "empty").line == "ok       cache: empty")
        #expect(Finding("cache", "full", .warning, "empty it").line == "warning  cache: full; empty it")
        #expect(Finding("cache", "broken", .error).line == "error    cache: broken")
    }

    @Test("The JSON of a finding without advice has no 'advice' field")
    func json() {
        #expect(
            JSONLine.text(Finding("cache", "empty"))
                == "{\"status\":\"ok\",\"subject\":\"cache\",\"text\":\"empty\"}")
    }

    @Test("A missing cache and a missing library are reported as 'ok' and are not created")
    func missingFiles() throws {
        let findings = try storage(environment)
        #expect(findings.map(\.status) == [.ok, .ok] && findings.map(\.subject) == ["cache", "library"])
        #expect(findings.allSatisfy { $0.text.hasSuffix(" does not exist yet") } && folder.names().isEmpty)
    }

    @Test("If HOME is not set, the cache and the library each get a warning with advice")
    func noFolders() throws {
        let findings = try storage([:])
        #expect(findings.map(\.status) == [.warning, .warning] && findings.map(\.advice) == ["set HOME", "set HOME"])
    }

    @Test("The files of the cache are counted and checked")
    func cache() throws {
        let session = ServiceSession(
            try Settings(isOffline: true, size: (80, 48), environment: environment))
        let cache = try #require(session.cache)
        let writer = try cache.writer(for: "https://a.example/a.gif")
        try [UInt8](repeating: 1, count: 2_000).withUnsafeBytes { try writer.append($0) }
        try writer.commit()
        session.close()
        let finding = try #require(try storage(environment).first)
        #expect(finding.status == .ok && finding.text.contains(": 1 file, 2 kB of 512 MiB, all intact"))
    }

    @Test("The marks in the library are counted, and its file is checked")
    func library() async throws {
        let path = folder.path + "/data/gifplay/library.sqlite"
        let library = try Library(path: path, options: .init())
        try await library.setFavourite(.titled("cat"), true, at: 5)
        try await library.setDismissed([.titled("dog"), .titled("cow")], true, at: 6)
        let finding = try #require(try storage(environment).last)
        #expect(finding.status == .ok && finding.text.hasPrefix(path + ": "))
        #expect(finding.text.hasSuffix(", 1 favourite, 0 viewed, 2 dismissed, integrity check passed"))
        withExtendedLifetime(library) {}
    }

    @Test("A damaged library is reported as an error")
    func damagedLibrary() throws {
        let path = try #require(try storage(environment).last?.text.split(separator: " ").first.map(String.init))
        #expect(path == folder.path + "/data/gifplay/library.sqlite")
        try FileSystem.makeDirectory(folder.path + "/data/gifplay")
        try folder.write(Array("rubbish\n".utf8), to: "data/gifplay/library.sqlite")
        let finding = try #require(try storage(environment).last)
        #expect(finding.status == .error && finding.text.contains("gifplay/library.sqlite is damaged: "))
    }

    @Test("Offline, no source is queried")
    func sources() throws {
        let settings = try Settings(isOffline: true, size: (80, 48), environment: [:])
        let findings = SourceChecks(settings: settings, environment: [:]).findings
        #expect(
            findings.map(\.line) == [
                "ok       sources: not queried, because --offline or GIFPLAY_OFFLINE is set"
            ])
    }

    @Test("The versions of gifplay and its libraries are listed")
    func versions() {
        let findings = Finding.versions
        #expect(findings.map(\.subject) == ["gifplay", "giflib", "libcurl", "SQLite"])
        #expect(findings[0].text == Product.version && findings[3].text.hasPrefix("3."))
    }
}
