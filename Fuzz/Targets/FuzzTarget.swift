/// What strangers write and gifplay reads; each with what must hold of whatever bytes.
///
/// The same bodies are run by the fuzzers, over bytes that libFuzzer thinks of, and by the tests, over
/// the cases that were kept.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// A file's bytes, to the cells of a terminal.
    case gif
    /// What the services answer.
    case services
    /// The configuration file.
    case config
    /// What comes from a keyboard.
    case keys
    /// What a terminal answers when it is asked.
    case answers

    /// Runs the bytes through everything that reads them.
    /// - Throws: ``BrokenPromise`` where what comes out is not what must; what is worse ends the process.
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

/// Something that must hold of any input, and does not of this one.
public struct BrokenPromise: Error, CustomStringConvertible {
    public let description: String
}

/// Throws unless the condition holds.
func promise(_ holds: Bool, _ words: @autoclosure () -> String) throws {
    guard !holds else { return }
    throw BrokenPromise(description: words())
}

/// A number made of bytes: choices that must not stand in the bytes are made by it (FNV-1a).
func mixed(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

extension SeededPieces {
    /// All bytes in pieces.
    static func cut(_ bytes: [UInt8], seed: UInt64) -> [ArraySlice<UInt8>] {
        var pieces = SeededPieces(seed)
        var rest = bytes[...]
        var cut: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            let piece = rest.prefix(pieces.next(most: rest.count))
            rest = rest.dropFirst(piece.count)
            cut.append(piece)
        }
        return cut
    }
}

/// The lengths of pieces in which bytes arrive: mostly a few bytes, now and then many.
struct SeededPieces {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// From 1 to `most`.
    mutating func next(most: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let width = [1, 3, 16, 1 << 12][Int(state >> 60 & 3)]
        return min(most, 1 + Int(state >> 33) % width)
    }
}
