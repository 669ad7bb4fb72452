import CTerminal
import Glibc

/// Bytes on their way to a descriptor that may not take them at once.
struct OutgoingBytes {
    enum Outcome {
        case done
        /// The rest waits for the descriptor to take more.
        case pending
        case closed
    }

    /// What one update is made of; of fixed length, so that it lies on the stack.
    typealias Parts = InlineArray<4, UnsafeRawBufferPointer>

    private var waiting: [UInt8] = []
    private var sent = 0

    var isEmpty: Bool { sent == waiting.count }

    /// Sends the parts in one go, behind what is waiting. What does not fit waits.
    mutating func send(_ parts: Parts, to descriptor: Int32) -> Outcome {
        guard isEmpty else {
            for index in parts.indices { waiting.append(contentsOf: parts[index]) }
            return flush(to: descriptor)
        }
        var vectors = InlineArray<4, iovec> { index in
            iovec(iov_base: UnsafeMutableRawPointer(mutating: parts[index].baseAddress), iov_len: parts[index].count)
        }
        var span = vectors.mutableSpan
        let written = span.withUnsafeMutableBufferPointer { writev(descriptor, $0.baseAddress, Int32($0.count)) }
        if written < 0, !Self.isTransient { return .closed }
        var skip = max(0, written)
        waiting.removeAll(keepingCapacity: true)
        sent = 0
        for index in parts.indices {
            waiting.append(contentsOf: parts[index].dropFirst(skip))
            skip = max(0, skip - parts[index].count)
        }
        return isEmpty ? .done : .pending
    }

    mutating func flush(to descriptor: Int32) -> Outcome {
        while !isEmpty {
            let written = waiting.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            guard written >= 0 else { return Self.isTransient ? .pending : .closed }
            sent += written
        }
        waiting.removeAll(keepingCapacity: true)
        sent = 0
        return .done
    }

    /// Gives up what is waiting.
    /// - Returns: whether the receiver may stand in the middle of a control sequence.
    mutating func abandon() -> Bool {
        let wasCut = !isEmpty
        waiting.removeAll()
        sent = 0
        return wasCut
    }

    private static var isTransient: Bool { errno == EAGAIN || errno == EINTR }
}
