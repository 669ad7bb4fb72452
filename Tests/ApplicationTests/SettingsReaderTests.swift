import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Application

@Suite struct SettingsReaderTests {
    private static let example = """
        sources = ["giphy", "commons"]   # in this order
        rating = "PG-13"
        language = "DE"
        every = 90
        cache-size = "1G"
        contact = "me@example.org"
        report-use = true
        color = "always"
        mode = "sextant"
        colors = 256
        dither = "none"
        [keys]
        giphy = "abc"
        [endpoints]
        commons = "http://127.0.0.1:1"
        gifcities = ["http://a", "http://b"]
        [reddit]
        communities = ["gifs", "/r/CatGifs"]
        client-id = "app"
        client-secret = "hush"
        username = "me"
        feed = "token"
        user = "reader"
        """

    /// Returns the settings that the text of a configuration file results in.
    private func read(_ text: String) throws -> Settings {
        var settings = try Settings(ignoresFile: true, environment: [:])
        try settings.read(toml: text)
        return settings
    }

    private func error(_ text: String) -> SettingError? {
        #expect(throws: SettingError.self) { try read(text) }
    }

    @Test("Every setting is read from the file")
    func everySetting() throws {
        let settings = try read(Self.example)
        let (services, playback) = (settings.services, settings.playback)
        #expect(services.catalog.order == ["giphy", "commons"])
        #expect(services.preferences == ListingPreferences(rating: .pg13, language: "de", targetWidth: 80))
        #expect(services.cacheBytes == 1 << 30 && services.contact == "me@example.org")
        #expect(services.catalog.reportsUse)
        #expect(services.catalog.keys.keys.sorted() == ["giphy", "reddit", "reddit.feed"])
        #expect(services.catalog.redactor("abc hush token") == "(key) (key) (key)")
        #expect(services.catalog.endpoints["commons"] == ServiceEndpoint(base: "http://127.0.0.1:1"))
        #expect(services.catalog.endpoints["gifcities"] == ServiceEndpoint(base: "http://a", others: ["http://b"]))
        #expect(services.communities.names == ["gifs", "catgifs"])
        #expect(services.communities.clientIdentifier == "app" && services.communities.username == "me")
        #expect(services.communities.feedUser == "reader")
        #expect(playback.switchInterval == 90 * Span.second && playback.colorRule == .always)
        #expect(playback.player.mode == .subcells(.sextant) && playback.player.graphics == .off)
        #expect(playback.colors == ColorPreference(depth: .indexed, dithering: Dithering.none))
    }

    @Test("The number of loops can be a number or 'forever'", arguments: ["3", "\"3\"", "\"forever\""])
    func loops(value: String) throws {
        let playback = try read("loop = \(value)").playback
        #expect(playback.loops == (value == "\"forever\"" ? .forever : .times(3)) && playback.player.loops == .file)
    }

    @Test("An empty file leaves every setting unchanged")
    func emptyFile() throws {
        var settings = try Settings(ignoresFile: true, environment: [:])
        settings.services.preferences.rating = .pg
        settings.playback.colors.depth = .eight
        try settings.read(toml: "\n# nothing\n")
        #expect(settings.services.preferences.rating == .pg && settings.playback.colors.depth == .eight)
        #expect(settings.services.catalog.order == nil && settings.services.cacheBytes == 512 << 20)
    }

    @Test(
        "An invalid setting is reported with its line number",
        arguments: [
            ("rating = \"g\"\nratng = \"g\"", 2, "unknown setting 'ratng'; the settings are sources, "),
            ("[keys]\n\ngiphy = 5", 3, "keys.giphy should be a string in quotes"),
            ("\n\nsources = \"commons\"", 3, "sources should be a list of strings"),
            ("sources = [1]", 1, "sources should be a list of strings"),
            ("\n[player]\nspeed = 2", 2, "unknown setting 'player'; "),
            ("keys = 3", 1, "keys should be a table"),
            ("sources = [\n  \"commons\",\n  1 ]", 3, "sources should be a list of strings"),
            ("\nendpoints.commons = [\n\n[]]", 4, "endpoints.commons should be a list of strings"),
            ("rating = 1979-05-27", 1, "rating should be a string in quotes"),
            ("every = true", 1, "every should be a number or a string in quotes"),
            ("loop = 0", 1, "loop should be a whole number from 1, or 'forever', not '0'"),
            ("report-use = \"yes\"", 1, "report-use should be true or false"),
            // The first mistake in the file is reported, regardless of the alphabetical order of the keys.
            ("\nzebra = 1\nalpha = 2", 2, "unknown setting 'zebra'; "),
            ("\"\" = 1", 1, "unknown setting ''; "),
            (
                "[reddit]\nclient-id = \"a\"\nsecret = \"b\"", 3,
                "unknown setting 'reddit.secret'; [reddit] has communities, "
            ),
            (
                "[reddit]\ncommunities = \"gifs\"", 2,
                "reddit.communities should be a list of strings"
            ),
            ("[reddit]\nusername = 7", 2, "reddit.username should be a string in quotes"),
            ("reddit = [\"gifs\"]", 1, "reddit should be a table"),
        ])
    func invalidSetting(text: String, line: Int, problem: String) {
        let failure = error(text)
        #expect(failure?.line == line && failure?.problem.hasPrefix(problem) == true, "\(String(describing: failure))")
    }

    @Test("A syntax error is reported with its line number")
    func syntaxError() {
        #expect(error("rating = \"g\"\nlanguage = = 4\n")?.line == 2)
    }

    @Test(
        "Invalid TOML is reported with the parser's message",
        arguments: [
            "rating = \"\\uD800\"", "a = 1\na = 2", "[keys", "= ", "a = \"",
            "a = " + String(repeating: "[", count: 9999),
            // Without the workarounds in ctoml.cpp and SettingsReader.swift, toml++ would abort on these inputs or misread them.
            "a = 1\n[\n", "[:a]", "[é]", "é = 1", "　a = 1", "a = é",
        ])
    func parserMessage(text: String) throws {
        let failure = try #require(error(text))
        #expect(failure.problem.hasPrefix("syntax error: ") && failure.problem.count > 24 && failure.line >= 1)
    }

    @Test("Characters of every plane keep their value in settings and in the parser's messages")
    func characters() throws {
        let text = "\u{A0}é　中\u{FEFE}\u{FEFF}￥🐈\u{10FFFD}"
        #expect(try read("contact = '\(text)'").services.contact == text)
        #expect(error("'\(text)' = 1")?.problem.hasPrefix("unknown setting '\(text)'; ") == true)
        #expect(error("é = 1")?.problem.contains("é") == true)
    }

    @Test(
        "A value that is not allowed is reported with the line of the setting or of the list element",
        arguments: [
            ("every = \"5s\" # rating = 1\nsources = [ \"commons\",\n\n  \"a\" ]", 4), ("\n\"rating\" = \"x\"", 2),
            ("rating = \"g\"\nkeys = { commons = \"a\" }", 2), ("[endpoints]\n'a' = \"http://a\"", 2),
            ("[endpoints]\ncommons = [\"http://b\",\n  1]", 3), ("[reddit]\ncommunities = [\"ab\",\n  \"b\"]", 3),
        ])
    func settingLines(text: String, line: Int) {
        #expect(error(text)?.line == line)
    }

    @Test("Strings are read unchanged, and a number can replace a string that contains it")
    func stringsAndNumbers() throws {
        #expect(try read("contact = \"a\\u0000b é 🐈\"").services.contact == "a\0b é 🐈")
        #expect(error("language = \"\"")?.problem == "language should be two letters such as de, not ''")
        #expect(try read("cache-size = 1000").services.cacheBytes == 1_000)
        #expect(error("cache-size = 1e3")?.problem == "cache-size should be a size such as 512M, not '1000.0'")
    }

    @Test("The configuration file is below XDG_CONFIG_HOME if this is an absolute path, and otherwise below HOME")
    func filePath() {
        #expect(SettingsFile.path(environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/gifplay/config.toml")
        #expect(
            SettingsFile.path(environment: ["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/gifplay/config.toml")
        #expect(SettingsFile.path(environment: [:]) == nil)
    }
}
