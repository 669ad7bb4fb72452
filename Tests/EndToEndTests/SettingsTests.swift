import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("The old config.toml is printed as lines of the new file, without keys; nothing is deleted")
    func oldFile() throws {
        let old = """
            sources = ["commons", 'samples']   # in this order
            language = "de"
            every = 30
            [keys]
            giphy = "hush"
            """
        let path = try folder.write(old, to: "config/gifplay/config.toml")
        let environment = ["XDG_CONFIG_HOME": folder.path("config")]
        let outcome = try runGifplay(["sources"], environment: environment)
        #expect(outcome.status == 2 && !outcome.errors.contains("hush"), "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        #expect(lines.first?.contains("config.toml: is no longer read; save these lines as ") == true)
        let expected = [
            "--sources commons,samples", "--lang de", "--every 30", "# the key is in line 5 of config.toml",
            "--key giphy=…",
        ]
        #expect(Array(lines.dropFirst()) == expected, "\(lines)")
        #expect(FileManager.default.fileExists(atPath: path))
        let text = expected.joined(separator: "\n").replacingOccurrences(of: "…", with: "hush")
        chmod(try folder.write(text, to: "config/gifplay/config"), 0o600)
        let new = try runGifplay(["sources"], environment: environment)
        #expect(new.status == 0 && new.errors.isEmpty && new.text.contains("GIPHY — key is set"), "\(new)")
    }

    @Test("'config' prints the file and each setting that differs from its default, with its origin and without keys")
    func origins() throws {
        var environment = try folder.configure(
            "# mine\n--every 10s\n--rating=pg\n--key giphy=hush\n--lang fr\n--reddit gifs\n--reddit cats\n"
                + "--no-upscale\n--no-bare\n")
        let path = folder.path("config/gifplay/config")
        chmod(path, 0o600)
        environment.merge(["GIFPLAY_CONTACT": "me", "GIFPLAY_OFFLINE": ""]) { $1 }
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
        let configuration = try folder.configure(
            """
            --sources commons,giphy
            --rating pg
            --key giphy=FromTheFile
            --endpoint commons=\(site.base)/commons
            --endpoint giphy=\(site.base)/giphy
            """)
        let environment = configuration.merging(["GIFPLAY_OFFLINE": "0"]) { $1 }
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
            let environment = site.environment(try folder.configure(text))
            let list = ["--source", "commons", "--list", "--size", "80x24", "octopus"]
            #expect(try runGifplay(list + arguments, environment: environment).status == 0)
            return site.requestLines.last?.contains("iiurlwidth=250")
        }
        #expect(try isLarge("") == false && isLarge("", ["--mode", "octant"]) == true)
        #expect(try isLarge("--mode octant") == true)
        #expect(try isLarge("--mode octant", ["--mode", "half"]) == false)
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
            #expect(try run("/bin/sh", ["-c", "mkdir gifplay; cd gifplay; \(script)"], folder: folder.url).status == 0)
            let outcome = try runGifplay(["sources"], environment: ["XDG_CONFIG_HOME": path])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        }
    }

    @Test("With an error in the configuration, neither a search nor a random GIF plays")
    func refused() throws {
        let environment = try folder.configure("--ratng g")
        for arguments in [["dancing cat"], ["--size", "8x4"]] {
            try expectError(arguments, "config, line 1: --ratng: ", status: 2, environment: environment)
        }
    }

    @Test("The configured option --color always overrides NO_COLOR")
    func color() throws {
        let file = Binary.sample("campfire")
        func status(_ color: String, _ arguments: [String] = []) throws -> Int32 {
            let environment = try folder.configure("--color \(color)").merging(["NO_COLOR": "1"]) { $1 }
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
        let table = try runGifplay(["sources"], environment: environment)
        #expect(table.status == 0 && site.requestLines.isEmpty)
        let agent = "gifplay/\(try version()) libcurl/"
        #expect(table.text.contains("user agent: " + agent), "\(table.text)")
        #expect(table.text.contains("GIPHY — key is set") && table.text.contains("no key in KLIPY_API_KEY"))
        let one = try runGifplay(["sources", "--source", "giphy"], environment: environment)
        #expect(one.text.contains("GIPHY — key is set") && !one.text.contains("klipy") && !one.text.contains("samples"))
        try expectError(["sources", "--source", "gipy"], "gipy", status: 2, environment: environment)
        let named = try runGifplay(["sources"], environment: environment.merging(["GIFPLAY_CONTACT": "me"]) { $1 })
        #expect(named.text.contains(" (me) libcurl/"))
        let withCache = environment.merging(["XDG_CACHE_HOME": folder.url.path]) { $1 }
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
