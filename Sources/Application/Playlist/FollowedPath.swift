import Base
import Glibc
import Pixels

/// What `--follow` names: a folder, a GIF, a list, or a named pipe.
struct FollowedPath: Sendable {
    private enum Kind {
        case folder
        /// A GIF, or a text file with a path in each line.
        case file
        case lines
    }

    private let path: String
    private let limits: DecodeLimits
    private let kind: Kind
    /// The inotify instance.
    private let descriptor: Int32
    /// The watch of the folder of the path; -1 for standard input.
    private let own: Int32
    /// The file that the latest line names, and the watch of its folder.
    private let target = Monitor<(watch: Int32, path: String)>((-1, ""))
    private typealias Event = (watch: Int32, mask: UInt32, name: String)
    typealias Found = (_ path: String, _ problem: Failure?) -> Void

    init(_ path: String, limits: DecodeLimits) throws(Failure) {
        (self.path, self.limits) = (path, limits)
        let subject = "--follow \(path)"
        kind = try Self.kind(of: path)
        guard path != "-" || isatty(STDIN_FILENO) == 0 else {
            throw Failure("\(subject): standard input is a terminal; pipe a list of paths")
        }
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        let mayOpen = kind != .lines || path == "-" || access(path.systemPath, R_OK | W_OK) == 0
        let folder = kind == .folder ? path : FileSystem.parent(of: path)
        own = path == "-" || descriptor < 0 || !mayOpen ? -1 : Self.watch(folder, descriptor)
        guard path == "-" || own >= 0 else { throw Failure("\(subject): \(Failure.systemMessage())") }
    }

    private static func kind(of path: String) throws(Failure) -> Kind {
        var status = stat()
        guard path == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(path.systemPath, &status) == 0 else {
            throw Failure("--follow \(path): \(Failure.systemMessage())")
        }
        switch status.st_mode & S_IFMT {
        case _ where path == "-": return .lines
        case S_IFDIR: return .folder
        case S_IFREG: return .file
        case S_IFIFO: return .lines
        default: throw Failure("--follow \(path): not a folder, a file or a named pipe")
        }
    }

    /// Closed by its writer, or renamed from another name, a file is complete. A new link is complete, too.
    /// - Returns: the number of the watch; negative after a failure.
    private static func watch(_ folder: String, _ descriptor: Int32) -> Int32 {
        let (changes, ends) = (IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE, IN_DELETE | IN_MOVED_FROM)
        return inotify_add_watch(descriptor, folder.systemPath, UInt32(changes | ends | IN_DELETE_SELF | IN_MOVE_SELF))
    }

    private func watch(_ folder: String) -> Int32 { Self.watch(folder, descriptor) }

    /// Calls `found` for each GIF that is complete, until the input ends. If a GIF cannot be shown, `found` also gets the
    /// reason.
    func report(_ found: @escaping Found) {
        switch kind {
        case .lines: reportLines(found)
        case .folder: reportFolder(found)
        case .file:
            reportFile(found, isClosed: false)
            while let events = nextEvents() {
                for event in events {
                    reportTarget(event, found)
                    guard isOwn(event) else { continue }
                    if isEnd(event) {
                        reportEnd(found)
                    } else if reportSuccessor(found) {
                        return
                    } else if isWritten(event, path) {
                        reportFile(found, isClosed: true)
                    }
                }
            }
        }
    }

    private func isOwn(_ event: Event) -> Bool {
        event.name.isEmpty ? [own, -1].contains(event.watch) : event.watch == own && event.name == lastName
    }

    /// Follows what has taken the place of the path, if that is of another kind.
    /// - Returns: false if it is not; otherwise, once that has ended.
    private func reportSuccessor(_ found: @escaping Found) -> Bool {
        guard let kind = try? Self.kind(of: path), kind != self.kind,
            let successor = try? FollowedPath(path, limits: limits)
        else { return false }
        close(descriptor)
        successor.report(found)
        return true
    }

    private func reportFolder(_ found: @escaping Found) {
        func reportNewest() { if let (path, problem) = newest() { found(path, problem) } }
        reportNewest()
        let place = FileSystem.realPath(path) ?? path
        // A folder that is made again has another watch.
        var (folder, parent) = (watch(path), watch(FileSystem.parent(of: place)))
        if parent == folder { parent = -1 }
        while let events = nextEvents() {
            for event in events {
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    reportNewest()
                } else if event.watch == parent {
                    guard event.name == FileSystem.lastName(of: place) else { continue }
                    if !isEnd(event), reportSuccessor(found) { return }
                    folder = isEnd(event) ? -1 : watch(path)
                    if folder < 0 { reportEnd(found) } else { found(path, FollowedGIF.awaited(in: path)) }
                    if folder >= 0 { reportNewest() }
                } else if isEnd(event), event.name.isEmpty, event.watch == folder {
                    reportEnd(found)
                } else if isWritten(event, path(of: event.name)), isNamedGIF(event.name),
                    access(path(of: event.name).systemPath, F_OK) == 0
                {
                    found(path(of: event.name), FollowedGIF.problem(of: path(of: event.name), limits))
                }
            }
        }
    }

    private func reportEnd(_ found: Found) {
        let folder = FileSystem.parent(of: path)
        guard access(folder.systemPath, F_OK) == 0 else {
            let end = Failure(.other, "was removed; start gifplay again", de: "wurde entfernt; gifplay neu starten")
            return found(path, end.of(folder))
        }
        let wait = Failure(
            .nothingFound, "was removed; waiting for a new one", de: "wurde entfernt; wartet auf Ersatz")
        found(path, wait.of(FollowedGIF.name(path)))
    }

    /// Whether a file, or without a name the watched folder, has gone.
    private func isEnd(_ event: Event) -> Bool {
        event.mask & UInt32(event.name.isEmpty ? IN_DELETE_SELF | IN_MOVE_SELF : IN_DELETE | IN_MOVED_FROM) != 0
    }

    private func isWritten(_ event: Event, _ path: String) -> Bool {
        event.mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_Q_OVERFLOW) != 0
            || event.mask & UInt32(IN_CREATE) != 0 && isLink(path)
    }

    private var lastName: String { FileSystem.lastName(of: path) }

    /// Waits for the next reports of the kernel; nil after a failure.
    private func nextEvents() -> [Event]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 || errno == EINTR {
            if count > 0 { return Self.events(buffer[..<count]) }
        }
        return nil
    }

    private static func events(_ bytes: ArraySlice<UInt8>) -> [Event] {
        bytes.withUnsafeBytes { bytes in
            var (events, offset) = ([Event](), 0)
            let head = MemoryLayout<inotify_event>.size
            while offset + head <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let name = bytes[(offset + head)...].prefix(Int(event.len)).prefix { $0 != 0 }
                events.append((event.wd, event.mask, String(path: name)))
                offset += head + Int(event.len)
            }
            return events
        }
    }

    private func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
    private func isNamedGIF(_ name: String) -> Bool { name.lowercased().hasSuffix(".gif") && !name.hasPrefix(".") }

    private func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path.systemPath, &status) == 0
            && (status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1)
    }

    /// The newest GIF; if it cannot be decoded, the newest one that can.
    private func newest() -> (path: String, problem: Failure?)? {
        var errors: [Failure] = []
        let gifs = FileOrder.time.sorted(LocalFiles.paths(at: path, errors: &errors))
        var damaged: (path: String, problem: Failure?)?
        for path in gifs {
            guard let problem = FollowedGIF.problem(of: path, isClosed: false, limits) else { return (path, nil) }
            damaged = damaged ?? (path, problem)
        }
        return damaged
    }

    /// Reports the followed GIF, or the last line of a list, which it reads from the end.
    private func reportFile(_ found: Found, isClosed: Bool) {
        let file = open(path.systemPath, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var (status, end) = (stat(), [UInt8](repeating: 0, count: Self.longestLine))
        guard file >= 0, fstat(file, &status) == 0, pread(file, &end, 3, 0) >= 0 else {
            return errno == ENOENT ? reportEnd(found) : found(path, Failure.system("open").of(path))
        }
        guard !end.starts(with: "GIF".utf8) else {
            return found(path, FollowedGIF.problem(of: path, isClosed: isClosed, limits))
        }
        let start = max(0, Int(status.st_size) - end.count)
        let count = max(0, pread(file, &end, Self.longestLine, start))
        // The first line may be a part of one.
        let isCut = start > 0 && end[0] != UInt8(ascii: "\n")
        let lines = end.prefix(count).split(separator: UInt8(ascii: "\n")).dropFirst(isCut ? 1 : 0)
        if let line = lines.last { report(line, found) } else if start > 0 { report(end[...], found) }
    }

    /// In bytes. No path is longer.
    private static let longestLine = 64 << 10

    private func report(_ line: ArraySlice<UInt8>, _ found: Found) {
        guard line.count < Self.longestLine else {
            let tooLong = Failure(
                .other, "the last line is over 64 KiB", de: "die letzte Zeile ist länger als 64 KiB")
            return found(path, tooLong.of(FollowedGIF.name(path)))
        }
        let name = name(line)
        watchTarget(name)
        found(name, FollowedGIF.problem(of: name, limits))
    }

    /// Watches the file of the latest line, which can be written again.
    private func watchTarget(_ name: String) {
        let number = watch(FileSystem.parent(of: name))
        let former = target.withLock { target in
            defer { target = (number, name) }
            return target.watch
        }
        if former >= 0, ![number, own].contains(former) { inotify_rm_watch(descriptor, former) }
    }

    private func reportTarget(_ event: Event, _ found: Found) {
        let (watch, path) = target.withLock { $0 }
        guard event.watch == watch, event.name == FileSystem.lastName(of: path), isWritten(event, path) else { return }
        found(path, FollowedGIF.problem(of: path, limits))
    }

    /// The path in a line, which may be a `file:` URL and may end as in Windows.
    private func name(_ line: ArraySlice<UInt8>) -> String {
        let name = String(path: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        return name.hasPrefix("file:") ? Argument(name).paths.first ?? name : name
    }

    private func reportLines(_ found: @escaping Found) {
        func opened() -> Int32 {
            // With a writer of its own, a named pipe has no end.
            path == "-" ? STDIN_FILENO : open(path.systemPath, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        }
        var (pipe, buffer, text) = (opened(), [UInt8](repeating: 0, count: 1 << 14), [UInt8]())
        while true {
            var states = [pipe, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&states, 2, -1) >= 0 else { continue }
            let events = states[1].revents == 0 ? [] : nextEvents() ?? []
            for event in events {
                reportTarget(event, found)
                guard isOwn(event) else { continue }
                if isEnd(event) { reportEnd(found) }
                guard event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 else { continue }
                close(pipe)
                if reportSuccessor(found) { return }
                pipe = opened()
            }
            guard states[0].revents != 0 else { continue }
            let count = read(pipe, &buffer, buffer.count)
            guard count > 0 || count < 0 && [EAGAIN, EINTR].contains(errno) else { break }
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
