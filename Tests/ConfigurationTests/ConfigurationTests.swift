import Configuration
import Testing

@Suite struct ConfigurationTests {
    @Test("Every setting is read from the file")
    func everySetting() throws {
        let configuration = try Configuration.read(
            toml: """
                sources = ["giphy", "commons"]   # in this order
                rating = "pg"
                language = "de"
                every = 15
                cache-size = "64M"
                contact = "me@example.org"
                report-use = true
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
                """
        ).configuration
        var expected = Configuration()
        expected.sources = ["giphy", "commons"]
        expected.rating = "pg"
        expected.language = "de"
        expected.switchInterval = "15"
        expected.cacheSize = "64M"
        expected.contact = "me@example.org"
        expected.reportsUse = true
        expected.keys = ["giphy": "abc"]
        expected.endpoints = ["commons": ["http://127.0.0.1:1"], "gifcities": ["http://a", "http://b"]]
        expected.reddit.communities = ["gifs", "/r/CatGifs"]
        expected.reddit.clientIdentifier = "app"
        expected.reddit.clientSecret = "hush"
        expected.reddit.username = "me"
        #expect(configuration == expected)
    }

    @Test("An empty file leaves every setting unset")
    func emptyFile() throws {
        #expect(try Configuration.read(toml: "\n# nothing\n").configuration == Configuration())
    }

    @Test(
        "An invalid setting is reported with its line number",
        arguments: [
            ("rating = \"g\"\nratng = \"g\"", 2, ConfigurationError.Problem.unknownKey("ratng")),
            ("[keys]\n\ngiphy = 5", 3, .wrongType(key: "keys.giphy", expected: "a string in quotes")),
            ("\n\nsources = \"commons\"", 3, .wrongType(key: "sources", expected: "a list of strings")),
            ("sources = [1]", 1, .wrongType(key: "sources", expected: "a list of strings")),
            ("\n[player]\nspeed = 2", 2, .unknownKey("player")),
            ("keys = 3", 1, .wrongType(key: "keys", expected: "a table")),
            ("sources = [\n  \"commons\",\n  1 ]", 3, .wrongType(key: "sources", expected: "a list of strings")),
            ("\nendpoints.commons = [\n\n[]]", 4, .wrongType(key: "endpoints.commons", expected: "a list of strings")),
            ("rating = 1979-05-27", 1, .wrongType(key: "rating", expected: "a string in quotes")),
            ("report-use = \"yes\"", 1, .wrongType(key: "report-use", expected: "true or false")),
            ("every = true", 1, .wrongType(key: "every", expected: "a number or a string in quotes")),
            // The first mistake in the file is reported, regardless of the alphabetical order of the keys.
            ("\nzebra = 1\nalpha = 2", 2, .unknownKey("zebra")),
            ("\"\" = 1", 1, .unknownKey("")),
            ("[reddit]\nclient-id = \"a\"\nsecret = \"b\"", 3, .unknownKey("reddit.secret")),
            (
                "[reddit]\ncommunities = \"gifs\"", 2,
                .wrongType(key: "reddit.communities", expected: "a list of strings")
            ),
            ("[reddit]\nusername = 7", 2, .wrongType(key: "reddit.username", expected: "a string in quotes")),
            ("reddit = [\"gifs\"]", 1, .wrongType(key: "reddit", expected: "a table")),
        ])
    func invalidSetting(text: String, line: Int, problem: ConfigurationError.Problem) {
        #expect(throws: ConfigurationError(line: line, problem: problem)) { try Configuration.read(toml: text) }
    }

    @Test("A syntax error is reported with its line number")
    func syntaxError() throws {
        do throws(ConfigurationError) {
            _ = try Configuration.read(toml: "rating = \"g\"\nlanguage = = 4\n")
            Issue.record("no error")
        } catch {
            #expect(error.line == 2)
        }
    }

    @Test(
        "Invalid TOML is reported with the parser's message",
        arguments: [
            "rating = \"\\uD800\"", "a = 1\na = 2", "[keys", "= ", "a = \"",
            "a = " + String(repeating: "[", count: 9999),
            // Without the workarounds in ctoml.cpp, toml++ 3.3 would abort on these inputs or misread them.
            "a = 1\n[\n", "[:a]", "[é]", "é = 1", "　a = 1", "a = é",
        ])
    func parserMessage(text: String) throws {
        do throws(ConfigurationError) {
            _ = try Configuration.read(toml: text)
            Issue.record("no error")
        } catch {
            guard case .syntax(let message) = error.problem else { throw error }
            #expect(message.count > 10 && error.line >= 1)
        }
    }

    @Test("The line number of every setting and list element is recorded")
    func settingLines() throws {
        let lines = try Configuration.read(
            toml: """
                every = "5s" # rating = 1
                sources = [ "commons",

                    "samples" ]
                "rating" = "g"
                keys = { giphy = "a" }

                [endpoints]
                'commons' = "http://a"
                gifcities = ["http://b",
                    "http://c"]
                [reddit]
                communities = ["a",
                    "b"]
                """
        ).lines
        let found = [
            "every", "sources", "sources.0", "sources.1", "rating", "keys.giphy", "endpoints.commons",
            "endpoints.gifcities.1", "reddit.communities.1",
        ].map(lines.line(of:))
        #expect(found == [1, 2, 2, 4, 5, 6, 9, 11, 14])
    }

    @Test("Strings are read unchanged, and numbers become strings")
    func stringsAndNumbers() throws {
        let configuration = try Configuration.read(
            toml: "contact = \"a\\u0000b é 🐈\"\nlanguage = \"\"\ncache-size = 1e3\n"
        ).configuration
        #expect(configuration.contact == "a\0b é 🐈")
        #expect(configuration.language == "")
        #expect(configuration.cacheSize == "1000.0")
    }

    @Test("The configuration file is below XDG_CONFIG_HOME if this is an absolute path, and otherwise below HOME")
    func filePath() {
        #expect(Configuration.path(environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/gifplay/config.toml")
        #expect(
            Configuration.path(environment: ["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/gifplay/config.toml")
        #expect(Configuration.path(environment: [:]) == nil)
    }
}
