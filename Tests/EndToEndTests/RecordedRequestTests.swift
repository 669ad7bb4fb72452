import Foundation
import TestServer
import Testing

/// Compares the requests sent to each service with the text files in Tests/Fixtures/requests.
///
/// If GIFPLAY_RECORD is set, the tests first overwrite the files. A changed request is then visible in the code review.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct RecordedRequestTests {
    /// The arguments of the program; `SERVICE` stands for the name of the service.
    private static let commands = [
        "browse --plain --lang de --rating pg --source SERVICE dancing cat", "browse --plain --source SERVICE",
        "--list --source SERVICE", "--size 9x5 --source SERVICE dancing cat",
    ]

    @Test(
        "The requests to a service equal the recorded requests",
        arguments: ["commons", "gifcities", "giphy", "klipy", "openverse"])
    func requests(service: String) throws {
        let folder = try TemporaryFolder()
        var text = ""
        for command in Self.commands {
            let site = try Self.site(service)
            let environment = site.environment([
                "GIPHY_API_KEY": "test-key", "KLIPY_API_KEY": "test-key", "XDG_CACHE_HOME": folder.url.path,
            ])
            let command = command.replacingOccurrences(of: "SERVICE", with: service)
            _ = try runGifplay(command.split(separator: " ").map(String.init), environment: environment)
            // Without a query, the gallery lists random GIFs, for which GifCities needs a random word.
            let isRandom = command.hasPrefix("--list") || command.hasSuffix("gifcities")
            let heads = site.server.requests.map { Self.readable($0, isRandom: isRandom) }
            text += "$ gifplay \(command)\n\n" + heads.joined(separator: "\n") + "\n"
        }
        let file = Binary.package.appendingPathComponent("Tests/Fixtures/requests/\(service).txt")
        if ProcessInfo.processInfo.environment["GIFPLAY_RECORD"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    private static func site(_ service: String) throws -> FakeSite {
        try FakeSite { request, base in
            guard request.path.hasPrefix("/\(service)"), !request.path.hasSuffix(".gif") else {
                return try .gif("campfire")
            }
            let isFirst = ["0", "1", nil].contains(field("page", request) ?? field("offset", request))
            let isTrending = request.path.contains("trending")
            let name =
                switch service {
                case "commons" where field("gsrsort", request) != nil: "random"
                case "commons" where (field("gsroffset", request) ?? "0") != "0": "search_last_page"
                case "giphy" where isTrending, "klipy" where isTrending: "trending"
                case "giphy" where !isFirst, "klipy" where !isFirst, "openverse" where !isFirst: "search_last_page"
                default: "search"
                }
            return try FakeSite.fixture("\(service)/\(name).json", base)
        }
    }

    private static func field(_ name: String, _ request: FakeSite.Request) -> String? {
        let parameter = request.query.split(separator: "&").first { $0.hasPrefix(name + "=") }
        return parameter.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Formats a request with one parameter per line, without the parts that vary between runs or between versions of
    /// libcurl.
    private static func readable(_ head: String, isRandom: Bool) -> String {
        var lines = head.components(separatedBy: "\r\n").filter { !$0.isEmpty && !$0.hasPrefix("Host: ") }
        let target = lines[0].split(separator: " ")[1]
        let parts = target.split(separator: "?", maxSplits: 1)
        let parameters = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { parameter in
            "    " + (parameter.removingPercentEncoding ?? String(parameter))
        }
        lines.replaceSubrange(0..<1, with: ["GET \(parts[0])"] + parameters)
        var text = lines.joined(separator: "\n") + "\n"
        text.replace(/gifplay\/\S+/, with: "gifplay/(version)")
        text.replace(/libcurl\/\S+/, with: "libcurl/(version)")
        text.replace(/Accept-Encoding: .*/, with: "Accept-Encoding: (all that libcurl knows)")
        text.replace(/customer_id=[0-9a-f-]{36}/, with: "customer_id=(another UUID in each run)")
        guard isRandom else { return text }
        text.replace(/\ (offset|page|q)=.*/) { " \($0.1)=(drawn)" }
        return text
    }
}
