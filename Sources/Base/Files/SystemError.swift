import Glibc

/// A failed system call.
public struct SystemError: Error, Equatable, Sendable {
    /// The name of the function, for example "open".
    public var call: String
    /// The value of `errno`.
    public var code: Int32

    public init(call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// The system's message for ``code``, for example "No such file or directory".
    public var message: String { Self.message(code) }

    /// The system's message for a value of `errno`.
    public static func message(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
