import Glibc

/// Searches in terminal output, which tests search each time it grows. In a debug build, the standard library's generic
/// searches take hundreds of times as long.
extension [UInt8] {
    /// Returns the first occurrence of `pattern` in `range`.
    public func firstRange(of pattern: [UInt8], in range: Range<Int>) -> Range<Int>? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let first = pattern.first else { return nil }
            var start = range.lowerBound
            while start + pattern.count <= range.upperBound {
                let count = range.upperBound - pattern.count + 1 - start
                guard let found = memchr(base + start, Int32(first), count) else { return nil }
                start = UnsafeRawPointer(found) - base
                if memcmp(found, pattern, pattern.count) == 0 { return start..<start + pattern.count }
                start += 1
            }
            return nil
        }
    }

    public func firstRange(of pattern: [UInt8]) -> Range<Int>? { firstRange(of: pattern, in: indices) }

    /// Returns the occurrences of `pattern` that do not overlap.
    public func ranges(of pattern: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        while let next = firstRange(of: pattern, in: (ranges.last?.upperBound ?? 0)..<count) { ranges.append(next) }
        return ranges
    }
}
