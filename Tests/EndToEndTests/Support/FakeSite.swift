import Foundation
import Synchronization
import TestServer

/// A loopback HTTP server that stands in for the services and for their media hosts.
final class FakeSite: Sendable {
    struct Request {
        /// The path without the query string.
        var path: String
        var query: String
        var head: String
        /// The body of a form submission.
        var body: String

        /// Returns the value of a header; `name` is case-insensitive.
        func header(_ name: String) -> String? {
            let beginning = name.lowercased() + ":"
            return head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(beginning) }
                .map { $0.dropFirst(beginning.count).trimmingCharacters(in: .whitespaces) }
        }
    }

    struct Reply {
        var status = 200
        var headers = ""
        var body: [UInt8] = []

        static func gif(_ sample: String) throws -> Reply {
            Reply(body: try Binary.bytes(sample))
        }

        static func text(_ text: String, status: Int = 200, headers: String = "") -> Reply {
            Reply(status: status, headers: headers, body: Array(text.utf8))
        }
    }

    let server: RawServer
    var base: String { server.base }

    /// The request lines of all requests, in order.
    var requestLines: [String] { server.requests.compactMap { $0.components(separatedBy: "\r\n").first } }

    /// - Parameters:
    ///   - host, listens: as for ``RawServer``.
    ///   - answer: returns the reply to a request; its second argument is ``base``. If this function throws, the server
    ///     responds with status 500.
    init(
        host: String = "127.0.0.1", listens: Bool = true,
        _ answer: @escaping @Sendable (Request, String) throws -> Reply
    ) throws {
        let place = Mutex("")
        server = try RawServer(host: host, listens: listens) { head, body in
            let request = Request(head, String(decoding: body, as: UTF8.self))
            let reply = (try? answer(request, place.withLock { $0 })) ?? Reply(status: 500)
            return RawServer.response(reply.status, headers: reply.headers, body: reply.body)
        }
        let base = server.base
        place.withLock { $0 = base }
    }

    /// Returns a file of Tests/Fixtures in which the media URLs point to `base` instead of the services' hosts.
    static func fixture(_ path: String, _ base: String) throws -> Reply {
        let file = Binary.package.appendingPathComponent("Tests/Fixtures/\(path)")
        var text = try String(contentsOf: file, encoding: .utf8)
        for host in ["upload.wikimedia.org", "thumb.wikimedia.org", "media2.giphy.com", "static.klipy.com"] {
            text = text.replacingOccurrences(of: "https://\(host)", with: base)
        }
        return .text(text)
    }

    /// Returns environment variables that point the services to this server and enable the network.
    func environment(_ additions: [String: String] = [:]) -> [String: String] {
        var environment = ["GIFPLAY_OFFLINE": "0"]
        for name in ["GIPHY", "KLIPY", "COMMONS", "OPENVERSE"] {
            environment["GIFPLAY_ENDPOINT_\(name)"] = "\(base)/\(name.lowercased())"
        }
        environment["GIFPLAY_ENDPOINT_GIFCITIES"] = (0..<4).map { "\(base)/gifcities\($0)" }.joined(separator: ",")
        environment["GIFPLAY_ENDPOINT_EMOJI"] = "\(base)/emoji,\(base)/emoji-files"
        environment["GIFPLAY_ENDPOINT_NEKOS"] = "\(base)/nekos"
        return environment.merging(additions) { $1 }
    }
}

extension FakeSite.Request {
    fileprivate init(_ head: String, _ body: String) {
        let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        self.init(path: parts.first ?? "", query: parts.dropFirst().first ?? "", head: head, body: body)
    }
}

extension RawConnection {
    /// Sends an HTTP response.
    /// - Parameters:
    ///   - headers: more header lines, each with its line end.
    ///   - length: the announced length; nil for the length of the body.
    func respond(_ body: some Collection<UInt8>, status: Int = 200, headers: String = "", length: Int? = nil) {
        send("HTTP/1.1 \(status) Whatever\r\nContent-Length: \(length ?? body.count)\r\n\(headers)\r\n")
        send(Array(body))
    }
}
