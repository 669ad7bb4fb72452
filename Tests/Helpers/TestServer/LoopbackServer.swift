import Foundation
import Synchronization

/// An HTTP server on a free port, for tests.
public final class LoopbackServer: Sendable {
    /// A received request.
    public struct Request: Sendable {
        public var path: String
        public var query: [String: String]
        /// The header names are in lower case.
        public var headers: [String: String]
        public var method: String
        public var body: String
    }

    /// A response to send.
    public struct Response: Sendable {
        public var status: Int
        public var headers: [String: String]
        public var body: [UInt8]

        public init(_ status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        public init(_ status: Int = 200, headers: [String: String] = [:], text: String) {
            self.init(status, headers: headers, body: Array(text.utf8))
        }
    }

    /// "http://127.0.0.1:PORT", without a slash at the end.
    public var base: String { server.base }
    public var port: UInt16 { server.port }
    private let server: RawServer
    private let log: RequestLog

    /// All received requests, in order.
    public var requests: [Request] { log.requests.withLock { $0 } }

    /// Starts a server that listens on all IPv4 addresses, including all of 127.0.0.0/8.
    /// - Parameter answer: returns the response to a request. Its second argument is the number of the request, counted
    ///   from 0.
    public init(_ answer: @escaping @Sendable (Request, Int) -> Response) async throws {
        let log = RequestLog()
        server = try RawServer(isOnAllAddresses: true) { head, body in
            let request = Request(head, body)
            let number = log.requests.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
            let response = answer(request, number)
            let headers = response.headers.map { "\($0.key): \($0.value)\r\n" }.joined()
            return RawServer.response(response.status, headers: headers, body: response.body)
        }
        self.log = log
    }

    private final class RequestLog: Sendable {
        let requests = Mutex<[Request]>([])
    }
}

/// The reason why a test server, directory, child process or file system could not be set up.
public enum ServerError: Error {
    case noPort
    case system(call: String, errno: Int32)
    case child(String)
}

extension LoopbackServer.Request {
    fileprivate init(_ head: String, _ content: [UInt8]) {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        let target = words.count > 1 ? URLComponents(string: words[1]) : nil
        method = words[0]
        path = target?.path ?? ""
        query = Dictionary((target?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }
        headers = Dictionary(fields.map { ($0[0].lowercased(), $0[1].trimmingCharacters(in: .whitespaces)) }) { $1 }
        body = String(decoding: content, as: UTF8.self)
    }
}
