import Glibc

/// An HTTPS server with a self-signed certificate on a loopback port. The server is a child process.
public final class TLSServer {
    /// "https://127.0.0.1:PORT", without a slash at the end.
    public let base: String
    /// The path of the certificate, for clients that should trust it.
    public let certificate: String
    private let child: ChildProcess
    private let directory: TemporaryDirectory

    /// - Parameters:
    ///   - files: the complete response, including the status line, for each request path.
    ///   - names: the certificate's subject alternative names, as openssl expects them.
    ///   - isExpired: whether the certificate expired yesterday.
    ///   - options: more options of `openssl s_server`, for example the TLS versions that it supports.
    public init(
        files: [String: String], names: String = "DNS:localhost,IP:127.0.0.1", isExpired: Bool = false,
        options: [String] = []
    ) throws {
        let directory = try TemporaryDirectory()
        let key = directory.path + "/key.pem"
        var certificate = directory.path + "/certificate.pem"
        let made = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key,
                "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=" + names,
            ])
        guard made.wait() == 0 else { throw ServerError.child("openssl req") }
        if isExpired {
            // OpenSSL 3.5 rejects a negative number of days. Before 3.4, it had no option for the date.
            let dates = [["-days", "-1"], ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"]]
            let expired = directory.path + "/expired.pem"
            let sign = ["x509", "-in", certificate, "-signkey", key, "-out", expired]
            guard try dates.contains(where: { try ChildProcess("openssl", sign + $0).wait() == 0 }) else {
                throw ServerError.child("openssl x509")
            }
            certificate = expired
        }
        for (name, text) in files { try directory.write(Array(text.utf8), to: name) }
        child = try ChildProcess(
            "openssl",
            ["s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key] + options,
            directory: directory.path)
        var line = child.readLine()
        while !line.isEmpty, !line.hasPrefix("ACCEPT") { line = child.readLine() }
        guard let port = line.split(separator: ":").last else { throw ServerError.noPort }
        base = "https://127.0.0.1:\(port)"
        self.certificate = certificate
        self.directory = directory
    }
}
