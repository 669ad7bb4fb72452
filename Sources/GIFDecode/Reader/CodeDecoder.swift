import Pixels

/// GIF's LZW, of minimum code sizes up to 11: sub-blocks in, palette indices out.
///
/// Whatever a code stands for is in the output already, so the table says where and how long, and a
/// code is a copy of eight bytes at a time. The literals stand behind the frame's indices, so that
/// they are copied as anything else is. Of codes wider than an index the upper bits drop.
final class CodeDecoder {
    /// Offset in the output, and length: 0 for the clear and the end code.
    private struct Entry {
        var offset: UInt32
        var length: UInt32
    }

    /// What changes with each code; a value, so that a sub-block is decoded in registers.
    private struct State {
        var accumulator: UInt64 = 0
        var available: UInt64 = 0
        var bits: UInt64
        var mask: UInt64
        var next: Int
        var position = 0
        /// What the code before stood for; of length 0 behind a clear code.
        var previous = Entry(offset: 0, length: 0)
        /// Nothing more can be decoded: all pixels are there, the end code, or a code for nothing.
        var isOver = false
    }

    private static let tableSize = 4096
    private static let mostBits = 12
    /// How far a copy may read or write beyond a string's end.
    private static let slack = 8

    private let table: UnsafeMutablePointer<Entry>
    private var output: UnsafeMutablePointer<UInt8>
    private var limit = 0
    private var clear = 4
    private var state = State(bits: 3, mask: 7, next: 6)

    /// Indices decoded of the present frame.
    var count: Int { state.position }

    init() {
        table = .allocate(capacity: Self.tableSize)
        table.initialize(repeating: Entry(offset: 0, length: 0), count: Self.tableSize)
        output = UnsafeMutablePointer(mutating: UnsafePointer(bitPattern: 1).unsafelyUnwrapped)
    }

    deinit { table.deallocate() }

    /// Begins the data of a frame of `count` indices, and makes room for them in it.
    /// - Parameter codeSize: 0 to 11.
    func begin(_ frame: IndexedFrame, count: Int, codeSize: Int) throws(GIFError) {
        clear = 1 << codeSize
        limit = count
        let literals = count + Self.slack
        let room = literals + clear + Self.slack
        do { try frame.reserve(room) } catch { throw .outOfMemory }
        output = frame.indices.baseAddress.unsafelyUnwrapped
        for code in 0..<clear {
            output[literals + code] = UInt8(truncatingIfNeeded: code)
            table[code] = Entry(offset: UInt32(literals + code), length: 1)
        }
        table[clear] = Entry(offset: 0, length: 0)
        table[clear + 1] = Entry(offset: 0, length: 0)
        state = State(bits: 0, mask: 0, next: 0)
        restart(&state)
    }

    @inline(__always)
    private func restart(_ state: inout State) {
        state.bits = UInt64(clear.trailingZeroBitCount + 1)
        state.mask = (1 << state.bits) - 1
        state.next = clear + 2
        state.previous.length = 0
    }

    /// Decodes one sub-block, behind what was decoded before.
    func take(_ block: UnsafeBufferPointer<UInt8>) {
        guard var source = block.baseAddress else { return }
        let end = source + block.count
        var state = self.state
        while !state.isOver {
            if end - source >= 8 {
                // What does not fit is read again, and falls on itself.
                let bytes = UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)
                state.accumulator |= UInt64(littleEndian: bytes) &<< state.available
                let whole = (63 &- state.available) &>> 3
                source += Int(whole)
                state.available &+= whole &<< 3
            } else {
                while state.available <= 48, source < end {
                    state.accumulator |= UInt64(source.pointee) &<< state.available
                    source += 1
                    state.available &+= 8
                }
            }
            guard state.available >= state.bits else { break }
            while state.available >= state.bits, !state.isOver { takeCode(&state) }
        }
        self.state = state
    }

    @inline(__always)
    private func takeCode(_ state: inout State) {
        let code = Int(truncatingIfNeeded: state.accumulator & state.mask)
        state.accumulator &>>= state.bits
        state.available &-= state.bits
        let repeatsPrevious = code == state.next
        if state.previous.length != 0, state.next < Self.tableSize {
            // The string before and the index behind it, which this code is about to write.
            table[state.next] = Entry(offset: state.previous.offset, length: state.previous.length &+ 1)
            state.next &+= 1
            if state.next > state.mask, state.bits < Self.mostBits {
                state.bits &+= 1
                state.mask = state.mask &<< 1 | 1
            }
        }
        let entry = table[code]
        guard code < state.next, entry.length != 0 else {
            if code == clear { restart(&state) } else { state.isOver = true }
            return
        }
        let length = Int(entry.length)
        guard length <= limit &- state.position else { return takeLast(entry, &state) }
        let target = output + state.position
        copy(from: output + Int(entry.offset), to: target, length)
        if repeatsPrevious { target[length &- 1] = target[0] }
        state.previous = Entry(offset: UInt32(truncatingIfNeeded: state.position), length: entry.length)
        state.position &+= length
    }

    @inline(__always)
    private func copy(from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ length: Int) {
        var done = 0
        repeat {
            UnsafeMutableRawPointer(target + done).storeBytes(
                of: UnsafeRawPointer(source + done).loadUnaligned(as: UInt64.self), as: UInt64.self)
            done &+= Self.slack
        } while done < length
    }

    /// More indices than are left room for: the frame is full.
    private func takeLast(_ entry: Entry, _ state: inout State) {
        for index in 0..<limit - state.position { output[state.position + index] = output[Int(entry.offset) + index] }
        state.position = limit
        state.isOver = true
    }
}
