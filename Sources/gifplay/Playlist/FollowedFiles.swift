import Application
import Base
import CTerminal
import Catalog
import GIFDecode
import Glibc
import Pixels

/// Supplies the GIFs that other programs write: the newest one of a folder, the file itself, or the one that the last
/// line of a list or of a named pipe says. A thread waits for the kernel's reports, so that waiting costs nothing.
struct FollowedFiles: ItemFeed {
    let waitsForItems = true
    private let path: String
    /// The newest GIF that was not shown yet.
    private let paths: AsyncStream<String>
    private let latestProblem = Monitor<String?>(nil)

    init(_ path: String, limits: DecodeLimits) throws(CommandError) {
        self.path = path
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        paths = stream
        let source = try FollowedPath(path, limits: limits)
        // A later failure could only end the process while the screen is set up.
        let isPossible = gifplay_start_task_threads()
        let isStarted = DetachedThread.start { [latestProblem] in
            source.report { path, problem in
                latestProblem.withLock { $0 = problem }
                if problem == nil { continuation.yield(path) }
            }
            continuation.finish()
        }
        guard isPossible, isStarted else { throw CommandError("--follow \(path): \(DetachedThread.failure)") }
    }

    var problem: String? { latestProblem.withLock { $0 } }

    func waitingText(in language: Language) -> String {
        problem ?? language(en: "waiting for a GIF in \(path)…", de: "wartet auf ein GIF in \(path) …")
    }

    func next() async throws(CatalogError) -> ResultPage {
        for await path in paths { return ResultPage(items: [GIFReference(path: path)]) }
        throw .link("--follow \(path): the list has no further GIF")
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
    private let limits: DecodeLimits
    private let kind: Kind
    /// The inotify instance, or the open pipe.
    private let descriptor: Int32

    init(_ path: String, limits: DecodeLimits) throws(CommandError) {
        (self.path, self.limits) = (path, limits)
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
            guard descriptor < 0 || watch(folder) >= 0 else {
                throw CommandError("\(subject): \(SystemError.message())")
            }
        }
        guard descriptor >= 0 else { throw CommandError("\(subject): \(SystemError.message())") }
    }

    /// Closed by its writer, or renamed from another name, a file is complete. A new link is complete, too.
    /// - Returns: the number of the watch; negative after a failure.
    private func watch(_ folder: String) -> Int32 {
        inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE))
    }

    /// Calls `found` for each GIF that is complete, until the input ends. If a GIF cannot be shown, `found` also gets the
    /// reason.
    func report(_ found: @escaping (_ path: String, _ problem: String?) -> Void) {
        let reportNewest = { if let (path, problem) = newest() { found(path, problem) } }
        var parent: Int32 = -1
        switch kind {
        case .lines: return reportLines(found)
        case .folder:
            reportNewest()
            // A folder that is made again has another watch.
            parent = watch(FileSystem.parent(of: FileSystem.realPath(path) ?? path))
        case .file: reportFile(found, isClosed: false)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 || errno == EINTR {
            guard count > 0 else { continue }
            let events = Self.events(buffer[..<count])
            if events.contains(where: { $0.mask & UInt32(IN_Q_OVERFLOW) != 0 }) { reportNewest() }
            for (_, _, name) in events.filter({ $0.watch == parent }) where name == lastName {
                if watch(path) < 0 { found(path, "\(path): \(SystemError.message())") } else { reportNewest() }
            }
            for (_, mask, name) in events.filter({ $0.watch != parent })
            where mask & UInt32(IN_CREATE) == 0 || isLink(name) {
                if kind == .folder {
                    let path = path(of: name)
                    if isNamedGIF(name), access(path, F_OK) == 0 { found(path, problem(of: path)) }
                } else if name == lastName {
                    reportFile(found, isClosed: true)
                }
            }
        }
    }

    private var lastName: String? { path.split(separator: "/").last.map(String.init) }

    private static func events(_ bytes: ArraySlice<UInt8>) -> [(watch: Int32, mask: UInt32, name: String)] {
        bytes.withUnsafeBytes { bytes in
            var (events, offset) = ([(Int32, UInt32, String)](), 0)
            let head = MemoryLayout<inotify_event>.size
            while offset + head <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let name = bytes[(offset + head)...].prefix(Int(event.len)).prefix { $0 != 0 }
                events.append((event.wd, event.mask, String(decoding: name, as: UTF8.self)))
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

    /// Why a file cannot be shown; nil if its first frame can be decoded.
    /// - Parameter isClosed: whether its writer has closed it. Otherwise, it must have a trailer.
    private func problem(of path: String, isClosed: Bool = true) -> String? {
        let item = PlayItem.file(path)
        let name = item.label(in: .english).title
        var status = stat()
        guard stat(path, &status) == 0 else { return "\(name): \(SystemError.message())" }
        if let kind = FileSystem.irregularKind(status.st_mode) { return "\(name): \(kind), not a GIF" }
        guard isClosed || isComplete(path) else { return "\(name): incomplete; waiting for the end of the file" }
        do throws(GIFError) {
            let hasFrame = try item.localReader(limits: limits).next(into: IndexedFrame())
            return hasFrame ? nil : "\(name): \(ErrorMessages.describe(GIFError.noImage([])))"
        } catch {
            return "\(name): \(ErrorMessages.describe(error))"
        }
    }

    /// Whether the blocks of a GIF are there up to its trailer.
    private func isComplete(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var (walk, buffer) = (BlockWalk(), [UInt8](repeating: 0, count: 1 << 16))
        while walk.length == nil, case let count = read(file, &buffer, buffer.count), count > 0 {
            buffer.withUnsafeBytes { walk.add(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
        return walk.length != nil
    }

    /// The newest GIF; if it cannot be decoded, the newest one that can.
    private func newest() -> (path: String, problem: String?)? {
        var errors: [CommandError] = []
        let dated = LocalFiles.paths(at: path, errors: &errors).map { path in
            var status = stat()
            stat(path, &status)
            return (path, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
        let gifs = dated.sorted { ($0.1, $0.2) > ($1.1, $1.2) }.map(\.0)
        var damaged: (path: String, problem: String?)?
        for path in gifs {
            guard let problem = problem(of: path, isClosed: false) else { return (path, nil) }
            damaged = damaged ?? (path, problem)
        }
        return damaged
    }

    /// Reports the followed GIF, or the last line of a list, which it reads from the end.
    private func reportFile(_ found: (String, String?) -> Void, isClosed: Bool) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var (status, end) = (stat(), [UInt8](repeating: 0, count: Self.longestLine))
        guard file >= 0, fstat(file, &status) == 0, pread(file, &end, 3, 0) >= 0 else {
            return found(path, "\(path): \(SystemError.message())")
        }
        guard !end.starts(with: "GIF".utf8) else { return found(path, problem(of: path, isClosed: isClosed)) }
        let start = max(0, Int(status.st_size) - end.count)
        let count = max(0, pread(file, &end, Self.longestLine, start))
        // The first line may be a part of one.
        let isCut = start > 0 && end[0] != UInt8(ascii: "\n")
        let lines = end.prefix(count).split(separator: UInt8(ascii: "\n")).dropFirst(isCut ? 1 : 0)
        if let line = lines.last { report(line, found) } else if start > 0 { report(end[...], found) }
    }

    /// In bytes. No path is longer.
    private static let longestLine = 64 << 10

    private func report(_ line: ArraySlice<UInt8>, _ found: (String, String?) -> Void) {
        guard line.count < Self.longestLine else {
            return found(path, "--follow \(path): the last line is over 64 KiB")
        }
        let name = name(line)
        found(name, problem(of: name))
    }

    /// The path in a line, which may end as in Windows.
    private func name(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }

    private func reportLines(_ found: (String, String?) -> Void) {
        var (buffer, text) = ([UInt8](repeating: 0, count: 1 << 14), [UInt8]())
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 || count < 0 && errno == EINTR {
            text += buffer.prefix(max(0, count))
            if let end = text.lastIndex(of: UInt8(ascii: "\n")) {
                for line in text[..<end].split(separator: UInt8(ascii: "\n")) { report(line, found) }
                text.removeSubrange(...end)
            } else if text.count >= Self.longestLine {
                // The rest of the line is not kept, but the line stays too long.
                report(text[...], found)
                text.removeSubrange(Self.longestLine...)
            }
        }
        if !text.isEmpty { report(text[...], found) }
    }
}
