import Configuration
import Testing

@Suite struct ConfigurationTests {
    @Test func `everything that can be set is read`() throws {
        let configuration = try Configuration(
            toml: """
                sources = ["giphy", "commons"]   # in this order
                rating = "pg"
                language = "de"
                every = 15
                cache-size = "64M"
                contact = "me@example.org"
                [keys]
                giphy = "abc"
                [endpoints]
                commons = "http://127.0.0.1:1"
                gifcities = ["http://a", "http://b"]
                """)
        var expected = Configuration()
        expected.sources = ["giphy", "commons"]
        expected.rating = "pg"
        expected.language = "de"
        expected.every = "15"
        expected.cacheSize = "64M"
        expected.contact = "me@example.org"
        expected.keys = ["giphy": "abc"]
        expected.endpoints = ["commons": ["http://127.0.0.1:1"], "gifcities": ["http://a", "http://b"]]
        #expect(configuration == expected)
    }

    @Test func `an empty file says nothing`() throws {
        #expect(try Configuration(toml: "\n# nothing\n") == Configuration())
    }

    @Test(arguments: [
        ("rating = \"g\"\nratng = \"g\"", 2, ConfigurationError.Problem.unknownKey("ratng")),
        ("[keys]\n\ngiphy = 5", 3, .wrongType(key: "keys.giphy", expected: "a text in quotes")),
        ("\n\nsources = \"commons\"", 3, .wrongType(key: "sources", expected: "a list of texts")),
        ("sources = [1]", 1, .wrongType(key: "sources", expected: "a list of texts")),
        ("\n[player]\nspeed = 2", 2, .unknownKey("player")),
        ("keys = 3", 1, .wrongType(key: "keys", expected: "a table")),
    ])
    func `what is wrong is told with its line`(text: String, line: Int, problem: ConfigurationError.Problem) {
        #expect(throws: ConfigurationError(line: line, problem: problem)) { try Configuration(toml: text) }
    }

    @Test func `what is no TOML is told with its line`() throws {
        do throws(ConfigurationError) {
            _ = try Configuration(toml: "rating = \"g\"\nlanguage = = 4\n")
            Issue.record("no error")
        } catch {
            #expect(error.line == 2)
        }
    }

    @Test func `it lies where the environment says`() {
        #expect(Configuration.path(environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/gifplay/config.toml")
        #expect(
            Configuration.path(environment: ["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/gifplay/config.toml")
        #expect(Configuration.path(environment: [:]) == nil)
    }
}
