import Base

public enum ByteSize {
    /// In decimal units, rounded half up: `512 B`, `23 kB`, `1.4 MB`.
    public static func file(_ bytes: Int, decimalMark: String = ".") -> String {
        let bytes = max(0, bytes)
        guard bytes >= 1000 else { return "\(bytes) B" }
        let kilobytes = rounded(bytes, by: 1000)
        guard kilobytes >= 1000 else { return "\(kilobytes) kB" }
        var tenths = rounded(bytes, by: 100_000)
        var unit = "MB"
        if tenths >= 10_000 { (tenths, unit) = (rounded(bytes, by: 100_000_000), "GB") }
        return "\(tenths / 10)\(decimalMark)\(tenths % 10) \(unit)"
    }

    /// In the largest binary unit that divides it, such as `512 MiB` for the option value `512M`, or else in bytes.
    public static func limit(_ bytes: Int) -> String {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        let unit = units.first { bytes >= 1 << $0.0 && bytes % (1 << $0.0) == 0 }
        return unit.map { "\(bytes >> $0.0) \($0.1)" } ?? "\(bytes) B"
    }

    private static func rounded(_ bytes: Int, by unit: Int) -> Int { bytes / unit + (bytes % unit * 2 >= unit ? 1 : 0) }
}

extension Language {
    public func bytes(_ count: Int) -> String { ByteSize.file(count, decimalMark: self(en: ".", de: ",")) }

    /// Returns a text such as "87 kB of 278 kB".
    public func amount(_ progress: Download.Progress) -> String {
        let received = bytes(progress.received)
        guard let expected = progress.expected.map(bytes) else { return received }
        return self(en: "\(received) of \(expected)", de: "\(received) von \(expected)")
    }
}
