import Base
import Catalog
import Pixels
import Playback
import TestServer
import TestSupport
import Testing

@testable import Application

@Suite("Table of options") struct OptionTableTests {
    private func message(_ arguments: [String]) -> String? {
        thrown(Failure.self) { try Settings(given: Invocation(arguments)) }?.message
    }

    private func services(_ arguments: [String]) throws -> Settings {
        try Settings(given: Invocation(arguments))
    }

    @Test("Each command has one option for a name and for a letter, and the help is one sentence without a full stop")
    func rows() {
        for command in Command.allCases {
            let options = Option.table.filter { $0.belongs(to: command) }
            let names = options.flatMap { [$0.name] + [$0.negation].compactMap(\.self) }
            // The format of the results and the format of the recording share a name, but no command.
            #expect(names.count == Set(names).count, "\(command): \(names)")
            let letters = options.compactMap(\.short)
            #expect(letters.count == Set(letters).count, "\(command): \(letters)")
        }
        for option in Option.table where !option.isHidden {
            #expect(
                !option.help.hasSuffix(".") && option.help.first?.isLowercase == false || option.help.hasPrefix("'"))
            #expect(option.more.isEmpty || option.more.hasSuffix("."), "\(option.name)")
            #expect(!option.name.hasPrefix("-") && !option.name.contains("="))
        }
    }

    @Test("Every value that completion offers for an option is accepted")
    func values() throws {
        for option in Option.table {
            let command = try #require(Command.allCases.first { option.belongs(to: $0) })
            for value in option.values() {
                let words = command.name.split(separator: " ").map(String.init)
                #expect(message(words + ["--\(option.name)", value]) == nil, "\(option.name) \(value)")
            }
        }
    }

    @Test(
        "The options set the source, the certificates and the network, and letters of any case the rating and language")
    func sources() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("A comment\n-----BEGIN CERTIFICATE-----\n".utf8), to: "a.pem")
        let file = folder.path + "/a.pem"
        let services = try services(
            ["--source", "giphy", "--rating", "R", "--lang", "DE", "--cacert", file, "--offline"])
        #expect(services.source == "giphy" && services.fetch.caFile == file && services.isOffline)
        #expect(services.preferences.rating == .r && services.preferences.language == "de")
    }

    @Test("A certificate file that cannot be read, a folder and a file of another format are refused")
    func certificates() throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("GIF89a".utf8), to: "a.gif")
        let (file, problem) = (folder.path + "/a.gif", "contains no certificates in the format PEM")
        #expect(message(["--cacert", file]) == "--cacert \(file): \(problem)")
        let folderMessage = "--cacert \(folder.path): is a folder; name a file with certificates"
        #expect(message(["--cacert", folder.path]) == folderMessage)
        #expect(message(["--cacert", "/no/a.pem"]) == "--cacert /no/a.pem: No such file or directory")
    }

    @Test(
        "The rating option accepts every rating of the services",
        arguments: [("g", Rating.g), ("PG", .pg), ("pg-13", .pg13), ("R", .r)])
    func ratings(text: String, rating: Rating) throws {
        #expect(try services(["--rating", text]).preferences.rating == rating)
    }

    @Test("The language option accepts only two ASCII letters", arguments: ["", "d", "deu", "d1", "äö", "d "])
    func languages(text: String) {
        #expect((try? OptionValue.language(text)) == nil && (try? OptionValue.language("De")) == "de")
    }

    @Test("Lists replace each other; endpoints and communities add up")
    func repeated() throws {
        #expect(try services(["--sources", "giphy,commons", "--sources", "samples"]).catalog.order == ["samples"])
        let both = try services(["--endpoint", "commons=http://a/,http://b", "--endpoint", "giphy=http://c"]).catalog
        #expect(both.endpoints["commons"] == ServiceEndpoint(base: "http://a", others: ["http://b"]))
        #expect(both.endpoints["giphy"] == ServiceEndpoint(base: "http://c"))
        let communities = try services(["--reddit", "r/Gifs,/r/cats", "--reddit", "dogs,gifs"]).catalog.reddit
            .communities
        #expect(communities == ["gifs", "cats", "dogs"])
    }

    @Test("A flag that the configuration can contain has a negation, and the last one counts")
    func negations() throws {
        #expect(try services(["--offline", "--no-offline"]).isOffline == false)
        #expect(try Settings(given: Invocation(["--no-history", "--history"])).keepsHistory)
        #expect(try !Settings(given: Invocation(["--history", "--no-history"])).keepsHistory)
        #expect(message(["--no-inline"]) == "--no-inline: unknown option; 'gifplay play --help' lists the options")
    }
}

@Suite struct OptionValueTests {
    private func depth(_ text: String) throws(Failure) -> ColorDepth? {
        try OptionValue.choice(text, of: OptionValue.depths)
    }

    private func fidelity(_ text: String) throws(Failure) -> Fidelity {
        try OptionValue.choice(text, of: OptionValue.fidelities)
    }

    private func dithering(_ text: String) throws(Failure) -> Dithering { try OptionValue.choice(text) }

    @Test(
        "Durations are parsed with or without a unit",
        arguments: [
            ("10", 10_000), ("1.5s", 1500), ("250ms", 250), ("2m", 120_000), ("1h", 3_600_000), ("1ms", 1),
            ("100000h", 360_000_000_000), (".5", 500),
        ])
    func durations(text: String, milliseconds: Int64) {
        #expect((try? OptionValue.duration(text)) == milliseconds * Span.millisecond)
    }

    @Test(
        "Invalid durations are rejected",
        arguments: [
            "", "0", "-1", "s", "1d", "nan", "inf", "1e99h", "1e3", "0x10", "+5", "5.", ".", "1.2.3", "0.5ms",
            "100001h", "99999999h", "1_000", "٣",
        ])
    func badDurations(text: String) {
        #expect((try? OptionValue.duration(text)) == nil)
    }

    @Test(
        "Counts are parsed with or without a binary unit",
        arguments: [
            ("0", 0), ("4096", 4096), ("512K", 512 << 10), ("8m", 8 << 20), ("1G", 1 << 30), ("1024G", 1 << 40),
        ])
    func counts(text: String, count: Int) {
        #expect((try? OptionValue.count(text)) == count)
    }

    @Test(
        "Invalid counts are rejected", arguments: ["", "-1", "k", "1.5M", "99999999999G", "1025G", "+1", "0x10", "1e3"])
    func badCounts(text: String) {
        #expect((try? OptionValue.count(text)) == nil)
    }

    @Test("Colours are parsed from hexadecimal digits or names", arguments: ["#1e1e2e", "1E1E2E"])
    func colours(text: String) {
        #expect((try? OptionValue.color(text)) == CellColor(red: 0x1E, green: 0x1E, blue: 0x2E))
        #expect((try? OptionValue.color("fff")) == (try? OptionValue.color("white")))
        #expect((try? OptionValue.color("pink")) == nil && (try? OptionValue.color("#12345")) == nil)
        for text in ["+12345", "-00000", "0x1234", "#+1234"] { #expect((try? OptionValue.color(text)) == nil) }
    }

    @Test("Sizes are parsed as columns and rows")
    func sizes() {
        #expect((try? OptionValue.size("80x24")) == CellSize(columns: 80, rows: 24))
        #expect((try? OptionValue.size("80X24")) != nil)
        for text in ["80", "x24", "65535x65535", "+8x4", "8.x4", "0x5", "80x24x1", "-1x5", "99999x1"] {
            #expect((try? OptionValue.size(text)) == nil)
        }
    }

    @Test("Loop counts and speeds are parsed, and values outside their limits are rejected")
    func loopsAndSpeeds() {
        #expect((try? OptionValue.loops("3")) == .times(3) && (try? OptionValue.loops("forever")) == .forever)
        #expect((try? OptionValue.loops("0")) == nil && (try? OptionValue.loops("x")) == nil)
        #expect((try? OptionValue.speed("max")) == .max && (try? OptionValue.speed("0.5")) == .factor(0.5))
        for text in ["99999999999999999999999", "1000000001", "+3", "3."] {
            #expect((try? OptionValue.loops(text)) == nil)
        }
        for text in ["0", "-1", "nan", "1000", "0x10", "1e1", "+5", "5."] {
            #expect((try? OptionValue.speed(text)) == nil)
        }
    }

    @Test("A limit is a count of at least 1")
    func limits() {
        #expect((try? OptionValue.limit("1")) == 1)
        #expect((try? OptionValue.limit("2K")) == 2048)
        for text in ["0", "0K", "-1", "x"] { #expect((try? OptionValue.limit(text)) == nil) }
    }

    @Test("The command line offers every fidelity of the player except the coarsest one")
    func fidelities() throws {
        #expect(try ["exact", "standard", "low"].map(fidelity) == [.exact, .standard, .low])
        #expect((try? fidelity("coarse")) == nil && (try? fidelity("2")) == nil)
    }

    @Test("A mode, a colour depth and a dithering are parsed by their names; the depth 'auto' is nil")
    func choices() throws {
        #expect(OptionValue.depths.map(\.value) == [nil, .direct, .indexed, .sixteen, .eight, ColorDepth.none])
        #expect(try OptionValue.depths.allSatisfy { try depth($0.key) == $0.value })
        let names = ["half", "quadrant", "sextant", "octant", "kitty", "iterm2", "sixel", "auto"]
        #expect(OptionValue.modes.map(\.key) == names)
        let characters: [PictureMode] = [
            .half, .subcells(.quadrant), .subcells(.sextant), .subcells(.octant), .half, .half, .half, .half,
        ]
        #expect(try names.map { try OptionValue.mode($0).characters } == characters)
        #expect(
            try names.map { try OptionValue.mode($0).graphics }
                == [.off, .off, .off, .off, .only(.kitty), .only(.iterm2), .only(.sixel), .auto])
        #expect(try OptionValue.mode("sixel!").graphics == .forced(.sixel))
        #expect(throws: (any Error).self) { try OptionValue.mode("half!") }
        #expect(try ["ordered", "none"].map(dithering) == Dithering.allCases)
    }

    @Test("The message for a rejected value states the expected form")
    func expectedForms() {
        func message<Value>(_ parse: (String) throws -> Value) -> String? {
            thrown(Failure.self) { try parse("?") }.map { "\($0)" }
        }
        #expect(message(OptionValue.size) == "expected columns and rows from 1 to 10000, such as 80x24")
        #expect(message(OptionValue.duration) == "expected a time from 1ms to 100000h, such as 30s, 1.5m or 250ms")
        let count = message { try OptionValue.count($0) }
        #expect(count == "expected a whole number from 0 to 1024G, such as 4096, 512K or 8M")
        #expect(message(OptionValue.limit) == "expected a whole number from 1 to 1024G, such as 4096, 512K or 8M")
        #expect(message(OptionValue.resultNumber) == "expected a whole number from 1 to 10000")
        #expect(message(OptionValue.loops) == "expected a whole number from 1 to 1000000000, or 'forever'")
        #expect(message(OptionValue.speed) == "expected a factor from 0.01 to 100, or 'max'")
        #expect(message(OptionValue.color) == "expected a colour, such as #1e1e2e, black or white")
        #expect(message(OptionValue.language) == "expected the two letters of a language, such as de")
        #expect(message(depth) == "expected auto, 24bit, 256, 16, 8 or none")
        #expect(message(dithering) == "expected ordered or none")
        let mode = message { try OptionValue.mode($0) }
        #expect(mode == "expected half, quadrant, sextant, octant, kitty, iterm2, sixel or auto")
    }
}

@Suite struct LimitOptionsTests {
    private func limits(_ arguments: String...) throws -> DecodeLimits {
        try Settings(given: Invocation(arguments)).limits
    }

    @Test("Each option changes its own limit")
    func values() throws {
        var expected = DecodeLimits()
        expected.canvasPixels = 1 << 20
        expected.totalPixels = 2 << 20
        expected.bytes = 3 << 10
        expected.frames = 4
        let limits = try limits(
            "--max-canvas-pixels", "1M", "--max-total-pixels", "2M", "--max-bytes", "3K", "--max-frames", "4")
        #expect(limits == expected)
    }

    @Test("Playing has no limit on all frames together; 'info' and stills have one, unless an option sets it")
    func inspection() throws {
        let limits = try limits()
        #expect(limits == DecodeLimits())
        #expect(limits.totalPixels == nil && limits.frames == .max && !limits.skipsExcess)
        let inspection = limits.forInspection
        #expect(inspection.totalPixels == 64 << 20 && inspection.frames == 1 << 20 && inspection.skipsExcess)
        let chosen = try self.limits("--max-total-pixels", "4096", "--max-frames", "7")
        #expect(chosen.forInspection.totalPixels == 4_096 && chosen.forInspection.frames == 7)
        #expect(limits.forStill.totalPixels == 256 << 20 && chosen.forStill.totalPixels == 4_096)
    }
}
