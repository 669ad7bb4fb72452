import FoundationEssentials
import TestServer
import Testing

@testable import Catalog

/// Compares the requests that the fake server received with the file Tests/Fixtures/requests/reddit.txt. If
/// GIFPLAY_RECORD is set, the test first overwrites the file with these requests.
@Suite(.timeLimit(.minutes(15))) struct RedditRequestTests {
    @Test("The requests to Reddit equal the recorded requests")
    func recordedRequests() async throws {
        var text = ""
        let anonymous = try RedditSetup(await StandInReddit())
        _ = try await anonymous.top().get()
        text += "# The public feed\n\n" + recorded(anonymous)
        let own = try RedditSetup(await StandInReddit(), feedToken: "t0k/en")
        _ = try await own.top().get()
        text += "# With the token of the user's own feeds\n\n" + recorded(own)
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appending(path: "Fixtures/requests/reddit.txt")
        if ProcessInfo.processInfo.environment["GIFPLAY_RECORD"] != nil { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    private func recorded(_ setup: RedditSetup) -> String {
        setup.reddit.server.requests.map { request in
            let parameters = request.query.sorted { $0.key < $1.key }.map { "    \($0.key)=\($0.value)" }
            let headers = request.headers.filter { $0.key != "host" }.sorted { $0.key < $1.key }.map { name, value in
                "\(name): \(name == "accept-encoding" ? "(all that libcurl knows)" : value)"
            }
            let body = request.body.isEmpty ? [] : [request.body]
            let lines = ["\(request.method) \(request.path)"] + parameters + headers + body
            return lines.joined(separator: "\n") + "\n\n"
        }.joined()
    }
}
