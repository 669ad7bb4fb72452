import Base
import CTerminal
import Catalog
import Glibc

/// Writes a recording as it grows. A file gets its name at the end.
final class RecordingWriter {
    private let path: String
    private let file: OutputFile
    private var failure: Failure?

    /// - Throws: also if the output is the file of the recorded item, which would destroy it.
    init(_ path: String, of item: GIFReference? = nil) throws(Failure) {
        self.path = path == "-" ? "standard output" : path
        let output = path == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: path)
        if let output, output.isRegular, output == item?.fileIdentity {
            throw .usage("\(self.path): is also the input; record to another file")
        }
        file = try Failure.about(path, "cannot be written") { () throws(Failure) in
            try path == "-" ? OutputFile(descriptor: STDOUT_FILENO) : OutputFile(path, isPrivate: false)
        }
    }

    /// - Returns: false if the recording must end.
    func write(_ part: [UInt8]) -> Bool {
        do throws(Failure) {
            try Failure.about(path, "cannot be written") { () throws(Failure) in try file.write(part) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    func finish() throws(Failure) {
        if let failure { throw failure }
        try Failure.about(path, "cannot be written") { () throws(Failure) in try file.commit() }
    }
}

/// Reports on the terminal how much is recorded, and catches Ctrl-C, which ends the recording.
final class RecordingProgress {
    private let isShown: Bool
    private let download: Download?
    private var recorded = Instant(nanoseconds: 0)
    /// The time of the next report. A short recording has none.
    private var next = Instant.monotonic + Span.second

    /// Without a thread, Ctrl-C cannot end a wait for a download.
    init(of fetched: FetchedItem, isShown: Bool) {
        self.isShown = isShown
        download = fetched.download
        let event = gifplay_catch_interrupts()
        guard let download, event >= 0 else { return }
        _ = DetachedThread.start {
            var count: UInt64 = 0
            _ = read(event, &count, MemoryLayout.size(ofValue: count))
            download.cancel()
        }
    }

    /// The number of the signal that ends the recording; nil if there is none.
    var signal: Int32? { gifplay_caught_signal() == 0 ? nil : gifplay_caught_signal() }

    /// Such as `12.5 s`.
    var text: String { "\(Double(recorded.nanoseconds / (Span.second / 10)) / 10) s" }

    /// In bytes. The layers of an SVG are in memory until it is complete, because its first line depends on the last.
    static let memoryLimit = 256 << 20
    private(set) var isFull = false

    /// Why the recording is shorter than the GIF; nil if it is not.
    func earlyEnd(of output: String) -> Failure? {
        if let signal { return Failure.ended(by: signal, "interrupted; \(text) is in \(output)") }
        guard isFull else { return nil }
        return Failure(
            "\(output): ends after \(text), because an SVG is limited to \(ByteSize.limit(Self.memoryLimit)); "
                + "use --size or --duration, or record a .cast")
    }

    func mayContinue(at time: Instant, holding bytes: Int) -> Bool {
        recorded = time
        isFull = bytes > Self.memoryLimit
        // While the download runs, its own progress is shown.
        if isShown, download?.progress.state != .running, .monotonic >= next {
            next = .monotonic + Span.second / 2
            showProgress("recorded \(text); Ctrl-C ends the recording")
        }
        return signal == nil && !isFull
    }

    func hide() { if isShown { showProgress(nil) } }
}
