import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct HostileConfigurationTests {
    /// A folder for XDG_CONFIG_HOME, in whose folder `gifplay` a shell runs this script.
    private static func folder(_ script: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let inner = try folder.makeFolder("gifplay")
        #expect(try run("/bin/sh", ["-c", "cd '\(inner)' && umask 022 && \(script)"]).status == 0)
        return folder
    }

    private static func folder(_ text: [UInt8]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "gifplay/config")
        return folder
    }

    /// Expects one message from `sources`, and that a local file plays in spite of it.
    private static func refuses(_ folder: TemporaryFolder, _ message: String, limit: Int = 700) throws {
        let environment = ["XDG_CONFIG_HOME": folder.url.path]
        let outcome = try runGifplay(["sources"], environment: environment)
        #expect(outcome.status == 2 && outcome.text.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1 && outcome.errors.count < limit, "\(outcome.errors.prefix(900))")
        #expect(outcome.errors.contains("gifplay/config") && outcome.errors.contains(message), "\(outcome.errors)")
        let file = try runGifplay(["--size", "2x2", Binary.sample("campfire")], environment: environment)
        #expect(file.status == 0 && file.errors.hasSuffix("; the configuration is ignored\n"), "\(file.errors)")
    }

    private static func repeated(
        _ part: String, _ count: Int, after start: String = "", before end: String = ""
    ) -> String {
        start + String(repeating: part, count: count) + end
    }

    // Swift 6.0 does not find the types of these lists inside of `@Test`.
    private static let texts: [(String, String)] = [
        (repeated("a", 1_000_000, after: "--sources "), "line 1: --sources a"),
        (repeated("a", 1_000_000, after: "--"), "line 1: --aaa"),
        (repeated("é", 500_000, after: "--reddit-username ", before: "\n--rating x"), "line 2: --rating x"),
        (repeated("a,", 500_000), "line 1: a,a"),
        (repeated("\n", 1_048_577), "is larger than 1 MiB"),
        (repeated("--rating g\n", 9_999, before: "--rating x"), "line 10000: --rating x: expected g"),
        (repeated("--rating x\n", 10_000), "line 1: --rating x: expected g"),
        (repeated("--reddit gifs,cats\n", 10_000, before: "--lang x"), "line 10001: --lang x: expected"),
        ("--rating g\n--lang d\0e", "line 2: contains a control character"),
        ("--contact \u{1B}[2J", "line 1: contains a control character"),
        ("--rating g\r\n", "line 1: ends with a carriage return"),
        ("--rating g\r--lang de", "line 1: contains a control character"),
        ("\u{FEFF}--rating g", "line 1: begins with a byte order mark"),
        ("--rating \"g\"", "line 1: --rating \"g\": expected g, pg, pg-13 or r"),
        ("--rating  g", "line 1: --rating ' g': expected"), ("cat.gif", "line 1: cat.gif: is not an option"),
        ("rating = \"g\"", "line 1: rating: is not an option"), ("--list", "line 1: --list: works only on"),
        ("--bare yes", "line 1: --bare: takes no value"), ("--rating", "line 1: --rating: needs a value"),
        ("--", "line 1: --: unknown option"), ("-", "line 1: -: unknown option"), ("=", "line 1: =: is not an"),
        ("--no-bar", "line 1: --no-bar: unknown option; did you mean --no-bare?"),
        ("--mode braille", "line 1: --mode braille: expected half, quadrant, sextant, octant, kitty, iterm2, sixel"),
        ("--sources commons,commons", "--sources commons,commons: source 'commons' is listed twice; remove one"),
        // No setting disables the verification of certificates.
        ("--insecure", "line 1: --insecure: unknown option"), ("--verify false", "line 1: --verify: unknown option"),
        ("--tls=off", "line 1: --tls: unknown option"),
    ]
    private static let lists = ["--sources ", "--reddit ", "--endpoint commons="].flatMap { option in
        let names = (0..<3_000).map { "a\($0)" }.joined(separator: ",")
        return [repeated("commons,", 2_999, after: option, before: "commons"), option + names]
    }
    private static let invalidTexts: [([UInt8], String)] = [
        ([0xFF, 0xFE, 0x2D, 0x00], "line 1: contains a control character"), ([0xFF], "is not an option"),
        (Array("--rating ".utf8) + [0xFC], "expected g, pg, pg-13 or r"),
        (Array("--r".utf8) + [0x80] + Array("ting g".utf8), "unknown option"),
    ]

    @Test("A configuration with hostile text is refused", arguments: texts)
    func text(text: String, message: String) throws { try Self.refuses(Self.folder(Array(text.utf8)), message) }

    @Test("A list with too many elements is refused with a short message", arguments: lists)
    func list(text: String) throws {
        try Self.refuses(Self.folder(Array(text.utf8)), "3000 elements; at most 100 are allowed", limit: 400)
    }

    @Test(
        "A configuration whose bytes are not UTF-8 is refused with one message, or has only that effect",
        arguments: invalidTexts)
    func bytes(bytes: [UInt8], message: String) throws { try Self.refuses(Self.folder(bytes), message) }

    @Test(
        "A configuration that is not a readable, regular file is refused, and nothing waits for its writer",
        arguments: [
            ("mkdir config", "config: is a folder, not a regular file"),
            ("mkfifo config", "config: is a FIFO, not a regular file"),
            ("mkfifo pipe; ln -s pipe config", "config: is a FIFO, not a regular file"),
            ("ln -s /dev/zero config", "config: is a device, not a regular file"),
            ("ln -s config config", "config: cannot be read: Too many levels of symbolic links"),
            ("ln -s other config; ln -s config other", "config: cannot be read: Too many levels of symbolic links"),
            ("ln -s nowhere config", "config: cannot be read: the link leads nowhere"),
            ("ln -s /proc/self/mem config", "config: cannot be read: Input/output error"),
            ("touch config; chmod 666 config", "config: can be changed by every user; run chmod 600 on it"),
        ])
    func kinds(script: String, message: String) throws { try Self.refuses(Self.folder(script), message) }

    @Test("A configuration that the user may not read is refused; root reads it as another user")
    func noRight() throws {
        let folder = try Self.folder(
            "touch config; chmod 0 config; cp '\(Binary.path)' ../program; chmod 755 ../program")
        let user = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : ""
        let path = folder.url.path
        let outcome = try run(
            "/bin/sh",
            ["-c", "\(user) env HOME=/nonexistent XDG_CACHE_HOME='\(path)' '\(path)/program' sources"],
            environment: ["XDG_CONFIG_HOME": path])
        #expect(outcome.status == 2 && outcome.text.isEmpty)
        #expect(outcome.errors == "gifplay: \(path)/gifplay/config: cannot be read: Permission denied\n")
    }

    @Test("A certificate file whose name is not UTF-8 is used, on the command line and in a configuration")
    func certificateName() throws {
        let folder = try Self.folder(
            "printf '%b' '--cacert /proc/self/cwd/\\0377.pem\\n' > config; touch \"$(printf '%b' '\\0377').pem\"")
        let inner = folder.url.appendingPathComponent("gifplay")
        let program = "cd '\(inner.path)'; '\(Binary.path)'"
        let file = try run(
            "/bin/sh", ["-c", program + " sources"], environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(file.status == 0 && file.errors.isEmpty, "\(file.errors)")
        let option = try run("/bin/sh", ["-c", program + " sources --cacert \"$(printf '%b' '\\0377').pem\""])
        #expect(option.status == 0 && option.errors.isEmpty, "\(option.errors)")
    }
}
