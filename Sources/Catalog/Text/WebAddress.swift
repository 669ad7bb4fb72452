import Base

/// Checks and encodes web addresses. Accepted addresses use http or https and are printable ASCII.
package enum WebAddress {
    /// Returns the address with its illegal bytes percent-encoded; nil if it is not a valid http or https address. An
    /// address that begins with `//` becomes an https address.
    ///
    /// Legal characters stay unchanged, because GIPHY forbids changes to the query part of its addresses.
    package static func checked(_ raw: String) -> String? {
        let text = raw.hasPrefix("//") ? "https:" + raw : raw
        let scheme = text.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme.hasPrefix("https://") else { return nil }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        let address = encoded(text)
        // Without libcurl, no request can be sent, so no host needs a check.
        return !ParsedURL.isAvailable || ParsedURL(withoutCredentials: address)?.isWeb == true ? address : nil
    }

    /// Percent-encodes the bytes that are illegal in an address.
    static func encoded(_ text: String) -> String { escaped(text) { $0 > 0x20 && $0 < 0x7F && !illegal.contains($0) } }

    /// Percent-encodes a value for a query or a path segment. Only unreserved characters stay unchanged.
    package static func component(_ value: String) -> String {
        escaped(value) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: unreserved.contains(byte)
            }
        }
    }

    /// In lower case. Ignores query and fragment.
    package static func fileExtension(_ address: String) -> String? {
        let name = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last
        guard let name, let dot = name.lastIndex(of: ".") else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }

    private static let unreserved = Set("-._~".utf8)
    private static let illegal = Set("\"<>\\^`{}".utf8)

    private static func escaped(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
