import Foundation
import TestServer
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SecurityTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Expects standard output and standard error to contain only allowed text. If `tried` is true, at least one of
    /// them must contain ``HostileText/mark``. Otherwise, neither of them may contain it.
    private func expectHarmless(
        _ outcome: ProgramResult, tried: Bool = true, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(OutputCheck.faults(in: outcome.output) == [], sourceLocation: location)
        #expect(OutputCheck.faults(in: Array(outcome.errors.utf8)) == [], sourceLocation: location)
        #expect(outcome.status >= 0, sourceLocation: location)
        let isTried = (outcome.text + outcome.errors).contains(HostileText.mark)
        #expect(isTried == tried, "\(outcome.text) \(outcome.errors)", sourceLocation: location)
    }

    @Test(
        "Hostile text from a service is harmless in tables, JSON, URL lists and the output of 'browse --plain'",
        arguments: HostileTextSite.services)
    func listings(service: String) throws {
        let site = try HostileTextSite.site()
        let environment = site.environment(HostileTextSite.keys)
        let found = ["--source", service, "--rating", "r"]
        let table = try runGifplay(found + ["--list", "teapot"], environment: environment)
        expectHarmless(table)
        #expect(table.text.split(separator: "\n").count >= HostileText.texts.count - 2, "\(table.text)")
        let json = try runGifplay(found + ["--list", "--json", "teapot"], environment: environment)
        expectHarmless(json)
        for line in json.text.split(separator: "\n") {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        }
        let addresses = try runGifplay(found + ["--list", "--format", "url", "teapot"], environment: environment)
        #expect(addresses.output.allSatisfy { $0 == 10 || (0x21...0x7E).contains($0) })
        let plain = ["browse", "--plain", "--source", service, "--rating", "r", "teapot"]
        expectHarmless(try runGifplay(plain, environment: environment))
    }

    @Test("Hostile text in error responses is harmless in messages and in stored failures")
    func errors() throws {
        let words = String(decoding: try JSONEncoder().encode(HostileText.joined), as: UTF8.self)
        let body = """
            {"message": \(words), "detail": \(words), "meta": {"msg": \(words), "status": 403},
             "error": {"code": \(words), "info": \(words)}, "errors": {"message": [\(words)]}, "result": false}
            """
        let server = try RawServer { connection, number in
            connection.readHead()
            let status =
                "HTTP/1.1 403 \(HostileText.joined.filter { !$0.isNewline })\r\nX-\(HostileText.texts[4].text): x\r\n"
            connection.send(status + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body)
        }
        var environment = HostileTextSite.keys.merging([
            "GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": folder.url.path,
        ]) { $1 }
        for name in HostileTextSite.services { environment["GIFPLAY_ENDPOINT_\(name.uppercased())"] = server.base }
        expectHarmless(try runGifplay(["doctor"], environment: environment))
        // The reasons in a list of several services are too short for the texts of these.
        expectHarmless(try runGifplay(["teapot"], environment: environment), tried: false)
        expectHarmless(try runGifplay(["--source", "giphy", "teapot"], environment: environment))
        expectHarmless(try runGifplay(["sources"], environment: environment))
        let plain = ["browse", "--plain", "--source", "giphy", "teapot"]
        expectHarmless(try runGifplay(plain, environment: environment))
        expectHarmless(try runGifplay([server.base + "/a.gif"], environment: environment), tried: false)
    }

    @Test("Responses with invalid UTF-8 or unpaired surrogates are either decoded or reported as errors")
    func brokenResponses() throws {
        let fixture = String(
            decoding: try FakeSite.fixture("commons/search.json", "http://127.0.0.1").body, as: UTF8.self)
        let pieces = HostileText.bytes + ["\\uD800", "\\uDC00\\uD800", "\\uD83D x"].map { Array($0.utf8) }
        let parts = fixture.components(separatedBy: "Juggling").map { Array($0.utf8) }
        for piece in pieces {
            let body = Array(parts.joined(separator: piece + Array(" Mallory".utf8)))
            let site = try FakeSite { _, _ in FakeSite.Reply(body: body) }
            let list = ["--source", "commons", "--list", "--json", "octopus"]
            let outcome = try runGifplay(list, environment: site.environment())
            #expect(OutputCheck.faults(in: outcome.output + Array(outcome.errors.utf8)) == [])
            #expect(outcome.status == 0 || outcome.status == 1 && !outcome.errors.isEmpty, "\(outcome)")
        }
    }

    @Test("Hostile text in redirect targets and typed URLs is harmless in messages")
    func urls() throws {
        let places = HostileText.texts.map { $0.text.filter { !$0.isNewline } + HostileText.mark }
        let site = try FakeSite { request, _ in
            let place = places[Int(request.query) ?? 0]
            let location = request.path == "/host" ? "http://\(place).invalid/" : "\(place)://x/"
            return FakeSite.Reply(status: 302, headers: "Location: \(location)\r\n")
        }
        var addresses = places.indices.flatMap { ["\(site.base)/host?\($0)", "\(site.base)/scheme?\($0)"] }
        addresses += HostileText.marked.flatMap { ["http://127.0.0.1:1/\($0)", "http://\($0).invalid/x"] }
        let outcome = try runGifplay(
            ["--size", "2x2"] + addresses, environment: ["GIFPLAY_OFFLINE": "0", "http_proxy": ""])
        expectHarmless(outcome)
        #expect(outcome.errors.split(separator: "\n").count >= places.count * 4, "\(outcome.errors)")
        // Without the URL in the text, which would play.
        let joined = HostileText.joined.replacingOccurrences(of: "http://", with: "")
        expectHarmless(try runGifplay(["ftp://" + joined]))
    }

    @Test(
        "Hostile text in invalid arguments is harmless in error messages and in the help",
        arguments: [
            ["@"], ["@.gif"], ["/@"], ["--file", "@"], ["--size", "@"], ["--size=@"], ["--@"],
            ["--lang", "@", "x", "--list"],
            ["--source", "@", "x"], ["--rating", "@"], ["--cacert", "@", "https://127.0.0.1:1/"], ["cache", "@"],
            ["info", "@"], ["sources", "--@"], ["browse", "--plain", "--source", "@"], ["library", "import", "@"],
            ["library", "@"], ["help", "@"],
        ])
    func arguments(words: [String]) throws {
        let arguments = words.map { $0.replacingOccurrences(of: "@", with: HostileText.joined) }
        let environment = ["GIFPLAY_OFFLINE": words.contains("--cacert") ? "0" : "1"]
        let outcome = try runGifplay(arguments, environment: environment)
        #expect(OutputCheck.faults(in: outcome.output) == [])
        #expect(OutputCheck.faults(in: Array(outcome.errors.utf8)) == [])
        #expect(outcome.status > 0 || words.contains("--list") || ["library", "help"].contains(words[0]), "\(outcome)")
    }

    @Test("Arguments that are not valid UTF-8 are harmless in messages")
    func argumentBytes() throws {
        for bytes in HostileText.bytes {
            let word = bytes.map { "\\x" + String($0, radix: 16) }.joined()
            let outcome = try run(
                "/bin/bash", ["-c", "'\(Binary.path)' $'\(word)Mallory.gif'; '\(Binary.path)' --size $'\(word)'"])
            expectHarmless(outcome)
        }
    }

    @Test(
        "Hostile values and names in the configuration are harmless in error messages",
        arguments: [
            "--rating @", "--every=@", "--cache-size @", "--sources @", "--@ 1", "@", "--key @=x", "--key @",
            "--endpoint @=x", "--endpoint commons=http://127.0.0.1:1/\n@", "--reddit @", "-@", "--no-@", "--bare @",
            "--rating \u{1B}]0;Mallory", "# \u{9B}2J Mallory\n--rating \u{202E}",
        ])
    func configuration(text: String) throws {
        // Only what a line can contain: each control character would be the error.
        let hostile = HostileText.joined.filter { $0.asciiValue.map { $0 >= 0x20 } ?? true }
        let environment = try folder.configure(text.replacingOccurrences(of: "@", with: hostile))
        let outcome = try runGifplay(["--list", "x"], environment: environment)
        #expect(OutputCheck.faults(in: Array(outcome.errors.utf8)) == [])
        #expect(outcome.status == 2 && outcome.errors.contains("gifplay/config, line "), "\(outcome.errors)")
    }

    @Test("Hostile values of environment variables are harmless in messages")
    func environment() throws {
        let hostile = HostileText.joined
        let place = folder.url.path + "/" + HostileText.marked[0] + HostileText.texts[17].text
        expectHarmless(try runGifplay(["cache"], environment: ["XDG_CACHE_HOME": place]))
        expectHarmless(try runGifplay(["library"], environment: ["XDG_DATA_HOME": place]))
        let broken = ["XDG_DATA_HOME": "/dev/null/" + hostile, "XDG_CACHE_HOME": "/dev/null/" + hostile]
        expectHarmless(try runGifplay(["cache"], environment: broken))
        expectHarmless(try runGifplay(["library"], environment: broken))
        for name in ["TERM", "LANG", "GIFPLAY_CONTACT", "GIFPLAY_ENDPOINT_COMMONS", "http_proxy", "SSL_CERT_FILE"] {
            let environment = [name: name == "GIFPLAY_ENDPOINT_COMMONS" ? "http://" + hostile : hostile]
                .merging(["GIFPLAY_OFFLINE": "0"]) { $1 }
            let outcome = try runGifplay(
                ["--source", "commons", "--list", "x"],
                environment: environment.merging(
                    name == "GIFPLAY_ENDPOINT_COMMONS" ? [:] : ["GIFPLAY_ENDPOINT_COMMONS": "http://127.0.0.1:1"]
                ) { $1 })
            #expect(OutputCheck.faults(in: outcome.output + Array(outcome.errors.utf8)) == [])
            // A wrong URL of a service and a contact outside of ASCII are mistakes in the settings.
            #expect(outcome.status == (name.hasPrefix("GIFPLAY_") ? 2 : 1), "\(outcome)")
        }
    }
}
