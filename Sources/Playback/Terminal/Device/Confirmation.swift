import Base
import Glibc

/// A question on the terminal of standard error.
public enum Confirmation {
    /// Reads keys, because the kernel's line editor knows Ctrl-C only as the byte 3, and some terminals send it in other
    /// forms. Ctrl-C has the effect of SIGINT.
    /// - Returns: whether the answer is `y` or `yes`, in upper or lower case.
    public static func ask(_ question: String) throws(Failure) -> Bool {
        let device = try TerminalDevice(output: STDERR_FILENO)
        defer { close(device.descriptor) }
        // Takes effect when the modes are restored.
        var signals = HeldSignals()
        defer { signals.release() }
        device.discardTypedAhead()
        try device.makeRaw()
        defer { device.restore(discardsInput: false) }
        func show(_ text: String) { _ = write(device.descriptor, text, text.utf8.count) }
        show(question)
        defer { show("\r\n") }
        var (parser, answer, end) = (InputParser(), "", Instant(nanoseconds: .max))
        var buffer = [UInt8](repeating: 0, count: 256)
        while signals.wait(for: device.descriptor, POLLIN, until: &end) {
            let count = read(device.descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            for input in parser.parse(buffer.prefix(count)) {
                switch input {
                case .key(.control("c")):
                    kill(getpid(), SIGINT)
                    return false
                case .key(.control("d")): return false
                case .key(.enter): return ["y", "yes"].contains(answer.lowercased())
                case .key(.backspace): if answer.popLast() != nil { show("\u{8} \u{8}") }
                case .key(.character(let character)):
                    answer.append(character)
                    show(String(character))
                default: break
                }
            }
        }
        return false
    }
}
