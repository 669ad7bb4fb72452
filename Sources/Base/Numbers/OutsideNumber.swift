/// The only way in which a number from outside (a server, a file, the environment, a terminal) becomes an `Int`: within
/// a range. Sums of a few numbers in ``outsideRange``, and products with small factors, cannot overflow.
extension Int {
    /// Up to 2^40 in both directions. No real size, count or time in seconds is outside.
    public static var outsideRange: ClosedRange<Int> { -1 << 40...1 << 40 }

    /// The last second of the year 9999, in seconds since 1970.
    public static var latestTime: Int { 253_402_300_799 }

    /// Nil if the number is missing or outside the range.
    public init?(outside number: Int?, in range: ClosedRange<Int> = outsideRange) {
        guard let number, range.contains(number) else { return nil }
        self = number
    }

    /// Drops a fractional part. Nil if the number is outside the range or not a number.
    public init?(outside number: Double, in range: ClosedRange<Int> = outsideRange) {
        self.init(outside: Int(exactly: number.rounded(.towardZero)), in: range)
    }

    /// Nil unless the text consists of ASCII digits, after an optional minus sign, for a number in the range.
    public init?(outside text: some StringProtocol, in range: ClosedRange<Int> = outsideRange) {
        guard let number = Self.digits(text), range.contains(number) else { return nil }
        self = number
    }

    /// As ``init(outside:in:)``, but replaces a number outside the range by the nearest number in it.
    public init?(outside text: some StringProtocol, clampedTo range: ClosedRange<Int>) {
        guard let number = Self.digits(text) else { return nil }
        self.init(clamping: number, to: range)
    }

    public init(clamping number: Int, to range: ClosedRange<Int>) {
        self = Swift.min(Swift.max(number, range.lowerBound), range.upperBound)
    }

    /// A number that is too large for `Int` becomes the largest or the smallest one.
    private static func digits(_ text: some StringProtocol) -> Int? {
        // The generic view of a text would look up its conformances, which takes longer than a copy.
        let text = String(text)
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? (isNegative ? .min : .max)
    }
}
