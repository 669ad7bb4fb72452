import CTerminal
import Glibc

/// The output buffer of a non-blocking descriptor.
struct OutgoingBytes {
    enum Outcome {
        case done
        /// Some bytes wait until the descriptor accepts more.
        case pending
        case closed
    }

    /// The parts of one update. An array with a fixed length needs no memory on the heap.
    typealias Parts = InlineArray<4, UnsafeRawBufferPointer>

    private var waiting: [UInt8] = []
    private var sent = 0

    var isEmpty: Bool { sent == waiting.count }

    /// Sends the waiting bytes, followed by the parts. If no bytes are waiting, one system call sends all parts. Bytes
    /// that the descriptor does not accept wait in this buffer.
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

    /// Discards the waiting bytes.
    /// - Returns: whether bytes were discarded. If so, the output can end in the middle of a control sequence.
    mutating func abandon() -> Bool {
        let wasCut = !isEmpty
        waiting.removeAll()
        sent = 0
        return wasCut
    }

    private static var isTransient: Bool { errno == EAGAIN || errno == EINTR }
}
