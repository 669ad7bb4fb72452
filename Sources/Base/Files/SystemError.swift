import Glibc

/// A failed system call.
public struct SystemError: Error, Equatable, Sendable {
    /// The function's name: "open".
    public var call: String
    /// The value of `errno`.
    public var code: Int32

    public init(call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// The system's sentence for it: "No such file or directory".
    public var message: String { Self.message(code) }

    /// The system's sentence for a value of `errno`.
    public static func message(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
