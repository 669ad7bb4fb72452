import Base
import Glibc
import Synchronization

/// A server on a plain socket, for behaviour that a regular HTTP server does not have.
///
/// Each connection runs a script on its own thread. The server listens until the test process ends, so that no other
/// process gets its port.
public final class RawServer: Sendable {
    /// "http://127.0.0.1:PORT", without a slash at the end.
    public let base: String
    public let port: UInt16
    private let log = RequestLog()
    private let listener: Int32
    private let serve: @Sendable () -> Void

    /// The heads (request line and headers) of all requests that scripts have read, in order.
    public var requests: [String] { log.heads.withLock { $0 } }

    /// - Parameters:
    ///   - host: the host in ``base``. If it is not 127.0.0.1, the server listens on every address of the calling
    ///     thread's network namespace.
    ///   - isOnAllAddresses: whether the server listens on every address for any host, including all of 127.0.0.0/8.
    ///   - listens: if false, the port refuses connections until ``startListening()`` is called.
    ///   - script: a function that is called with each connection and its number, counted from 0. The connection is
    ///     closed after the script returns.
    public init(
        host: String = "127.0.0.1", isOnAllAddresses: Bool = false, listens: Bool = true,
        _ script: @escaping @Sendable (RawConnection, Int) -> Void
    ) throws {
        (listener, port) = try Self.bind(host == "127.0.0.1" && !isOnAllAddresses ? 0x7F00_0001 : 0)
        base = "http://\(host):\(port)"
        serve = { [listener, log] in
            var number = 0
            while true {
                let descriptor = Descriptors.accept(listener)
                guard descriptor >= 0 else { return }
                let connection = RawConnection(descriptor) { head in log.heads.withLock { $0.append(head) } }
                let present = number
                guard DetachedThread.start({ script(connection, present) }) else { return }
                number += 1
            }
        }
        if listens { try startListening() }
    }

    /// Sends half of a file, and the rest after `gate` opens.
    public convenience init(stalling bytes: [UInt8], until gate: Gate) throws {
        try self.init { connection, _ in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes.prefix(bytes.count / 2)))
            gate.wait()
            connection.send(Array(bytes.dropFirst(bytes.count / 2)))
            connection.waitForHangUp()
        }
    }

    public func startListening() throws {
        guard listen(listener, 16) == 0 else { throw ServerError.system(call: "listen", errno: errno) }
        guard DetachedThread.start(serve) else { throw ServerError.system(call: "pthread_create", errno: EAGAIN) }
    }

    /// Creates an HTTP server, which responds to any number of requests per connection.
    /// - Parameters:
    ///   - host, isOnAllAddresses, listens: as for the other initializer.
    ///   - respond: returns the whole response to a request with this head and this body.
    public convenience init(
        host: String = "127.0.0.1", isOnAllAddresses: Bool = false, listens: Bool = true,
        respond: @escaping @Sendable (_ head: String, _ body: [UInt8]) -> [UInt8]
    ) throws {
        try self.init(host: host, isOnAllAddresses: isOnAllAddresses, listens: listens) { connection, _ in
            while true {
                let head = connection.readHead()
                guard !head.isEmpty else { return }
                let length = head.firstMatch(of: /content-length: *([0-9]+)/.ignoresCase()).flatMap { Int($0.1) }
                connection.send(respond(head, connection.read(length ?? 0)))
            }
        }
    }

    /// Returns an HTTP response with a body of known length.
    /// - Parameter headers: more header lines, each with its line end.
    public static func response(_ status: Int, headers: String, body: [UInt8]) -> [UInt8] {
        Array("HTTP/1.1 \(status) Whatever\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + body
    }

    /// Connects, sends an empty request head, and returns the bytes (at most 1000) that the server sends before it
    /// closes the connection.
    public func sendEmptyRequest() throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw ServerError.system(call: "connect", errno: errno) }
        let connection = RawConnection(descriptor) { _ in }
        connection.send("\r\n\r\n")
        return connection.read(1_000)
    }

    private final class RequestLog: Sendable {
        let heads = Mutex<[String]>([])
    }

    /// Creates a socket that is bound to a free port but does not listen yet.
    fileprivate static func bind(_ host: UInt32 = 0x7F00_0001) throws -> (socket: Int32, port: UInt16) {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.bind(socket, address, length) == 0 ? getsockname(socket, address, &length) : -1
            }
        }
        guard result == 0 else { throw ServerError.system(call: "bind", errno: errno) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }
}

/// Returns a port of 127.0.0.1 that refuses connections. A bound socket reserves the port until the test process ends.
public func closedPort() throws -> UInt16 {
    try RawServer.bind().port
}

/// One connection of a ``RawServer``.
public final class RawConnection: Sendable {
    private let descriptor: Int32
    private let log: @Sendable (String) -> Void

    fileprivate init(_ descriptor: Int32, log: @escaping @Sendable (String) -> Void) {
        self.descriptor = descriptor
        self.log = log
    }

    deinit { close(descriptor) }

    /// Reads up to the end of a request's head.
    /// - Returns: the head, or "" if the client has closed the connection.
    @discardableResult
    public func readHead() -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard Glibc.read(descriptor, &byte, 1) == 1 else { return "" }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        log(text)
        return text
    }

    /// Reads `count` bytes, or fewer if the other side has closed the connection.
    public func read(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + received }, count - received)
            }
            guard more > 0 else { break }
            received += more
        }
        return Array(bytes.prefix(received))
    }

    /// Sends bytes. Returns false if the other side has closed the connection.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.send(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends text. Returns false if the other side has closed the connection.
    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Waits until the other side has closed the connection.
    public func waitForHangUp() {
        var byte: UInt8 = 0
        while Glibc.read(descriptor, &byte, 1) > 0 {}
    }

    /// Waits until the client has acknowledged all sent bytes. After this call, the connection is reset when the socket
    /// is closed at the end of the script.
    public func reset() {
        var unsent: Int32 = 1
        // 0x5411 is SIOCOUTQ, which returns the number of unacknowledged bytes. A reset would discard these bytes.
        while ioctl(descriptor, UInt(0x5411), &unsent) == 0, unsent > 0 { sched_yield() }
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }
}
