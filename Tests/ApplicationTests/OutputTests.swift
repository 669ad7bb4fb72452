import Testing

@testable import Application

@Suite struct OutputTests {
    private struct Item: Encodable {
        var url = "https://a.example/b"
        var title: String
        var author: String?
    }

    @Test("A JSON line has sorted keys, omits absent values and does not escape slashes")
    func json() {
        #expect(JSONLine.text(Item(title: "Cat")) == "{\"title\":\"Cat\",\"url\":\"https://a.example/b\"}")
        #expect(
            JSONLine.text(Item(title: "é", author: "Ann"))
                == "{\"author\":\"Ann\",\"title\":\"é\",\"url\":\"https://a.example/b\"}")
    }

    @Test("A JSON line contains no control or format characters", arguments: ["\u{1B}[2J", "\n", "\u{202E}", "\u{9B}"])
    func control(text: String) {
        let line = JSONLine.text(["title": text])
        #expect(line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
        #expect(line.contains("\\"))
    }
}
