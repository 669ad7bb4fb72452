import Foundation
import TestServer
import Testing

/// Nothing disables the verification of certificates by the real program, tested against real servers.
@Suite(.timeLimit(.minutes(15))) struct SecurityTLSTests {
    private static let files = ["a.gif": "HTTP/1.0 200 OK\r\n\r\nGIF89a, but it is never looked at"]

    private func fetch(
        _ server: TLSServer, host: String = "127.0.0.1", trusting certificate: String? = nil,
        _ environment: [String: String] = [:]
    ) throws -> Outcome {
        let address = server.base.replacingOccurrences(of: "127.0.0.1", with: host) + "/a.gif"
        let trust = certificate.map { ["--cacert", $0] } ?? []
        return try runGifplay(
            trust + ["--size", "2x2", address], environment: ["GIFPLAY_OFFLINE": "0"].merging(environment) { $1 })
    }

    private func expectRefused(_ outcome: Outcome, _ words: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(outcome.status == 1 && outcome.output.isEmpty, sourceLocation: location)
        #expect(
            outcome.errors.contains("cannot be reached: ") && outcome.errors.contains(words), "\(outcome.errors)",
            sourceLocation: location)
    }

    /// Expects that the server responded and that gifplay examined the response.
    private func expectReached(_ outcome: Outcome, _ location: SourceLocation = #_sourceLocation) {
        #expect(outcome.status == 1, sourceLocation: location)
        #expect(!outcome.errors.contains("cannot be reached"), "\(outcome.errors)", sourceLocation: location)
    }

    @Test("A certificate that nobody vouches for is refused, whatever the environment says; the user may name it")
    func unknown() throws {
        let server = try TLSServer(files: Self.files)
        defer { withExtendedLifetime(server) {} }
        expectRefused(try fetch(server), "certificate")
        expectReached(try fetch(server, trusting: server.certificate))
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("insecure\n".utf8), to: ".curlrc")
        let attempts = [
            "HOME": folder.url.path, "CURL_HOME": folder.url.path, "GIFPLAY_INSECURE": "1", "CURL_INSECURE": "1",
            "SSL_NO_VERIFY": "1", "PYTHONHTTPSVERIFY": "0", "NODE_TLS_REJECT_UNAUTHORIZED": "0",
            "GIT_SSL_NO_VERIFY": "1",
            "CURL_CA_BUNDLE": "", "SSL_CERT_DIR": "",
        ]
        expectRefused(try fetch(server, trusting: nil, attempts), "certificate")
    }

    @Test("One for another name is refused, although its issuer is trusted")
    func otherName() throws {
        let server = try TLSServer(files: Self.files, names: "DNS:other.example")
        defer { withExtendedLifetime(server) {} }
        expectRefused(try fetch(server, trusting: server.certificate), "127.0.0.1")
        let loopback = try TLSServer(files: Self.files)
        defer { withExtendedLifetime(loopback) {} }
        expectReached(try fetch(loopback, host: "localhost", trusting: loopback.certificate))
    }

    @Test("One that has expired is refused, although it is trusted")
    func expired() throws {
        let server = try TLSServer(files: Self.files, isExpired: true)
        defer { withExtendedLifetime(server) {} }
        expectRefused(try fetch(server, trusting: server.certificate), "expired")
    }

    @Test("No version before TLS 1.2 is spoken")
    func oldVersions() throws {
        let weak = ["-cipher", "DEFAULT:@SECLEVEL=0"]
        let old = try TLSServer(files: Self.files, options: ["-tls1_1"] + weak)
        defer { withExtendedLifetime(old) {} }
        expectRefused(try fetch(old, trusting: old.certificate), "protocol version")
        let new = try TLSServer(files: Self.files, options: ["-tls1_2"] + weak)
        defer { withExtendedLifetime(new) {} }
        expectReached(try fetch(new, trusting: new.certificate))
    }

    @Test("A redirect to a server with a bad certificate is refused, and one from https down to http")
    func redirects() throws {
        let other = try TLSServer(files: Self.files)
        defer { withExtendedLifetime(other) {} }
        let plain = try Site { _, _ in try .gif("campfire") }
        for (place, words) in [(other.base, "certificate"), (plain.base, "a redirect from https down to http")] {
            let server = try TLSServer(files: ["a.gif": "HTTP/1.0 302 Found\r\nLocation: \(place)/a.gif\r\n\r\n"])
            defer { withExtendedLifetime(server) {} }
            let outcome = try fetch(server, trusting: server.certificate)
            #expect(outcome.status == 1 && outcome.errors.contains(words), "\(outcome.errors)")
        }
        #expect(plain.asked.isEmpty)
    }

    @Test(
        "No word of the configuration turns it off", arguments: ["insecure = true", "verify = false", "tls = \"off\""])
    func configuration(text: String) throws {
        let folder = try TemporaryFolder()
        let inner = folder.url.appendingPathComponent("gifplay")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: inner.appendingPathComponent("config.toml"))
        let outcome = try runGifplay(["x"], environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(outcome.status == 2 && outcome.errors.contains("there is no setting"))
    }
}
