import Foundation
import TestServer
import Testing

/// Tests the configuration file, `gifplay sources` and `gifplay cache` with the real program.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SettingsTests {
    /// Creates a directory for XDG_CONFIG_HOME that contains this configuration.
    private func folder(_ configuration: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let inner = folder.url.appendingPathComponent("gifplay")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data(configuration.utf8).write(to: inner.appendingPathComponent("config.toml"))
        return folder
    }

    @Test(
        "A key of thousands of parts is refused or read, and never ends the program",
        arguments: ["%b=1", "[%b]", "x={%b=1}"], [4_096, 4_097, 200_000])
    func dottedKeys(form: String, dots: Int) throws {
        let folder = try folder(form.replacing("%", with: String(repeating: "a.", count: dots)))
        let outcome = try runGifplay(["sources"], environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(outcome.status == 2 && outcome.errors.contains("config.toml, line 1: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("more than 4096 dots") == (dots > 4_096))
    }

    @Test("The configuration sets sources, API keys and endpoints; environment variables and options override it")
    func precedence() throws {
        let site = try FakeSite { request, base in
            if request.path.hasPrefix("/giphy") { return try FakeSite.fixture("giphy/search.json", base) }
            if request.path.hasPrefix("/commons") { return try FakeSite.fixture("commons/search.json", base) }
            return .text("", status: 404)
        }
        let folder = try folder(
            """
            sources = ["commons", "giphy"]
            rating = "pg"
            [keys]
            giphy = "FromTheFile"
            [endpoints]
            commons = "\(site.base)/commons"
            giphy = "\(site.base)/giphy"
            """)
        let environment = ["GIFPLAY_OFFLINE": "0", "XDG_CONFIG_HOME": folder.url.path]
        func list(_ arguments: [String], _ additions: [String: String] = [:]) throws -> String {
            try runGifplay(
                ["--list", "--json"] + arguments + ["octopus"], environment: environment.merging(additions) { $1 }
            ).text
        }
        #expect(try list([]).contains("\"source\":\"commons\""))
        #expect(try list(["--source", "giphy"]).contains("\"source\":\"giphy\""))
        #expect(site.requestLines.last?.contains("api_key=FromTheFile&") == true)
        #expect(site.requestLines.last?.contains("rating=pg&") == true)
        _ = try list(["--source", "giphy", "--rating", "r"], ["GIPHY_API_KEY": "FromTheShell"])
        #expect(site.requestLines.last?.contains("api_key=FromTheShell&") == true)
        #expect(site.requestLines.last?.contains("rating=r&") == true)
    }

    @Test("A configured mode determines the size of the requested files, as the option does")
    func configuredMode() throws {
        let site = try FakeSite { _, base in try FakeSite.fixture("commons/search.json", base) }
        func isLarge(_ text: String, _ arguments: [String] = []) throws -> Bool? {
            let folder = try folder(text)
            let environment = site.environment(["XDG_CONFIG_HOME": folder.url.path])
            let list = ["--source", "commons", "--list", "--size", "80x24", "octopus"]
            #expect(try runGifplay(list + arguments, environment: environment).status == 0)
            return site.requestLines.last?.contains("iiurlwidth=250")
        }
        #expect(try isLarge("") == false && isLarge("", ["--mode", "octant"]) == true)
        #expect(try isLarge("mode = \"octant\"") == true)
        #expect(try isLarge("mode = \"octant\"", ["--mode", "half"]) == false)
    }

    @Test(
        "An error in the configuration is reported with its line number",
        arguments: [
            ("\nratng = \"g\"", "line 2: unknown setting 'ratng'"),
            ("every = \"soon\"\nratng = \"g\"", "line 1: every should be a time"),
            ("[reddit]\nclient-id = \" \"\nclient-secret = \"hush\"", "line 3: client-secret needs client-id"),
            (
                "mode = \"braille\"",
                "line 1: mode should be half, quadrant, sextant, octant, kitty, iterm2, sixel or auto, not 'braille'"
            ),
        ])
    func invalid(text: String, message: String) throws {
        let folder = try folder(text)
        let outcome = try runGifplay(["dancing cat"], environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("config.toml, " + message), "\(outcome.errors)")
        #expect(!outcome.errors.contains("hush"))
    }

    @Test("A file plays despite an error in the configuration")
    func errorAndFile() throws {
        let folder = try folder("ratng = \"g\"")
        let environment = ["XDG_CONFIG_HOME": folder.url.path]
        let outcome = try runGifplay(["--size", "8x4", Binary.sample("campfire")], environment: environment)
        #expect(outcome.status == 0 && !outcome.output.isEmpty)
        #expect(outcome.errors.contains("config.toml, line 1: unknown setting 'ratng'"))
        #expect(outcome.errors.hasSuffix("; the configuration is ignored\n"))
        #expect(try runGifplay(["--size", "8x4"], environment: environment).status == 2)
    }

    @Test("The setting color = \"always\" overrides NO_COLOR")
    func color() throws {
        let file = Binary.sample("campfire")
        func status(_ color: String, _ arguments: [String] = []) throws -> Int32 {
            let folder = try folder("color = \"\(color)\"")
            let environment = ["XDG_CONFIG_HOME": folder.url.path, "NO_COLOR": "1"]
            return try runGifplay(["--size", "8x4", file] + arguments, environment: environment).status
        }
        #expect(try status("always") == 0)
        #expect(try status("auto") == 1)
        #expect(try status("always", ["--color", "auto"]) == 1)
    }

    @Test("'sources' lists the services with their last failures, prints no API key and sends no request")
    func sources() throws {
        let site = try FakeSite { _, _ in .text("", status: 404) }
        let environment = site.environment(["GIPHY_API_KEY": "SeCrEt0123456789"])
        let cache = try TemporaryFolder()
        let table = try runGifplay(["sources"], environment: environment)
        #expect(table.status == 0 && site.requestLines.isEmpty)
        let agent = "gifplay/\(try version()) libcurl/"
        #expect(table.text.contains("user agent: " + agent), "\(table.text)")
        #expect(table.text.contains("GIPHY — key is set") && table.text.contains("no key in KLIPY_API_KEY"))
        let one = try runGifplay(["sources", "--source", "giphy"], environment: environment)
        #expect(one.text.contains("GIPHY — key is set") && !one.text.contains("klipy") && !one.text.contains("samples"))
        let unknown = try runGifplay(["sources", "--source", "gipy"], environment: environment)
        #expect(unknown.status == 2 && unknown.errors.contains("gipy"), "\(unknown.errors)")
        let named = try runGifplay(["sources"], environment: environment.merging(["GIFPLAY_CONTACT": "me"]) { $1 })
        #expect(named.text.contains(" (me) libcurl/"))
        let withCache = environment.merging(["XDG_CACHE_HOME": cache.url.path]) { $1 }
        _ = try runGifplay(["--size", "9x5", "octopus"], environment: withCache)
        #expect(!site.requestLines.isEmpty)
        #expect(site.server.requests.allSatisfy { $0.contains("User-Agent: " + agent) })
        let later = try runGifplay(["sources"], environment: withCache)
        #expect(later.text.contains("failed just now: HTTP 404, not found"), "\(later.text)")
        #expect(!(table.text + later.text + later.errors).contains("SeCrEt"))
    }

    private func version() throws -> String {
        try #require(try runGifplay(["--version"]).text.split { $0.isWhitespace }.dropFirst().first.map(String.init))
    }

    @Test("'cache' prints the number of cached files, 'cache --clear' deletes them, and their names contain no URL")
    func cache() throws {
        let folder = try TemporaryFolder()
        let site = try FakeSite { _, _ in try .gif("campfire") }
        let environment = ["GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": folder.url.path]
        _ = try runGifplay(["--animate", "--size", "9x5", "\(site.base)/secret.gif"], environment: environment)
        #expect(try runGifplay(["cache"], environment: environment).text.contains("1 file, "))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 3 && names.allSatisfy { !$0.contains("secret") }, "\(names)")
        #expect(try runGifplay(["cache", "--clear"], environment: environment).text.contains("removed"))
        #expect(try runGifplay(["cache"], environment: environment).text.contains("0 files, 0 B of 512 MiB"))
    }
}
