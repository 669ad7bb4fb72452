import Catalog
import FoundationEssentials
import Testing

@testable import Library

/// Tests that the first syntax error of a document is found with its line.
@Suite struct JSONSyntaxCheckTests {
    @Test(
        "The reason and the line of a syntax error are found",
        arguments: [
            ("", "Unexpected end of file", 1),
            ("{\n\"a\": [1,\n", "Unexpected end of file", 3),
            ("[\n\"abc\n\"]", "Unescaped control character", 2),
            ("[\n\n\"abc", "Unexpected end of file", 3),
            ("{\"a\": 1,\n\"b\": [\n}", "Invalid value", 3),
            ("{\"a\"\n1}", "Invalid value", 2),
            ("{\"a\": 1} x", "Invalid value", 1),
            ("[1\n2]", "Invalid value", 2),
            ("[,]", "Invalid value", 1), ("[1,,]", "Invalid value", 1), ("{a: 1}", "Invalid value", 1),
            ("]", "Invalid value", 1), ("[1}", "Invalid value", 1), ("\u{0}", "Invalid value", 1),
            ("[\ntru]", "Invalid value", 2), ("[01]", "Invalid value", 1), ("[1.]", "Invalid value", 1),
            ("[-]", "Invalid value", 1), ("[1e+]", "Invalid value", 1), ("[+1]", "Invalid value", 1),
            ("[\n\"\\x\"]", "Invalid escape sequence", 2), ("[\"\\u12g4\"]", "Invalid escape sequence", 1),
            ("[\"\\u+123\"]", "Invalid escape sequence", 1), ("[\"\\ud800\"]", "Invalid escape sequence", 1),
            ("[\"\\ud800\\u0041\"]", "Invalid escape sequence", 1), ("[\"\\udc00\"]", "Invalid escape sequence", 1),
            (String(repeating: "[", count: 100_000), "Too many nested arrays or dictionaries", 1),
        ])
    func errors(document: String, reason: String, line: Int) {
        let error = JSONSyntaxCheck.firstError(in: Array(document.utf8))
        #expect(error?.reason == reason && error?.line == line, "\(String(describing: error))")
        #expect(!isAccepted(Array(document.utf8)))
    }

    @Test("Bytes that are not UTF-8 are found with their line")
    func encoding() {
        let document = Array("[\n\"".utf8) + [0xFF] + Array("\"]".utf8)
        let error = JSONSyntaxCheck.firstError(in: document)
        #expect(error?.reason == "Invalid UTF-8" && error?.line == 2)
    }

    @Test(
        "A document that the decoder accepts has no syntax error",
        arguments: [
            "[]", " {} \n", "[[], {}, [{}]]", "{\"a\": {\"b\": [null, true, false]}, \"c\": \"\"}", "[1,]",
            "{\"a\": 1,}",
            "[0, -0, 10, 1.5, -1.25e10, 1E-2, 1e+2]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 é😀\u{7F}\"]",
            "\u{FEFF}[1]", String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
        ])
    func accepted(document: String) {
        let error = JSONSyntaxCheck.firstError(in: Array(document.utf8))
        #expect(error == nil, "\(String(describing: error))")
        #expect(isAccepted(Array(document.utf8)))
    }

    /// Any JSON value. Decoding reads all of it, because the decoder checks texts and numbers only then.
    private enum Anything: Decodable {
        case value

        init(from decoder: any Decoder) throws {
            if let list = try? decoder.unkeyedContainer() {
                var list = list
                while !list.isAtEnd { _ = try list.decode(Self.self) }
            } else if let object = try? decoder.container(keyedBy: MemberName.self) {
                for name in object.allKeys { _ = try object.decode(Self.self, forKey: name) }
            } else {
                let single = try decoder.singleValueContainer()
                guard !single.decodeNil() else { self = .value; return }
                if (try? single.decode(Bool.self)) == nil, (try? single.decode(Double.self)) == nil {
                    _ = try single.decode(String.self)
                }
            }
            self = .value
        }
    }

    private func isAccepted(_ document: [UInt8]) -> Bool {
        (try? JSONDecoder().decode(Anything.self, from: Data(document))) != nil
    }
}
