import Base
import Testing

@testable import Application
@testable import Catalog

@Suite struct SecretTests {
    /// Strings that reveal the key, in lower case. Even the first eight characters of the key reveal it.
    private static let forms = [String(testKey.prefix(8)), testKey, WebAddress.component(testKey)]
        .map { $0.lowercased() }

    private func hasKey(_ value: Any) -> Bool {
        var dumped = ""
        dump(value, to: &dumped)
        let text = (dumped + String(describing: value) + String(reflecting: value)).lowercased()
        return Self.forms.contains { holds(text, $0) }
    }

    /// Returns whether `text` contains `part`. Compares bytes, because a comparison of characters would not find a key
    /// that is followed by a combining mark.
    private func holds(_ text: String, _ part: String) -> Bool {
        Array(text.utf8).firstRange(of: Array(part.utf8)) != nil
    }

    @Test("A secret is printed as a placeholder")
    func placeholder() throws {
        let secret = try #require(Secret(" \(testKey)\n"))
        #expect("\(secret)" == "(key)")
        #expect(!hasKey(secret) && !hasKey([secret] as [Secret?]) && !hasKey(Redactor([secret])))
        #expect(!hasKey(CatalogSettings.test()))
        #expect(secret.reveal() == testKey)
        #expect(Secret(" \n") == nil && Secret("") == nil)
    }

    @Test("A redactor removes the key, even if it is percent-encoded or in another case")
    func redaction() throws {
        let redactor = Redactor([try #require(Secret(testKey))])
        let encoded = WebAddress.component(testKey)
        let texts = [
            testKey, "a\(testKey)b\(testKey)", "key=\(encoded)&x", encoded.lowercased(), testKey.uppercased(),
            testKey + "\u{301}",
        ]
        for text in texts { #expect(!hasKey(redactor(text)) && holds(redactor(text), "(key)")) }
        #expect(redactor("nothing here") == "nothing here")
        #expect(Redactor()("x") == "x")
    }

    @Test("Errors contain no key, even if the response of the service repeats the key")
    func echoedKey() async throws {
        let encoded = WebAddress.component(testKey)
        let echoes = [
            "The provided API key is invalid: \(testKey)", String(repeating: "x", count: 190) + testKey,
            "Se\u{200B}CrEt-0123/abc+def", testKey.uppercased(), encoded, "\u{1B}[1m\(testKey)", testKey + "\u{301}",
        ]
        let shapes: [(String) -> String] = [
            { "{\"result\":false,\"errors\":{\"message\":[\"\($0)\"]}}" }, { "{\"message\":\"\($0)\"}" },
            { "{\"data\":[],\"meta\":{\"status\":429,\"msg\":\"\($0)\"}}" }, { "{\"detail\":\"\($0)\"}" }, { $0 },
            { "{\"error\":{\"code\":\"\($0)\",\"info\":\"\($0)\"}}" },
            { "{\"errors\":[{\"code\":\"\($0)\",\"text\":\"\($0)\"}]}" },
        ]
        for profile in GIFSources.profiles {
            for (echo, shape) in echoes.flatMap({ echo in shapes.map { (echo, $0) } }) {
                for status in [200, 403, 404, 429] {
                    let body = Array(shape(echo.replacing("\u{1B}", with: "\\u001b")).utf8)
                    let client = ScriptedHTTPClient(.success(HTTPResponse(status: status, body: body)))
                    let repository = try repository(profile.name, client)
                    let error = await failure { try await repository.search(SearchQuery("x"), page: nil) }
                    #expect(!hasKey(error as Any))
                }
            }
        }
    }

    @Test("Transport errors contain no key")
    func transportErrors() async throws {
        let texts = ["failed: https://api.klipy.com/api/v1/\(WebAddress.component(testKey))/gifs", "host \(testKey)"]
        for text in texts {
            for error in [Failure.unreachable(host: text, reason: text), .responseRefused(host: text, reason: text)] {
                let client = ScriptedHTTPClient(.failure(error))
                let chain = ServiceChain(
                    try GIFSources.profiles.map { .init(try repository($0.name, client)) }, wait: waitUntilCancelled)
                let found = await failure { try await chain.search(SearchQuery("x"), page: nil) }
                #expect(found != nil && !hasKey(found as Any))
            }
        }
    }

    @Test("GIF references contain no key, even if the response of the service contains the key")
    func references() async throws {
        let key = testKey.replacing("/", with: "\\/")
        for profile in GIFSources.profiles {
            var body = String(decoding: try Fixture.bytes("\(profile.name)/search.json"), as: UTF8.self)
            for text in ["Wobbling", "Snail on", "octopus", "ufo", "Turning", "Kettle", "\"snail\"", "lighthouse"] {
                body = body.replacing(text, with: text.hasPrefix("\"") ? "\"\(key)\"" : key)
            }
            let client = ScriptedHTTPClient(.success(HTTPResponse(status: 200, body: Array(body.utf8))))
            let page = try await repository(profile.name, client).search(
                SearchQuery(profile.isOptional ? "hug" : "x"), page: nil)
            #expect(!hasKey(page))
            for item in page.items { #expect(!item.renditions.isEmpty) }
        }
    }

    @Test("The redactor of the settings removes the key from request URLs")
    func settingsRedactor() async throws {
        let settings = CatalogSettings.test()
        for name in ["giphy", "klipy"] {
            let client = ScriptedHTTPClient(.success(try Fixture.response("\(name)/search.json")))
            _ = try await repository(name, client, settings).search(SearchQuery("x"), page: nil)
            let url = try #require(client.urls.first)
            #expect(hasKey(url) && !hasKey(settings.redactor(url)))
        }
    }
}
