import Base
import Catalog
import Foundation
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

    @Test("A finding is a line with its status, subject, text and advice, or JSON without a field for no advice")
    func lines() {
        #expect(Finding("cache", "empty").line == "ok       cache: empty")
        #expect(Finding("cache", "full", .warning, "empty it").line == "warning  cache: full; empty it")
        #expect(Finding("cache", "broken", .error).line == "error    cache: broken")
        #expect(JSONLine.text(Finding("cache", "empty")) == #"{"status":"ok","subject":"cache","text":"empty"}"#)
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
        let session = ServiceSession(try Settings(isOffline: true, size: (80, 48), environment: environment))
        try session.store([UInt8](repeating: 1, count: 2_000), as: "https://a.example/a.gif")
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
        let lines = SourceChecks(settings: settings, environment: [:]).findings.map(\.line)
        #expect(lines == ["ok       sources: not queried, because --offline or GIFPLAY_OFFLINE is set"])
    }

    @Test("The versions of gifplay and its libraries are listed")
    func versions() {
        let findings = Finding.versions
        #expect(findings.map(\.subject) == ["gifplay", "giflib", "libcurl", "SQLite"])
        #expect(findings[0].text == Product.version && findings[3].text.hasPrefix("3."))
    }
}

@Suite("Source checks", .timeLimit(.minutes(5)))
struct SourceChecksTests {
    /// Checks one source on a thread of its own.
    private func findings(
        _ source: String, _ environment: [String: String], contact: String = "me@example.org"
    ) async throws -> [Finding] {
        let environment = environment.merging(["GIFPLAY_CONTACT": contact]) { $1 }
        let settings = try Settings(source: source, size: (80, 48), environment: environment)
        return try await onOwnThread { SourceChecks(settings: settings, environment: environment).findings }
    }

    @Test("A source that returns results is reported as working")
    func works() async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/openverse/search.json")
        let body = Array(try Data(contentsOf: fixture))
        let server = try await LoopbackServer { _, _ in .init(headers: ["Content-Type": "application/json"], body: body)
        }
        let findings = try await findings("openverse", ["GIFPLAY_ENDPOINT_OPENVERSE": server.base])
        #expect(findings.map(\.status) == [.ok] && findings.first?.subject == "source openverse")
        #expect(findings.first?.text.hasPrefix("works: ") == true)
        #expect(findings.first?.text.hasSuffix(" ms, without a proxy") == true)
        #expect(server.requests.count == 1)
    }

    @Test("A source that fails is reported as an error with the reason")
    func fails() async throws {
        let server = try await LoopbackServer { _, _ in .init(404, text: "") }
        let finding = try await findings("openverse", ["GIFPLAY_ENDPOINT_OPENVERSE": server.base]).first
        #expect(finding?.status == .error)
        #expect(finding?.text == "fails: HTTP 404, not found, without a proxy")
        #expect(finding?.advice == nil)
    }

    @Test("Without a contact, a warning says that Wikimedia limits the requests, and how to set one")
    func noContact() async throws {
        let finding = try await findings("giphy", [:], contact: "").first
        #expect(finding?.status == .warning && finding?.subject == "contact")
        #expect(finding?.text.contains("Wikimedia") == true && finding?.advice?.contains("--contact ") == true)
    }

    @Test("A source whose key is not set is not queried and is reported as 'ok'")
    func noKey() async throws {
        let findings = try await findings("giphy", [:])
        #expect(findings.map(\.line) == ["ok       source giphy: not queried, because its key is not set"])
    }
}

/// Tests the checks of environment variables. The other checks query the terminal.
@Suite("Terminal checks") struct TerminalChecksTests {
    private func checks(_ environment: [String: String]) -> TerminalChecks { TerminalChecks(environment: environment) }

    @Test("The type of the terminal is reported with the terminal program and the multiplexer")
    func terminalType() {
        #expect(checks(["TERM": "xterm"]).terminalType.line == "ok       terminal type: xterm (TERM)")
        let all = ["TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TMUX": "/tmp/tmux", "STY": "1"]
        #expect(checks(all).terminalType.text == "tmux-256color (TERM), tmux, in tmux")
        #expect(checks(["TERM": "screen", "STY": "1"]).terminalType.text == "screen (TERM), in screen")
        for environment in [[:], ["TERM": ""]] {
            #expect(checks(environment).terminalType.status == .warning)
        }
        let dumb = checks(["TERM": "dumb"]).terminalType
        #expect(dumb.status == .error && dumb.text == "TERM is dumb" && dumb.advice != nil)
    }

    @Test(
        "The first variable of the locale that is set determines the encoding",
        arguments: [
            (["LANG": "C.UTF-8"], "ok       encoding: UTF-8 (LANG)"),
            (["LC_ALL": "de_DE.utf8", "LANG": "C"], "ok       encoding: UTF-8 (LC_ALL)"),
            (["LC_ALL": "", "LC_CTYPE": "en_GB.UTF-8"], "ok       encoding: UTF-8 (LC_CTYPE)"),
            (["LC_CTYPE": "C", "LANG": "C.UTF-8"], "warning  encoding: LC_CTYPE is C, which is not UTF-8"),
            ([:], "warning  encoding: no locale is set"),
        ])
    func encoding(environment: [String: String], line: String) {
        #expect(checks(environment).encoding.line.hasPrefix(line))
    }

    @Test(
        "If the terminal does not report its colours, the environment determines them",
        arguments: [
            (["COLORTERM": "truecolor"], "ok       colours: 24-bit (COLORTERM)"),
            (["COLORTERM": "24bit"], "ok       colours: 24-bit (COLORTERM)"),
            (["TERM": "xterm-direct"], "ok       colours: 24-bit (TERM and terminfo)"),
            (["COLORTERM": "yes", "TERM": "xterm-256color"], "ok       colours: 256 (TERM and terminfo)"),
            (["TERM": "linux"], "ok       colours: 8 (TERM and terminfo)"),
            (["TERM": "vt100"], "ok       colours: none (TERM and terminfo)"),
            (
                ["COLORTERM": "truecolor", "NO_COLOR": "1"],
                "warning  colours: NO_COLOR is set, so gifplay does not draw"
            ),
        ])
    func colors(environment: [String: String], line: String) {
        #expect(checks(environment).colors(nil).line.hasPrefix(line))
    }
}

@Suite("Configuration check") struct ConfigurationCheckTests {
    @Test("The check reports where each API key is set, but not the key itself")
    func keys() throws {
        let environment = ["GIPHY_API_KEY": "hush"]
        let settings = try Settings(size: (80, 48), environment: environment)
        let findings = ConfigurationCheck.keys(settings)
        #expect(findings.map(\.status) == [.ok, .ok] && findings.allSatisfy { !$0.line.contains("hush") })
        #expect(findings.first?.text == "the key of GIPHY is from GIPHY_API_KEY")
        #expect(findings.last?.text.hasPrefix("KLIPY_API_KEY is not set, so ") == true)
        // If the environment variable is empty, the key comes from the configuration.
        let folder = try ConfigurationFolder("\n--key giphy=hush")
        let configured = try folder.withEnvironment(["GIPHY_API_KEY": ""]) { try Settings(environment: $0) }
        #expect(ConfigurationCheck.keys(configured).first?.text == "the key of GIPHY is from \(folder.path):2")
    }

    @Test("The check reports certificates that cannot be used, also those of a variable")
    func certificates() throws {
        let finding = ConfigurationCheck.certificates(try Settings(environment: ["SSL_CERT_FILE": "/nosuch/a.pem"]))
            .first
        #expect(finding?.status == .error && finding?.text == "/nosuch/a.pem: No such file or directory")
        #expect(ConfigurationCheck.certificates(try Settings(environment: ["SSL_CERT_FILE": "/dev/null"])).isEmpty)
        #expect(ConfigurationCheck.certificates(try Settings(environment: [:])).isEmpty)
    }

    @Test("The check reports the number of Reddit communities and whether public feeds are used")
    func communities() throws {
        var settings = try Settings(size: (80, 48), environment: [:])
        settings.catalog.reddit.communities = ["gifs", "cats"]
        #expect(ConfigurationCheck.keys(settings).last?.text == "2 communities; public feeds are used")
    }
}
