import Glibc

/// Paths as text. A path of the system is any sequence of bytes, but a string is Unicode.
///
/// Every byte that is not part of valid UTF-8 becomes a private scalar, U+10F780 for 0x80 to U+10F7FF for 0xFF, and back
/// when the path goes to the system, as PEP 383 does with surrogates. A name that contains one of these scalars is mapped
/// byte by byte, so that different names never have the same text. ``SafeText`` displays them as U+FFFD.
extension String {
    fileprivate static let byteScalars: ClosedRange<UInt32> = 0x10F780...0x10F7FF

    /// - Parameter bytes: a path of the system, without its NUL.
    public init(path bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        if let text = Self(validating: bytes, as: UTF8.self), !text.hasByteScalars {
            self = text
            return
        }
        var scalars = UnicodeScalarView()
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let text = Self(validating: rest.prefix(length), as: UTF8.self)
            let scalar = text?.unicodeScalars.first.flatMap { $0.isPathByte ? nil : $0 }
            let byteScalar = Unicode.Scalar(Self.byteScalars.lowerBound - 0x80 + UInt32(first))
            if let scalar = scalar ?? byteScalar { scalars.append(scalar) }
            rest = rest.dropFirst(scalar == nil ? 1 : length)
        }
        self = Self(scalars)
    }

    public init(path pointer: UnsafePointer<CChar>) {
        self.init(path: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }

    /// The bytes of the path for the system.
    public var pathBytes: [UInt8] {
        guard hasByteScalars else { return Array(utf8) }
        return unicodeScalars.flatMap { $0.isPathByte ? [UInt8(truncatingIfNeeded: $0.value)] : Array(String($0).utf8) }
    }

    /// ``pathBytes`` as a C string.
    public var systemPath: [CChar] { pathBytes.map { CChar(bitPattern: $0) } + [0] }

    public var hasControlCharacter: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }

    /// Whether the bytes of the path are not UTF-8.
    public var isForeignPath: Bool { hasByteScalars }

    // The first byte of these scalars in UTF-8, which hardly any text contains.
    private var hasByteScalars: Bool { utf8.contains(0xF4) && unicodeScalars.contains(where: \.isPathByte) }
}

extension Unicode.Scalar {
    /// Whether it stands for a byte of a path; see ``Swift/String/init(path:)``.
    var isPathByte: Bool { String.byteScalars.contains(value) }
}

extension FileSystem {
    /// The arguments of the process, without its name, as paths.
    public static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0].map { String(path: $0) } }
    }

    /// The name of an entry that readdir(3) has returned.
    public static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        // By reference, because an entry is shorter than the type.
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(path: $0) }
        }
    }
}

/// The order of names in which people count: `frame 2` before `frame 10`, and capitals beside small letters.
public struct NaturalOrder: Comparable {
    private let key: [UInt8]
    private let name: String

    public init(_ name: String) {
        self.name = name
        var (key, rest) = ([UInt8](), Array(name.lowercased().utf8)[...])
        while let byte = rest.first {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(max(1, digits.count))
            // A number is compared by its length before its digits.
            let number = digits.drop { $0 == 0x30 }
            key += digits.isEmpty ? [byte] : [0x30, UInt8(clamping: number.count)] + number
        }
        self.key = key
    }

    public static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
        one.key == other.key
            ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8) : one.key.lexicographicallyPrecedes(other.key)
    }
}
