import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct NameTests {
    @Test(
        "The name of a community is validated",
        arguments: [
            ("gifs", "r/gifs"), ("r/GIFs", "r/gifs"), ("/r/high_quality", "r/high_quality"), ("a", nil), ("", nil),
            ("gifs/../../x", nil), ("a b", nil), ("gîfs", nil), ("gifs+pics", nil), ("r/", nil),
            ("a123456789012345678901", nil), ("gifs?x", nil),
        ])
    func communityName(text: String, name: String?) {
        #expect(Community(text).map { Reddit($0, CatalogSettings(), version: "1.0").profile.name } == name)
    }

    @Test("The user agent has the format that Reddit requires; invalid characters of the user name are removed")
    func userAgent() {
        #expect(Reddit.userAgent(version: "1.0", username: nil) == "linux:gifplay:1.0")
        #expect(Reddit.userAgent(version: "1.0", username: "a-b_C)\r\nX: y") == "linux:gifplay:1.0 (by /u/a-b_CXy)")
        #expect(Reddit.userAgent(version: "1.0", username: "/u/name") == "linux:gifplay:1.0 (by /u/name)")
    }
}
