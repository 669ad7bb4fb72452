import Foundation
import TestServer
import Testing

@testable import Application

@Suite("Source checks", .timeLimit(.minutes(5)))
struct SourceChecksTests {
    /// Checks one source on a thread of its own.
    private func findings(
        _ source: String, _ environment: [String: String], contact: String = "me@example.org"
    ) async throws -> [Finding] {
        let environment = environment.merging(["GIFPLAY_CONTACT": contact]) { $1 }
        let settings = try Settings(source: source, size: (80, 48), environment: environment)
        return try await onOwnThread { SourceChecks(settings: settings, environment: environment).findings }
    }

    @Test("A source that returns results is reported as working")
    func works() async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/openverse/search.json")
        let body = Array(try Data(contentsOf: fixture))
        let server = try await LoopbackServer { _, _ in .init(headers: ["Content-Type": "application/json"], body: body)
        }
        let findings = try await findings("openverse", ["GIFPLAY_ENDPOINT_OPENVERSE": server.base])
        #expect(findings.map(\.status) == [.ok] && findings.first?.subject == "source openverse")
        #expect(findings.first?.text.hasPrefix("works: ") == true)
        #expect(findings.first?.text.hasSuffix(" ms, without a proxy") == true)
        #expect(server.requests.count == 1)
    }

    @Test("A source that fails is reported as an error with the reason")
    func fails() async throws {
        let server = try await LoopbackServer { _, _ in .init(404, text: "") }
        let finding = try await findings("openverse", ["GIFPLAY_ENDPOINT_OPENVERSE": server.base]).first
        #expect(finding?.status == .error)
        #expect(finding?.text == "fails: HTTP 404, not found, without a proxy")
        #expect(finding?.advice == nil)
    }

    @Test("Without a contact, a warning says that Wikimedia limits the requests, and how to set one")
    func noContact() async throws {
        let finding = try await findings("giphy", [:], contact: "").first
        #expect(finding?.status == .warning && finding?.subject == "contact")
        #expect(finding?.text.contains("Wikimedia") == true && finding?.advice?.contains("--contact ") == true)
    }

    @Test("A source whose key is not set is not queried and is reported as 'ok'")
    func noKey() async throws {
        let findings = try await findings("giphy", [:])
        #expect(findings.map(\.line) == ["ok       source giphy: not queried, because its key is not set"])
    }
}
