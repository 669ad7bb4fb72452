import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15))) struct SecurityTLSTests {
    private static let files = ["a.gif": "HTTP/1.0 200 OK\r\n\r\nGIF89a, but it is never looked at"]

    private func fetch(
        _ server: TLSServer, host: String = "127.0.0.1", trusting certificate: String? = nil,
        _ environment: [String: String] = [:]
    ) throws -> ProgramResult {
        let address = server.base.replacingOccurrences(of: "127.0.0.1", with: host) + "/a.gif"
        let trust = certificate.map { ["--cacert", $0] } ?? []
        return try runGifplay(
            trust + ["--size", "2x2", address], environment: ["GIFPLAY_OFFLINE": "0"].merging(environment) { $1 })
    }

    private func expectRefused(
        _ outcome: ProgramResult, _ reason: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == 1 && outcome.output.isEmpty, sourceLocation: location)
        #expect(
            outcome.errors.contains("cannot be reached: ") && outcome.errors.contains(reason), "\(outcome.errors)",
            sourceLocation: location)
    }

    /// Expects that gifplay received the response. The exit status is 1, because the file is not a valid GIF.
    private func expectReached(_ outcome: ProgramResult, _ location: SourceLocation = #_sourceLocation) {
        #expect(outcome.status == 1, sourceLocation: location)
        #expect(!outcome.errors.contains("cannot be reached"), "\(outcome.errors)", sourceLocation: location)
    }

    @Test("A certificate of an unknown issuer is refused without '--cacert', even if CURL_INSECURE is set")
    func unknownIssuer() throws {
        let server = try TLSServer(files: Self.files)
        defer { withExtendedLifetime(server) {} }
        expectRefused(try fetch(server), "certificate")
        expectReached(try fetch(server, trusting: server.certificate))
        let folder = try TemporaryFolder()
        try folder.write("insecure\n", to: ".curlrc")
        let attempts = [
            "HOME": folder.url.path, "CURL_HOME": folder.url.path, "GIFPLAY_INSECURE": "1", "CURL_INSECURE": "1",
            "SSL_NO_VERIFY": "1", "PYTHONHTTPSVERIFY": "0", "NODE_TLS_REJECT_UNAUTHORIZED": "0",
            "GIT_SSL_NO_VERIFY": "1",
            "CURL_CA_BUNDLE": "", "SSL_CERT_DIR": "",
        ]
        expectRefused(try fetch(server, trusting: nil, attempts), "certificate")
    }

    @Test("A certificate for another host name is refused even if '--cacert' names the certificate")
    func otherName() throws {
        let server = try TLSServer(files: Self.files, names: "DNS:other.example")
        defer { withExtendedLifetime(server) {} }
        expectRefused(try fetch(server, trusting: server.certificate), "127.0.0.1")
        let loopback = try TLSServer(files: Self.files)
        defer { withExtendedLifetime(loopback) {} }
        expectReached(try fetch(loopback, host: "localhost", trusting: loopback.certificate))
    }

    @Test("An expired certificate is refused even if '--cacert' names the certificate")
    func expired() throws {
        let server = try TLSServer(files: Self.files, isExpired: true)
        defer { withExtendedLifetime(server) {} }
        expectRefused(try fetch(server, trusting: server.certificate), "expired")
    }

    @Test("TLS 1.1 is refused and TLS 1.2 is accepted")
    func oldVersions() throws {
        let weak = ["-cipher", "DEFAULT:@SECLEVEL=0"]
        let old = try TLSServer(files: Self.files, options: ["-tls1_1"] + weak)
        defer { withExtendedLifetime(old) {} }
        expectRefused(try fetch(old, trusting: old.certificate), "protocol version")
        let new = try TLSServer(files: Self.files, options: ["-tls1_2"] + weak)
        defer { withExtendedLifetime(new) {} }
        expectReached(try fetch(new, trusting: new.certificate))
    }

    @Test("A redirect is refused if it leads from https to http or to a server with an untrusted certificate")
    func redirects() throws {
        let other = try TLSServer(files: Self.files)
        defer { withExtendedLifetime(other) {} }
        let plain = try FakeSite { _, _ in try .gif("campfire") }
        for (target, reason) in [(other.base, "certificate"), (plain.base, "a redirect from https to http")] {
            let server = try TLSServer(files: ["a.gif": "HTTP/1.0 302 Found\r\nLocation: \(target)/a.gif\r\n\r\n"])
            defer { withExtendedLifetime(server) {} }
            let outcome = try fetch(server, trusting: server.certificate)
            #expect(outcome.status == 1 && outcome.errors.contains(reason), "\(outcome.errors)")
        }
        #expect(plain.requestLines.isEmpty)
    }
}
