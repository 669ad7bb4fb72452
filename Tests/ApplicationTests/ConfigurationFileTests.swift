import Base
import Catalog
import Glibc
import Pixels
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Configuration file") struct ConfigurationFileTests {
    private func read(_ text: String, mode: UInt32 = 0o600) throws -> Settings {
        try ConfigurationFolder(text, mode: mode).withEnvironment { try Settings(environment: $0) }
    }

    /// Returns the error of a configuration file with this text, and the path of the file.
    private func failure(_ text: String, mode: UInt32 = 0o600) throws -> (error: Failure?, path: String) {
        let folder = try ConfigurationFolder(text, mode: mode)
        do {
            _ = try folder.withEnvironment { try Settings(environment: $0) }
        } catch {
            return (error as? Failure, folder.path)
        }
        return (nil, folder.path)
    }

    @Test("Without a file or with an empty file, all settings have their defaults")
    func missing() throws {
        let missing = ["XDG_CONFIG_HOME": "/nonexistent"]
        for settings in [try Settings(environment: [:]), try Settings(environment: missing), try read("")] {
            #expect(settings.preferences == ListingPreferences(targetWidth: 80))
            #expect(settings.catalog.order == nil && settings.cacheBytes == 512 << 20)
            #expect(settings.switchInterval == 10 * Span.second && settings.colorRule == .auto)
            #expect(settings.player.drawing.characters == .half && settings.colors == ColorPreference())
        }
    }

    @Test("A configuration that is not a regular file is an error that names its kind", arguments: ["folder", "FIFO"])
    func irregular(kind: String) throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/gifplay/config"
        try FileSystem.makeDirectory(kind == "folder" ? path : folder.path + "/gifplay")
        #expect(kind == "folder" || mkfifo(path, 0o600) == 0)
        let error = thrown(Failure.self) {
            try Settings(environment: ["XDG_CONFIG_HOME": folder.path])
        }
        #expect(error?.message == "\(path): is a \(kind), not a regular file" && error?.status == .usage)
    }

    @Test(
        "A configuration that cannot be read is an error that names the cause, not a missing file",
        arguments: [
            ("config", "nowhere", "the link leads nowhere"), ("", "nowhere", "the link leads nowhere"),
            ("config", "config", "Too many levels of symbolic links"),
        ])
    func unreadable(name: String, target: String, cause: String) throws {
        let folder = try TemporaryDirectory()
        if !name.isEmpty { try FileSystem.makeDirectory(folder.path + "/gifplay") }
        #expect(symlink(target, folder.path + "/gifplay" + (name.isEmpty ? "" : "/" + name)) == 0)
        let error = thrown(Failure.self) {
            try Settings(environment: ["XDG_CONFIG_HOME": folder.path])
        }
        #expect(error?.message == "\(folder.path)/gifplay/config: cannot be read: \(cause)")
        #expect(error?.status == .usage)
    }

    @Test("A configuration of more than 1 MiB is refused")
    func large() throws {
        let (error, path) = try failure(String(repeating: "\n", count: 1 << 20 + 1))
        #expect(error?.message == "\(path): is larger than 1 MiB")
    }

    @Test(
        "An error is reported with the path and the line number, and counts as a usage error",
        arguments: [
            ("\n--ratng g", "line 2: --ratng: unknown option; did you mean --rating?"),
            ("--nonsense g", "line 1: --nonsense: unknown option; 'gifplay help config' lists the options"),
            ("--rating x", "line 1: --rating x: expected g, pg, pg-13 or r"),
            ("--rating\tx", "line 1: --rating x: expected g, pg, pg-13 or r"),
            ("# a\n--key commons=a", "line 2: --key commons=…: has no key; only giphy, klipy, reddit.feed have one"),
            ("--key hush", "line 1: --key …: expected a source and its key, such as giphy=0123456789abcdef"),
            (
                "--sources commons,tenor",
                "line 1: --sources commons,tenor: unknown source 'tenor'; the sources are giphy"
            ),
            (
                "--endpoint tenor=https://a.example",
                "line 1: --endpoint tenor=https://a.example: unknown source 'tenor'"
            ),
            ("--endpoint commons", "line 1: --endpoint commons: expected a source and its URL"),
            ("--every soon", "line 1: --every soon: expected a time from 1ms to 100000h"),
            ("--cache-size big", "line 1: --cache-size big: expected a whole number"),
            ("--lang english", "line 1: --lang english: expected the two letters of a language"),
            ("--color never", "line 1: --color never: expected auto or always"),
            ("--colors 512", "line 1: --colors 512: expected auto, 24bit, 256, 16, 8 or none"),
            ("--dither \"none\"", "line 1: --dither \"none\": expected ordered or none"),
            ("--reddit gifs,g/x", "line 1: --reddit gifs,g/x: 'g/x' is not a community name"),
            ("--output a.svg", "line 1: --output: works only on the command line"),
            ("--offline yes", "line 1: --offline: takes no value"), ("--rating", "line 1: --rating: needs a value"),
            ("cat.gif", "line 1: cat.gif: is not an option"), ("\t\u{20}=g", "line 1: =g: is not an option"),
            ("--rating x\n--ratng g", "line 1: --rating x: expected g"),
            ("# a\n--speed 1e1\n--lang d\u{0}e", "line 2: --speed 1e1: expected a factor"),
            ("--reddit a/b\n--mode", "line 1: --reddit a/b: 'a/b' is not"),
            ("-r", "line 1: -r: works only on the command line"),
            ("-o x", "line 1: -o: works only on the command line"),
            ("-V", "line 1: -V: works only on the"), ("-hello", "line 1: -h: works only on the"),
            ("-Ux", "line 1: -U: takes no value; write only -U"), ("-s", "line 1: -s: needs a value"),
            ("-x", "line 1: -x: unknown option"), ("-é", "line 1: -é: unknown option"),
            ("--contact a\u{7F}b", "line 1: contains a control"), ("--contact a\u{85}b", "line 1: contains a control"),
            ("--contact a\u{9B}2Jb", "line 1: contains a control"), ("#\u{7F}", "line 1: contains a control"),
            ("--key giphy=", "line 1: --key giphy=…: the key is empty"),
            ("--key klipy= \t", "line 1: --key klipy=…: the key is empty"),
            ("--endpoint commons=", "line 1: --endpoint commons=: expected a URL"),
            ("--endpoint commons=https://a,b", "line 1: --endpoint commons=https://a,b: 'b' is not a URL"),
            (
                "--endpoint nope=",
                "line 1: --endpoint nope=: unknown source 'nope'; the sources are giphy, klipy, commons"
            ),
            ("--endpoint samples=https://a", "line 1: --endpoint samples=https://a: the built-in GIFs have no URL"),
            ("--sources ,", "line 1: --sources ,: expected values"),
            ("--reddit=", "line 1: --reddit '': expected values"),
            ("--lang d\0e", "line 1: contains a control character"), ("--rating g\r\n", "line 1: ends with a carriage"),
            ("\u{FEFF}--rating g", "line 1: begins with a byte order mark"),
        ])
    func invalid(text: String, message: String) throws {
        let (error, path) = try failure(text)
        let problem = try #require(error)
        #expect(problem.message.hasPrefix("\(path), \(message)"), "\(problem.message)")
        #expect(problem.status == .usage)
    }

    @Test(
        "If only one of two settings that belong together is set, it is refused, and its value is not printed",
        arguments: [
            ("--key reddit.feed=hush", "line 1: --key reddit.feed=…: needs --reddit-feed-user too"),
            ("--reddit-feed-user me", "line 1: --reddit-feed-user me: needs --key reddit.feed=… too"),
            ("--reddit-feed-user= \n--key reddit.feed=hush", "line 2: --key reddit.feed=…: needs --reddit-feed-user"),
        ])
    func pairs(text: String, message: String) throws {
        let error = try #require(try failure(text).error)
        #expect(error.message.contains(message) && !error.message.contains("=hush"), "\(error.message)")
    }

    @Test("Two settings that belong together are accepted if both have a value or neither has one")
    func completePairs() throws {
        #expect(try failure("--key reddit.feed=a\n--reddit-feed-user b").error == nil)
        #expect(try failure("--reddit-feed-user= \n--lang de").error == nil)
    }

    @Test(
        "The credentials of an app are refused with what to remove, and the secret is not printed",
        arguments: [
            ("--reddit-client id\n--key reddit=hush", "line 1: --reddit-client: Reddit's API with your own app is no "),
            ("--reddit gifs\n--reddit-client=id", "line 2: --reddit-client: Reddit's API with your own app is no "),
            ("--key giphy=a\n--key reddit=hush", "line 2: --key reddit=…: Reddit's API with your own app is no "),
        ])
    func appCredentials(text: String, message: String) throws {
        let (error, path) = try failure(text)
        let problem = try #require(error)
        #expect(problem.message.hasPrefix("\(path), \(message)") && !problem.message.contains("hush"))
        #expect(problem.message.hasSuffix("; remove --reddit-client and --key reddit=…"), "\(problem.message)")
    }

    @Test("A file that every user can change is refused")
    func rights() throws {
        #expect(try failure("--rating g", mode: 0o664).error == nil)
        let (error, path) = try failure("--rating g", mode: 0o602)
        #expect(error?.message == "\(path): can be changed by every user; run chmod 600 on it")
        #expect(error?.status == .usage)
    }

    @Test("An API key is used even if other users can read the configuration file")
    func readableKey() throws {
        #expect(try read("--key giphy=a", mode: 0o644).catalog.keys.keys.sorted() == ["giphy"])
    }

    @Test("Every setting is read from the file; values are taken as they are")
    func everySetting() throws {
        let settings = try read(
            """
            # A comment, then an empty line and one of blanks.

            \u{20}\t
            --sources giphy,commons
            --rating PG-13
            --lang=DE
            --every 90
            --loop 3
            --cache-size 1G
            --contact  a = "b" # c
            --report-use
            --color always
            --mode sextant
            --colors 256
            --dither none
            \t--size 1x1
              -s40x10
            \t # a comment
            --no-history\u{20}
            -b=fff
            -d 5s
            --key giphy=abc
            --key klipy=d=e
            """)
        #expect(settings.catalog.order == ["giphy", "commons"] && settings.cacheBytes == 1 << 30)
        #expect(settings.preferences == ListingPreferences(rating: .pg13, language: "de", targetWidth: 80))
        #expect(settings.contact == " a = \"b\" # c" && settings.catalog.reportsUse)
        #expect(settings.catalog.redactor("abc d=e") == "(key) (key)" && !settings.keepsHistory)
        #expect(settings.switchInterval == 90 * Span.second && settings.colorRule == .always)
        #expect(settings.loops == .times(3) && settings.player.loops == .file)
        #expect(settings.player.drawing.characters == .subcells(.sextant) && settings.player.drawing.graphics == .off)
        #expect(settings.colors == ColorPreference(depth: .indexed, dithering: Dithering.none))
        #expect(settings.player.size == CellSize(columns: 40, rows: 10) && settings.player.duration == 5 * Span.second)
        #expect(settings.player.background == CellColor(red: 255, green: 255, blue: 255))
    }

    @Test("The configuration file is below XDG_CONFIG_HOME if this is an absolute path, and otherwise below HOME")
    func filePath() {
        #expect(ConfigurationFile.path(environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/gifplay/config")
        #expect(
            ConfigurationFile.path(environment: ["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/gifplay/config")
        #expect(ConfigurationFile.path(environment: [:]) == nil)
    }

    @Test("Each line is applied once, in order, up to the first one with a mistake of its form or of its value")
    func once() {
        for (mistake, line) in [("--every never", 3), ("--nothing", 3), ("every 3s", 3)] {
            var (lines, settings) = ([String](), Settings?.none)
            settings = try? Settings(ignoresFiles: true, environment: [:])
            let text = "--rating r\n--lang de\n\(mistake)\n--lang x"
            let error = thrown(Failure.self) {
                try ConfigurationFile.parse(Array(text.utf8), "config") { setting throws(Failure) in
                    try settings?.apply(setting)
                    lines.append(setting.line)
                }
            }
            #expect(lines == ["--rating r", "--lang de"] && error?.message.hasPrefix("config, line \(line): ") == true)
            #expect(settings?.differences.map(\.[0]) == lines)
        }
    }
}

@Suite("Old configuration") struct OldConfigurationTests {
    private static let text = """
        sources = ["commons", 'gifcities',"samples" ] # order
        rating = "g"
        language = "en"   # two letters
        every = 10
        report-use = true
        colors = 256
        contact = "a # b"
        cache-size = "512M
        [keys]     # a table
        giphy = "hush"
        [endpoints]
        commons = "https://a.example"
        gifcities = ["https://a", "https://b"]
        [reddit]
        communities = ["gifs", "catgifs"]
        client-id = "app"
        client-secret = "hush"
        username = "me"
        feed = 'hush'
        user = "reader"
        [x.y]
        a.b = 1
        nonsense
        """
    private static let expected = """
        --sources commons,gifcities,samples
        --rating g
        --lang en
        --every 10
        --report-use
        --colors 256
        --contact a # b
        # line 8 of config.toml is left out
        # the key is in line 10 of config.toml
        --key giphy=…
        --endpoint commons=https://a.example
        --endpoint gifcities=https://a,https://b
        --reddit gifs,catgifs
        # line 16 of config.toml is left out
        # line 17 of config.toml is left out
        --reddit-username me
        # the key is in line 19 of config.toml
        --key reddit.feed=…
        --reddit-feed-user reader
        # line 22 of config.toml is left out
        # line 23 of config.toml is left out
        """

    @Test("The settings of the old config.toml become lines of the new file; lines that are not read are named")
    func lines() {
        #expect(OldConfiguration.lines(Self.text).joined(separator: "\n") == Self.expected)
    }
}
