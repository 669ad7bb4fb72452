import Testing

@testable import Base

@Suite("Paths as text")
struct PathTextTests {
    /// Single bytes, cut and overlong sequences, surrogates, text around bytes, and the private scalars themselves.
    private static let names: [[UInt8]] =
        (1...255).map { [UInt8($0)] } + [
            Array("café/naïve.gif".utf8), Array("caf".utf8) + [0xE9] + Array(".gif".utf8), [0xC3], [0xC3, 0xA9, 0xC3],
            [0xE2, 0x82], [0xE2, 0x82, 0x2E], [0xC0, 0xAF], [0xED, 0xB3, 0xA9], [0xF0, 0x9F, 0x90],
            [0xF5, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], Array("\u{10F7E9}".utf8), Array("\u{10F780}\u{10F7FF}x".utf8),
            Array("\u{10F7E9}".utf8) + [0xE9], Array("e\u{301}\u{10FFFF}".utf8), [0x80, 0x80, 0x2F, 0xFF],
        ]

    @Test("Every sequence of bytes becomes a text and the same bytes again")
    func roundTrip() {
        for bytes in Self.names {
            let text = String(path: bytes)
            #expect(text.pathBytes == bytes && text.systemPath.map { UInt8(bitPattern: $0) } == bytes + [0], "\(bytes)")
            #expect(text.isForeignPath == (String(validating: bytes, as: UTF8.self) != text), "\(bytes)")
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<12).map { _ in UInt8.random(in: 1...255, using: &random) }
            #expect(String(path: bytes).pathBytes == bytes, "\(bytes)")
        }
        #expect(Set(Self.names.map { String(path: $0) }).count == Set(Self.names).count)
    }

    @Test("A byte that is not UTF-8 is displayed as a replacement character, and escaped in JSON")
    func display() {
        let name = String(path: Array("caf".utf8) + [0xE9] + Array(".gif".utf8))
        #expect(SafeText.sentence(name) == "caf\u{FFFD}.gif" && SafeText.line(" \(name) ") == "caf\u{FFFD}.gif")
        #expect(!SafeText.isSafe(name) && SafeText.escaped(json: name).utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("Folders and last names are found by bytes, also if a name begins with a combining mark")
    func parts() {
        for (path, parent, name) in [
            ("/a/b.gif", "/a", "b.gif"), ("b.gif", ".", "b.gif"), ("/b.gif", "/", "b.gif"), ("/", "/", "/"),
            ("a/\u{301}b/", "a", "\u{301}b"), ("\u{301}/\u{301}c.gif", "\u{301}", "\u{301}c.gif"),
        ] {
            #expect(FileSystem.parent(of: path) == parent && FileSystem.lastName(of: path) == name, "\(path)")
        }
    }

    @Test("A path in a message is short and keeps its last name")
    func shortPath() {
        let long = "/srv/" + String(repeating: "pictures/", count: 12) + "cat.gif"
        #expect(SafeText.path("/tmp/a\nb.gif") == "/tmp/a b.gif")
        #expect(SafeText.path(long).count == 48 && SafeText.path(long).hasSuffix("…/cat.gif"))
        #expect(SafeText.path("/srv/" + String(repeating: "x", count: 90)).count == 48)
    }

    @Test(
        "Names are in the order in which people count, with capitals beside small letters",
        arguments: [
            ["frame 1", "frame 2", "frame 10", "frame 100"], ["apple", "Banana", "cherry", "Zebra"],
            ["a", "A2", "a10", "B1"], ["1.gif", "01b.gif", "2.gif", "010.gif"], ["x1y9", "x1y10", "x02y1"],
            ["", " ", "-1", "0", "9", "99999999999999999999998", "99999999999999999999999", "a"],
            ["A.gif", "a.gif"], ["img9.gif", "img10.GIF", "img11.gif"],
        ])
    func naturalOrder(names: [String]) {
        for _ in 0..<5 {
            let sorted = names.shuffled().map { (NaturalOrder($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
            #expect(sorted == names)
        }
    }
}
