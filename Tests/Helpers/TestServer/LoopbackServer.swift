import FlyingFox
import FlyingSocks
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
    public let base: String
    public let port: UInt16
    private let log: RequestLog

    /// All received requests, in order.
    public var requests: [Request] { log.requests.withLock { $0 } }

    /// Starts a server that listens on all IPv4 addresses, including all of 127.0.0.0/8.
    /// - Parameter answer: returns the response to a request. Its second argument is the number of the request, counted
    ///   from 0.
    public init(_ answer: @escaping @Sendable (Request, Int) async -> Response) async throws {
        let log = RequestLog()
        let server = HTTPServer(address: .inet(port: 0), timeout: 200, logger: .disabled)
        await server.appendRoute("*") { (request: HTTPRequest) in
            let request = try await Request(request)
            let number = log.requests.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
            return HTTPResponse(await answer(request, number))
        }
        // The server runs until the test process ends, so that no other process gets the port.
        Task { try await server.run() }
        try await server.waitUntilListening(timeout: 200)
        guard case .ip4(_, let port) = await server.listeningAddress else { throw ServerError.noPort }
        self.log = log
        self.port = port
        base = "http://127.0.0.1:\(port)"
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
    fileprivate init(_ request: HTTPRequest) async throws {
        method = request.method.rawValue
        body = String(decoding: try await request.bodyData, as: UTF8.self)
        path = request.path
        query = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
        headers = Dictionary(request.headers.map { ($0.key.rawValue.lowercased(), $0.value) }) { $1 }
    }
}

extension HTTPResponse {
    fileprivate init(_ response: LoopbackServer.Response) {
        var headers = HTTPHeaders()
        for (name, value) in response.headers { headers[HTTPHeader(name)] = value }
        self.init(
            statusCode: HTTPStatusCode(response.status, phrase: "Whatever"), headers: headers,
            body: Data(response.body))
    }
}
