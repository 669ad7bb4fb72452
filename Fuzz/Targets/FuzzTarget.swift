/// A kind of untrusted input that gifplay reads. Each kind has properties that must hold for all inputs.
///
/// The fuzz programs check these properties with inputs from libFuzzer. The tests check them with recorded inputs.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// A GIF file, which is decoded and rendered to the cells of a terminal.
    case gif
    /// Responses of the GIF services.
    case services
    /// The configuration file.
    case config
    /// Keyboard input.
    case keys
    /// Replies of a terminal to queries.
    case answers

    /// Processes the bytes with all code that reads this kind of input.
    /// - Throws: ``ViolatedProperty`` if the result violates a property. Other defects, such as an invalid memory
    ///   access, end the process.
    public func check(_ bytes: [UInt8]) throws {
        switch self {
        case .gif: try GIFTarget(bytes).check()
        case .services: try ServicesTarget.check(bytes)
        case .config: try ConfigTarget.check(bytes)
        case .keys: try KeysTarget.check(bytes)
        case .answers: try AnswersTarget.check(bytes)
        }
    }
}

/// The error for an input that violates a property.
public struct ViolatedProperty: Error, CustomStringConvertible {
    public let description: String
}

/// Throws ``ViolatedProperty`` unless the condition holds.
func require(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    guard !holds else { return }
    throw ViolatedProperty(description: message())
}

/// Returns the FNV-1a hash of the bytes. The targets use this hash for choices that must depend on all bytes of the
/// input.
func fnvHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

extension SeededPieces {
    /// Splits the bytes into pieces of pseudo-random lengths.
    static func cut(_ bytes: [UInt8], seed: UInt64) -> [ArraySlice<UInt8>] {
        var pieces = SeededPieces(seed)
        var rest = bytes[...]
        var cut: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            let piece = rest.prefix(pieces.next(maximum: rest.count))
            rest = rest.dropFirst(piece.count)
            cut.append(piece)
        }
        return cut
    }
}

/// A generator of pseudo-random lengths for the pieces in which bytes arrive. About three of four pieces have
/// at most 16 bytes; the others have up to 4096 bytes.
struct SeededPieces {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// Returns a length from 1 to `maximum`.
    mutating func next(maximum: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let width = [1, 3, 16, 1 << 12][Int(state >> 60 & 3)]
        return min(maximum, 1 + Int(state >> 33) % width)
    }
}
