import Application
import Base
import CTerminal
import Glibc
import Pixels

/// Supplies the GIFs that other programs write: the newest one of a folder, the file itself, or the one that the last
/// line of a list or of a named pipe says. A thread waits for the kernel's reports, so that waiting costs nothing.
struct FollowedFiles: CandidateStream {
    let isEndless = true
    let hasAlternatives = false
    let waitsForItems = true
    private let path: String
    /// The newest GIF that was not shown yet.
    private let paths: AsyncStream<String>

    init(_ path: String) throws(CommandError) {
        self.path = path
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        paths = stream
        let source = try FollowedPath(path)
        guard DetachedThread.start({ source.report { _ = continuation.yield($0) } }) else {
            throw CommandError("--follow \(path): \(DetachedThread.failure)")
        }
    }

    func waitingText(in language: Language) -> String {
        language(en: "waiting for a GIF in \(path)…", de: "wartet auf ein GIF in \(path) …")
    }

    func next(within budget: TimeBudget?) async throws(CommandError) -> CandidateBatch {
        for await path in paths { return CandidateBatch(items: [.file(path)]) }
        return CandidateBatch()
    }
}

/// What `--follow` names: a folder, a GIF, a list, or a named pipe.
private struct FollowedPath: Sendable {
    private enum Kind {
        case folder
        /// A GIF, or a text file with a path in each line.
        case file
        case lines
    }

    private let path: String
    private let kind: Kind
    /// The inotify instance, or the open pipe.
    private let descriptor: Int32

    init(_ path: String) throws(CommandError) {
        self.path = path
        let subject = "--follow \(path)"
        var status = stat()
        guard path == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(path, &status) == 0 else {
            throw CommandError("\(subject): \(SystemError.message())")
        }
        switch status.st_mode & S_IFMT {
        case _ where path == "-": kind = .lines
        case S_IFDIR: kind = .folder
        case S_IFREG: kind = .file
        case S_IFIFO: kind = .lines
        default: throw CommandError("\(subject): not a folder, a file or a named pipe")
        }
        if kind == .lines {
            guard path != "-" || isatty(STDIN_FILENO) == 0 else {
                throw CommandError("\(subject): standard input is a terminal; pipe a list of paths")
            }
            // With a writer of its own, a named pipe has no end.
            descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDWR | O_CLOEXEC)
        } else {
            descriptor = inotify_init1(Int32(IN_CLOEXEC))
            let folder = kind == .folder ? path : FileSystem.parent(of: path)
            // Closed by its writer, or renamed from another name, a file is complete. A new link is complete, too.
            let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE
            guard descriptor < 0 || inotify_add_watch(descriptor, folder, UInt32(events)) >= 0 else {
                throw CommandError("\(subject): \(SystemError.message())")
            }
        }
        guard descriptor >= 0 else { throw CommandError("\(subject): \(SystemError.message())") }
    }

    /// Calls `found` for each GIF that is complete, until the input ends.
    func report(_ found: @escaping (String) -> Void) {
        let found = { (path: String) in if isGIF(path) { found(path) } }
        switch kind {
        case .lines: return reportLines(found)
        case .folder: newest().map(found)
        case .file: reportFile(found)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 || errno == EINTR {
            guard count > 0 else { continue }
            let events = Self.events(buffer[..<count])
            if events.contains(where: { $0.mask & UInt32(IN_Q_OVERFLOW) != 0 }) { newest().map(found) }
            for (mask, name) in events where mask & UInt32(IN_CREATE) == 0 || isLink(name) {
                if kind == .folder {
                    if isNamedGIF(name) { found(path(of: name)) }
                } else if name == path.split(separator: "/").last.map(String.init) {
                    reportFile(found)
                }
            }
        }
    }

    private static func events(_ bytes: ArraySlice<UInt8>) -> [(mask: UInt32, name: String)] {
        bytes.withUnsafeBytes { bytes in
            var (events, offset) = ([(UInt32, String)](), 0)
            let head = MemoryLayout<inotify_event>.size
            while offset + head <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let name = bytes[(offset + head)...].prefix(Int(event.len)).prefix { $0 != 0 }
                events.append((event.mask, String(decoding: name, as: UTF8.self)))
                offset += head + Int(event.len)
            }
            return events
        }
    }

    private func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
    private func isNamedGIF(_ name: String) -> Bool { name.lowercased().hasSuffix(".gif") && !name.hasPrefix(".") }

    private func isLink(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(of: name), &status) == 0 && (status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1)
    }

    /// Whether a regular file begins like a GIF, and no process has it open for writing.
    private func isGIF(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(file) }
        var (status, start) = (stat(), [UInt8](repeating: 0, count: 3))
        guard file >= 0, fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            read(file, &start, start.count) == start.count, start.starts(with: "GIF".utf8)
        else { return false }
        // The kernel refuses a lease while a writer exists. It grants leases only to the owner of the file. Swift does
        // not import F_SETLEASE, a macro of GNU.
        return fcntl(file, 1024, F_RDLCK) == 0 || errno != EAGAIN
    }

    private func newest() -> String? {
        var errors: [CommandError] = []
        let dated = LocalFiles.paths(at: path, errors: &errors).map { path in
            var status = stat()
            stat(path, &status)
            return (path, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
        return dated.sorted { ($0.1, $0.2) > ($1.1, $1.2) }.first { isGIF($0.0) }?.0
    }

    private func reportFile(_ found: (String) -> Void) {
        guard !isGIF(path) else { return found(path) }
        let text = (try? FileSystem.read(path, limit: 1 << 20)) ?? []
        if let line = text.split(separator: UInt8(ascii: "\n")).last { found(String(decoding: line, as: UTF8.self)) }
    }

    private func reportLines(_ found: (String) -> Void) {
        var (buffer, text) = ([UInt8](repeating: 0, count: 1 << 14), [UInt8]())
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 || count < 0 && errno == EINTR {
            text += buffer.prefix(max(0, count))
            guard let end = text.lastIndex(of: UInt8(ascii: "\n")), end < 1 << 20 else { continue }
            for line in text[..<end].split(separator: UInt8(ascii: "\n")) {
                found(String(decoding: line, as: UTF8.self))
            }
            text.removeSubrange(...end)
        }
    }
}
