import Foundation
import TestServer
import Testing

/// The configuration file, `gifplay sources` and `gifplay cache`, with the real program.
@Suite(.timeLimit(.minutes(15))) struct SettingsTests {
    /// Creates a directory for XDG_CONFIG_HOME that contains this configuration.
    private func folder(_ configuration: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let inner = folder.url.appendingPathComponent("gifplay")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data(configuration.utf8).write(to: inner.appendingPathComponent("config.toml"))
        return folder
    }

    @Test("The file gives the order, the keys and the addresses; environment and flags go before it")
    func precedence() throws {
        let site = try Site { request, base in
            if request.path.hasPrefix("/giphy") { return try Site.fixture("giphy/search.json", base) }
            if request.path.hasPrefix("/commons") { return try Site.fixture("commons/search.json", base) }
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
        #expect(site.asked.last?.contains("api_key=FromTheFile&") == true)
        #expect(site.asked.last?.contains("rating=pg&") == true)
        _ = try list(["--source", "giphy", "--rating", "r"], ["GIPHY_API_KEY": "FromTheShell"])
        #expect(site.asked.last?.contains("api_key=FromTheShell&") == true)
        #expect(site.asked.last?.contains("rating=r&") == true)
    }

    @Test(
        "What is wrong in the file is told with its line",
        arguments: [
            ("\nratng = \"g\"", "line 2: there is no setting \"ratng\""),
            ("rating = \"x\"", "line 1: rating should be g, pg, pg-13 or r, not \"x\""),
            ("[keys]\ncommons = \"a\"", "line 2: no source \"commons\" takes a key"),
            ("sources = [\"tenor\"]", "line 1: there is no source \"tenor\""),
            ("rating = = 1", "line 1: not understood"),
            ("every = \"soon\"", "line 1: every should be a time as 10s"),
            ("[reddit]\nclient = \"a\"", "line 2: there is no setting \"reddit.client\"; of Reddit there are"),
            ("[reddit]\ncommunities = [\"gifs\",\n\"g/x\"]", "line 3: \"g/x\" is no name of a community"),
            ("[reddit]\nclient-id = \"a\"", "line 2: client-id needs client-secret beside it"),
            ("[reddit]\nclient-id = \" \"\nclient-secret = \"hush\"", "line 3: client-secret needs client-id"),
            ("language = \"english\"", "line 1: language should be two letters as de, not \"english\""),
            ("color = \"never\"", "line 1: color should be auto or always, not \"never\""),
            ("[reddit]\nfeed = \"hush\"", "line 2: feed needs user beside it; both stand in the address of a feed"),
            ("cache-size = true", "line 1: cache-size should be a number or a text"),
        ])
    func wrong(text: String, sentence: String) throws {
        let folder = try folder(text)
        let outcome = try runGifplay(["dancing cat"], environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("config.toml, " + sentence), "\(outcome.errors)")
        #expect(!outcome.errors.contains("hush"))
    }

    @Test("A mistake in the configuration does not keep a file from playing")
    func mistakeAndFile() throws {
        let folder = try folder("ratng = \"g\"")
        let environment = ["XDG_CONFIG_HOME": folder.url.path]
        let outcome = try runGifplay(["--size", "8x4", Binary.sample("campfire")], environment: environment)
        #expect(outcome.status == 0 && !outcome.output.isEmpty)
        #expect(outcome.errors.contains("config.toml, line 1: there is no setting \"ratng\""))
        #expect(outcome.errors.hasSuffix("; the configuration is not used\n"))
        #expect(try runGifplay(["--size", "8x4"], environment: environment).status == 2)
    }

    @Test("color = \"always\" draws although NO_COLOR is set")
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

    @Test("sources tells what is asked on what terms, never a key, and --check what comes of it")
    func sources() throws {
        let site = try Site { request, base in
            request.path.hasPrefix("/commons") ? try Site.fixture("commons/search.json", base) : .text("", status: 404)
        }
        let environment = site.environment(["GIPHY_API_KEY": "SeCrEt0123456789"])
        let cache = try TemporaryFolder()
        let table = try runGifplay(["sources"], environment: environment)
        #expect(table.status == 0 && site.asked.isEmpty)
        let agent = "gifplay/\(try version()) (https://gifplay.example) libcurl/"
        #expect(table.text.contains("user agent: " + agent), "\(table.text)")
        #expect(table.text.contains("GIPHY — key in place") && table.text.contains("no key in KLIPY_API_KEY"))
        let checked = try runGifplay(["sources", "--check"], environment: environment)
        #expect(site.server.requests.allSatisfy { $0.contains("User-Agent: " + agent) })
        let named = try runGifplay(["sources"], environment: environment.merging(["GIFPLAY_CONTACT": "me"]) { $1 })
        #expect(named.text.contains(" (me) libcurl/"))
        #expect(checked.status == 1 && checked.text.contains("answers: ") && checked.text.contains("fails: "))
        let remembering = environment.merging(["XDG_CACHE_HOME": cache.url.path]) { $1 }
        _ = try runGifplay(["--size", "9x5", "octopus"], environment: remembering)
        let later = try runGifplay(["sources"], environment: remembering)
        #expect(later.text.contains("failed just now: it answered 404, not found"), "\(later.text)")
        #expect(!(table.text + checked.text + checked.errors).contains("SeCrEt"))
    }

    private func version() throws -> String {
        try runGifplay(["--version"]).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("cache tells what is held and --clear removes it; no address stands in a file's name")
    func cache() throws {
        let folder = try TemporaryFolder()
        let site = try Site { _, _ in try .gif("campfire") }
        let environment = ["GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": folder.url.path]
        _ = try runGifplay(["--animate", "--size", "9x5", "\(site.base)/secret.gif"], environment: environment)
        #expect(try runGifplay(["cache"], environment: environment).text.contains("1 files, "))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 3 && names.allSatisfy { !$0.contains("secret") }, "\(names)")
        #expect(try runGifplay(["cache", "--clear"], environment: environment).text.contains("removed"))
        #expect(try runGifplay(["cache"], environment: environment).text.contains("0 files, 0 B of 512 MiB"))
    }
}
