import Glibc

public enum Environment {
    /// The variables of this process. `ProcessInfo` would take 0.8 ms and 3.3 MB for them.
    public static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            defer { entry += 1 }
            guard let sign = strchr(text, Int32(UInt8(ascii: "="))) else { continue }
            let name = UnsafeRawBufferPointer(start: text, count: sign - text)
            variables[String(decoding: name, as: UTF8.self)] = String(cString: sign + 1)
        }
        return variables
    }
}
