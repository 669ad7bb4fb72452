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
        try Data(configuration.utf8).write(to: inner.appendingPathComponent("config"))
        return folder
    }

    @Test("The old config.toml is printed as lines of the new file, without keys; nothing is deleted")
    func oldFile() throws {
        let folder = try TemporaryFolder()
        let inner = folder.url.appendingPathComponent("gifplay")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let old = """
            sources = ["commons", 'samples']   # in this order
            language = "de"
            every = 30
            [keys]
            giphy = "hush"
            """
        try Data(old.utf8).write(to: inner.appendingPathComponent("config.toml"))
        let environment = ["XDG_CONFIG_HOME": folder.url.path]
        let outcome = try runGifplay(["sources"], environment: environment)
        #expect(outcome.status == 2 && !outcome.errors.contains("hush"), "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(lines.first?.contains("config.toml: is no longer read; save these lines as ") == true)
        let expected = [
            "--sources commons,samples", "--lang de", "--every 30", "# the key is in line 5 of config.toml",
            "--key giphy=…",
        ]
        #expect(Array(lines.dropFirst()) == expected, "\(lines)")
        #expect(FileManager.default.fileExists(atPath: inner.path + "/config.toml"))
        let text = expected.joined(separator: "\n").replacingOccurrences(of: "…", with: "hush")
        try Data(text.utf8).write(to: inner.appendingPathComponent("config"))
        chmod(inner.path + "/config", 0o600)
        let new = try runGifplay(["sources"], environment: environment)
        #expect(new.status == 0 && new.errors.isEmpty && new.text.contains("GIPHY — key is set"), "\(new)")
    }

    @Test("'config' prints the file and each setting that differs from its default, with its origin and without keys")
    func origins() throws {
        let folder = try folder(
            "# mine\n--every 10s\n--rating=pg\n--key giphy=hush\n--lang fr\n--reddit gifs\n--reddit cats\n"
                + "--no-upscale\n--no-bare\n")
        let path = folder.url.path + "/gifplay/config"
        chmod(path, 0o600)
        let environment = ["XDG_CONFIG_HOME": folder.url.path, "GIFPLAY_CONTACT": "me", "GIFPLAY_OFFLINE": ""]
        let outcome = try runGifplay(["config", "--lang", "de"], environment: environment)
        #expect(outcome.status == 0 && !outcome.text.contains("hush"), "\(outcome)")
        let lines = outcome.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.first == path)
        for line in [
            "--rating pg \(path):3", "--key giphy=… \(path):4", "--reddit gifs \(path):6", "--reddit cats \(path):7",
            "--contact me GIFPLAY_CONTACT", "--no-upscale \(path):8", "--lang de command line",
        ] {
            #expect(lines.contains(line), "\(outcome.text)")
        }
        #expect(
            !outcome.text.contains("--every") && !outcome.text.contains("bare") && !outcome.text.contains("--lang fr"),
            "\(outcome.text)")
    }

    @Test("A key on the command line is refused, because other users can see it")
    func keyOption() throws {
        let outcome = try runGifplay(["--key", "giphy=hush", "cat"])
        #expect(outcome.status == 2 && outcome.errors.hasPrefix("gifplay: --key: only the configuration file"))
        #expect(!outcome.errors.contains("hush"))
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
            --sources commons,giphy
            --rating pg
            --key giphy=FromTheFile
            --endpoint commons=\(site.base)/commons
            --endpoint giphy=\(site.base)/giphy
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
        #expect(try isLarge("--mode octant") == true)
        #expect(try isLarge("--mode octant", ["--mode", "half"]) == false)
    }

    @Test(
        "An error in the configuration is reported with its line number",
        arguments: [
            ("\n--ratng g", "line 2: --ratng: unknown option; did you mean --rating?"),
            ("--every soon\n--rating x", "line 1: --every soon: expected a time"),
            ("--reddit gifs\n--key reddit.feed=hush", "line 2: --key reddit.feed=…: needs --reddit-feed-user too"),
            (
                "--mode braille",
                "line 1: --mode braille: expected half, quadrant, sextant, octant, kitty, iterm2, sixel or auto"
            ),
        ])
    func invalid(text: String, message: String) throws {
        let folder = try folder(text)
        let outcome = try runGifplay(["dancing cat"], environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("gifplay/config, " + message), "\(outcome.errors)")
        #expect(!outcome.errors.contains("hush"))
    }

    @Test(
        "A wrong endpoint in the environment is refused with the name of its variable, and a file plays nevertheless",
        arguments: ["x", "ftp://x", "https://", "http://x:99999", "http://a b"])
    func endpoint(value: String) throws {
        let environment = ["GIFPLAY_ENDPOINT_COMMONS": value]
        let message = "gifplay: GIFPLAY_ENDPOINT_COMMONS: '\(value)' is not a URL such as https://commons.example"
        let outcome = try runGifplay(["sources"], environment: environment)
        #expect(outcome.status == 2 && outcome.errors == message + "\n" && outcome.text.isEmpty, "\(outcome)")
        let file = try runGifplay(["-s2x2", Binary.sample("campfire")], environment: environment)
        #expect(file.status == 0 && file.errors == message + "; the configuration is ignored\n", "\(file)")
        #expect(try runGifplay(["cache"], environment: environment).status == 0)
        let doctor = try runGifplay(["doctor", "--offline"], environment: environment)
        #expect(doctor.status == 1 && doctor.text.contains("error    configuration: GIFPLAY_ENDPOINT_COMMONS"))
    }

    @Test("An old config.toml that is a folder or has no settings is ignored")
    func oldFolder() throws {
        for script in ["mkdir config.toml", "printf '# nothing\\n\\n[keys]\\n' > config.toml"] {
            let folder = try TemporaryFolder()
            let path = folder.url.path
            #expect(try run("/bin/sh", ["-c", "mkdir '\(path)/gifplay'; cd '\(path)/gifplay'; \(script)"]).status == 0)
            let outcome = try runGifplay(["sources"], environment: ["XDG_CONFIG_HOME": path])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        }
    }

    @Test("A file plays despite an error in the configuration")
    func errorAndFile() throws {
        let folder = try folder("--ratng g")
        let environment = ["XDG_CONFIG_HOME": folder.url.path]
        let outcome = try runGifplay(["--size", "8x4", Binary.sample("campfire")], environment: environment)
        #expect(outcome.status == 0 && !outcome.output.isEmpty)
        #expect(outcome.errors.contains("gifplay/config, line 1: --ratng: unknown option"))
        #expect(outcome.errors.hasSuffix("; the configuration is ignored\n"))
        #expect(try runGifplay(["--size", "8x4"], environment: environment).status == 2)
    }

    @Test("The configured option --color always overrides NO_COLOR")
    func color() throws {
        let file = Binary.sample("campfire")
        func status(_ color: String, _ arguments: [String] = []) throws -> Int32 {
            let folder = try folder("--color \(color)")
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
