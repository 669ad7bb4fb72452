import Glibc

/// An HTTPS server on a loopback port with a certificate that nobody knows, as a child process.
public final class TLSServer {
    /// "https://127.0.0.1:PORT", without a slash at the end.
    public let base: String
    /// The certificate, for those who want to trust it.
    public let certificate: String
    private let child: Child
    private let directory: TemporaryDirectory

    /// - Parameter files: whole answers, status line included, by the path that asks for them.
    public init(files: [String: String]) throws {
        let directory = try TemporaryDirectory()
        let key = directory.path + "/key.pem"
        let certificate = directory.path + "/certificate.pem"
        let made = try Child(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
                "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ])
        guard made.wait() == 0 else { throw ServerError.child("openssl req") }
        for (name, text) in files { try directory.write(Array(text.utf8), to: name) }
        child = try Child(
            "openssl",
            ["s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key],
            directory: directory.path)
        var line = child.readLine()
        while !line.isEmpty, !line.hasPrefix("ACCEPT") { line = child.readLine() }
        guard let port = line.split(separator: ":").last else { throw ServerError.noPort }
        base = "https://127.0.0.1:\(port)"
        self.certificate = certificate
        self.directory = directory
    }
}
