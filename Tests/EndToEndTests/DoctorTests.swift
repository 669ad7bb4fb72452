import Foundation
import Pixels
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var directories: [String: String] {
        ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].reduce(into: [:]) { $0[$1] = folder.path($1) }
    }

    private func doctor(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> ProgramResult {
        try runGifplay(["doctor"] + arguments, environment: directories.merging(environment) { $1 })
    }

    /// Returns the output lines about `subject`.
    private func lines(_ outcome: ProgramResult, _ subject: String) -> [String] {
        outcome.text.split(separator: "\n").map(String.init).filter { $0.dropFirst(9).hasPrefix(subject + ": ") }
    }

    @Test("On a new machine with '--offline', no check reports an error, and no file is created")
    func newMachine() throws {
        let outcome = try doctor(["--offline"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        for subject in ["configuration", "cache", "library"] {
            #expect(lines(outcome, subject).first?.contains("does not exist") == true, "\(subject)")
        }
        #expect(
            lines(outcome, "sources") == ["ok       sources: not queried, because --offline or GIFPLAY_OFFLINE is set"])
        #expect(lines(outcome, "giflib").first?.hasPrefix("ok       giflib: 5.") == true)
        #expect(lines(outcome, "SQLite").first?.hasPrefix("ok       SQLite: 3.") == true)
        #expect(lines(outcome, "libcurl").first?.hasPrefix("ok       libcurl: ") == true)
        #expect(lines(outcome, "terminal size").first?.contains("not a terminal; run 'gifplay doctor'") == true)
    }

    @Test("Folders that the user cannot write are a warning")
    func unwritable() throws {
        let path = folder.url.path
        let copy = "cp '\(Binary.path)' '\(path)/program'; chmod 755 '\(path)/program'; chmod 555 '\(path)'"
        _ = try run("/bin/sh", ["-c", copy])
        let user = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : ""
        let outcome = try run(
            "/bin/sh", ["-c", "\(user) env HOME='\(path)' '\(path)/program' doctor --offline"],
            environment: ["XDG_CACHE_HOME": path + "/c", "XDG_DATA_HOME": path + "/d"])
        for (subject, file) in [("cache", "c/gifplay/media"), ("library", "d/gifplay/library.sqlite")] {
            #expect(
                lines(outcome, subject).first?
                    .contains("warning  \(subject): \(path)/\(file): \(path) cannot be written: Permission denied")
                    == true, "\(outcome)")
        }
    }

    @Test("Links that lead nowhere, unreadable files and relative folders are reported, not taken for nothing")
    func unreadable() throws {
        for name in ["XDG_CONFIG_HOME/gifplay", "XDG_DATA_HOME/gifplay", "XDG_CACHE_HOME/gifplay/failures.json"] {
            try folder.makeFolder(name)
        }
        for name in [
            "XDG_CONFIG_HOME/gifplay/config", "XDG_DATA_HOME/gifplay/library.sqlite",
            "XDG_CACHE_HOME/gifplay/media",
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: "nowhere")
        }
        let outcome = try doctor(["--offline"], ["XDG_DOWNLOAD_DIR": "Downloads"])
        #expect(outcome.status == 1)
        for (subject, cause) in [
            ("configuration", "gifplay/config: cannot be read: the link leads nowhere"),
            ("library", "library.sqlite cannot be opened: the link leads nowhere"), ("cache", "media"),
            ("stored failures", "failures.json: cannot be read: Is a directory"),
            ("XDG_DOWNLOAD_DIR", "'Downloads' is not an absolute path, so it is ignored"),
        ] {
            let line = try #require(lines(outcome, subject).first, "\(subject): \(outcome.text)")
            #expect(!line.hasPrefix("ok") && line.contains(cause), "\(line)")
        }
        let environment = directories
        for command in [[], ["clear"]] {
            try expectError(["library"] + command, "the link leads nowhere", environment: environment)
        }
        try expectError(["--list", "cat"], "gifplay/config: cannot be read", status: 2, environment: environment)
        let local = try runGifplay([Binary.sample("campfire"), "--size", "2x2"], environment: environment)
        #expect(local.status == 0 && local.errors.contains("the configuration is ignored"), "\(local)")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("broken"), withDestinationPath: "nowhere")
        let query = try runGifplay(["broken"], folder: folder.url)
        #expect(query.errors == "gifplay: broken: No such file or directory\n", "\(query)")
    }

    @Test("A configuration file with a key that others can read, and a relative HOME, are warnings")
    func warnings() throws {
        let path = try folder.write("--key giphy=hush\n", to: "XDG_CONFIG_HOME/gifplay/config")
        for (mode, status) in [(0o644, "warning"), (0o600, "ok")] as [(mode_t, String)] {
            chmod(path, mode)
            let outcome = try doctor(["--offline"])
            #expect(lines(outcome, "configuration").first?.hasPrefix(status) == true, "\(outcome)")
            #expect(lines(outcome, "key").first?.hasSuffix("is from \(path):1") == true, "\(outcome)")
            #expect(outcome.status == 0 && !(outcome.text + outcome.errors).contains("hush"))
        }
        let home = try runGifplay(["doctor", "--offline"], environment: ["HOME": "relative"])
        #expect(lines(home, "HOME").first?.contains("'relative' is not an absolute path") == true, "\(home)")
        for (command, variable) in [("cache", "XDG_CACHE_HOME"), ("library", "XDG_DATA_HOME")] {
            let outcome = try runGifplay([command], environment: ["HOME": "relative", variable: ""])
            #expect(outcome.errors.hasSuffix("neither \(variable) nor HOME is an absolute path\n"), "\(outcome)")
        }
    }

    @Test("With '--json', each line is a JSON object with the same content as the line of text")
    func json() throws {
        let text = try doctor(["--offline"])
        let json = try doctor(["--offline", "--json"])
        let lines = try json.text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String] ?? [:]
            let status = (object["status"] ?? "").padding(toLength: 9, withPad: " ", startingAt: 0)
            return "\(status)\(object["subject"] ?? ""): \(object["text"] ?? "")"
                + (object["advice"].map { "; \($0)" } ?? "")
        }
        #expect(lines == text.text.split(separator: "\n").map(String.init))
    }

    @Test("In a terminal, the properties that the terminal reports are printed, and its modes are restored")
    func terminal() throws {
        let terminal = try PseudoTerminal(
            ["doctor", "--offline"], columns: 70, rows: 20,
            environment: directories.merging(["COLORTERM": "truecolor"]) { $1 })
        #expect(try terminal.finish() == 0)
        let text = terminal.text.replacingOccurrences(of: "\r\n", with: "\n")
        for line in [
            "ok       terminal size: 70x20 cells\n", "ok       background: #1e1e2e (OSC 11)\n",
            "ok       synchronized updates: supported (mode 2026)\n", "ok       colours: 24-bit (COLORTERM)\n",
            "ok       terminal type: xterm-256color (TERM)\n", "ok       encoding: UTF-8 (LANG)\n",
            "ok       pixel graphics: none reported; --mode auto draws half-blocks\n",
        ] { #expect(text.contains(line), "\(line)\n\(text)") }
        #expect(!text.contains("?1049h"))
    }

    @Test("In a terminal with UTF-8, the characters of each mode are printed, and the graphics with the option to use")
    func capabilities() throws {
        let terminal = try PseudoTerminal(
            ["doctor", "--offline", "--picture"], columns: 90, rows: 30, cell: PixelSize(width: 8, height: 16),
            environment: directories, answers: false, until: "\u{1B}[c")
        terminal.send("\u{1B}P>|foot(1.21.0)\u{1B}\\\u{1B}[?62;4c")
        // The test picture needs the replies, too.
        try terminal.read("the second query") { $0.count(of: "\u{1B}[c") == 2 }
        try terminal.quit("\u{1B}[?62;4c")
        let text = terminal.text
        for part in [
            "▀▄█  --mode half", "▖▗", "--mode octant",
            "pixel graphics: sixel (DA1); cell: 8x16 pixels; use --mode auto",
            "q\"1;1;",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
    }

    @Test("Each source is reported as working, failing or without a key; the proxy is named and no key is printed")
    func sources() throws {
        let site = try FakeSite { request, base in
            request.path.hasPrefix("/commons")
                ? try FakeSite.fixture("commons/search.json", base) : .text("", status: 404)
        }
        let key = ["GIPHY_API_KEY": "SeCrEt0123456789", "http_proxy": "http://me:pw@\(site.base.dropFirst(7))"]
        let outcome = try doctor([], site.environment(key))
        #expect(outcome.status == 1)
        let proxy = "through the proxy \(site.base.dropFirst(7)) (http_proxy)"
        #expect(lines(outcome, "source giphy").first?.contains("fails: HTTP 404, not found, " + proxy) == true)
        #expect(lines(outcome, "source klipy") == ["ok       source klipy: not queried, because its key is not set"])
        #expect(lines(outcome, "key").contains("ok       key: the key of GIPHY is from GIPHY_API_KEY"))
        #expect(!(outcome.text + outcome.errors).contains("SeCrEt") && !outcome.text.contains("pw@"))

        let direct = try doctor(["--source", "commons"], site.environment())
        #expect(direct.status == 0, "\(direct)")
        let line = try #require(lines(direct, "source commons").first)
        #expect(line.contains("works: ") && line.hasSuffix("without a proxy"))
        #expect(lines(direct, "source giphy").isEmpty)
        let unknown = try doctor(["--source", "gipy"])
        #expect(unknown.status == 2 && unknown.output.isEmpty && unknown.errors.contains("gipy"))
    }

    @Test("Without libcurl, one line says which package to install, and no source is queried")
    func missingLibrary() throws {
        for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] { try folder.write([], to: name) }
        let outcome = try doctor([], ["LD_LIBRARY_PATH": folder.url.path, "GIFPLAY_OFFLINE": ""])
        #expect(outcome.status == 1)
        let about = outcome.text.split(separator: "\n").filter { $0.contains("libcurl") || $0.contains("source") }
        #expect(about.count == 1, "\(about)")
        let advice = ", so only local GIFs play; install the package libcurl4"
        #expect(about.first?.hasPrefix("error    libcurl: ") == true && about.first?.hasSuffix(advice) == true)
        #expect(!outcome.text.contains("network") && !outcome.text.contains("contact"))
        let own = ["LD_LIBRARY_PATH": folder.url.path, "GIFPLAY_OFFLINE": "", "LANG": "C.UTF-8"]
        let without = directories.merging(own) { $1 }
        let list = try runGifplay(["--list", "cat"], environment: without)
        #expect(list.errors.contains("install the package libcurl4") && !list.errors.contains("network"), "\(list)")
        for arguments in [[], ["cat"]] {
            let terminal = try PseudoTerminal(arguments, columns: 120, environment: without)
            try terminal.read(until: "install the package libcurl4")
            terminal.send("\u{3}")
            #expect(try terminal.finish() == 130 && !terminal.text.contains("no network"), "\(arguments)")
        }
    }

    @Test("A broken configuration file, a damaged cache entry and a damaged library are reported, and not changed")
    func damage() throws {
        try folder.write("--rating 3\n", to: "XDG_CONFIG_HOME/gifplay/config")
        let entry = "XDG_CACHE_HOME/gifplay/media/" + String(repeating: "a", count: 64)
        try folder.write("rubbish", to: entry)
        let library = try folder.write("rubbish\n", to: "XDG_DATA_HOME/gifplay/library.sqlite")
        let outcome = try doctor(["--offline"])
        #expect(outcome.status == 1)
        #expect(lines(outcome, "configuration").first?.contains("gifplay/config, line 1: --rating 3: expected") == true)
        #expect(lines(outcome, "cache").first?.hasPrefix("warning") == true, "\(outcome.text)")
        #expect(lines(outcome, "cache").first?.contains("1 file, 7 B of 512 MiB, 1 damaged; ") == true)
        #expect(lines(outcome, "library").first?.contains("library.sqlite is damaged") == true)
        #expect(FileManager.default.fileExists(atPath: folder.path(entry)))
        #expect(try String(contentsOfFile: library, encoding: .utf8) == "rubbish\n")
    }

    @Test("The schema version of a library and the number of its GIFs are reported")
    func library() throws {
        try StoredLibrary.fill(
            try #require(directories["XDG_DATA_HOME"]), favourites: [StoredLibrary.gif("1", title: "A cat")])
        let line = try #require(lines(try doctor(["--offline"]), "library").first)
        #expect(line.hasPrefix("ok") && line.contains("schema 2 of 2, 1 favourite, 0 viewed, 0 dismissed"), "\(line)")
        #expect(line.hasSuffix("integrity check passed"))
    }
}
