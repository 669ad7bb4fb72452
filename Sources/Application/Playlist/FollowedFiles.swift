import Base
import CTerminal
import Catalog
import Glibc
import Pixels
import Playback

/// Supplies the GIFs that other programs write: the newest one of a folder, the file itself, or the one that the last
/// line of a list or of a named pipe says. A thread waits for the kernel's reports, so that waiting costs nothing.
struct FollowedFiles: ItemFeed {
    let waitsForItems = true
    private let path: String
    /// The newest GIF that was not shown yet.
    private let paths: AsyncStream<String>
    private let latestProblem = Monitor<(failure: Failure, path: String, isOfFile: Bool)?>(nil)
    private let hasEnded = Monitor(false)

    init(_ path: String, limits: DecodeLimits) throws(Failure) {
        self.path = path
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        paths = stream
        let source = try FollowedPath(path, limits: limits)
        // A later failure could only end the process while the screen is set up.
        let isPossible = gifplay_start_task_threads()
        let isStarted = DetachedThread.start { [latestProblem, hasEnded] in
            source.report { path, problem in
                let isOfFile = access(path.systemPath, F_OK) == 0
                latestProblem.withLock { $0 = problem.map { ($0, path, isOfFile) } }
                if problem == nil { continuation.yield(path) }
            }
            hasEnded.withLock { $0 = true }
            continuation.finish()
        }
        guard isPossible, isStarted else { throw Failure("--follow \(path): \(DetachedThread.failure)") }
    }

    /// Nil when the file that it is about has been removed.
    var problem: Failure? {
        guard let (failure, path, isOfFile) = latestProblem.withLock({ $0 }) else { return nil }
        return isOfFile && access(path.systemPath, F_OK) != 0 ? nil : failure
    }

    func waitingText(in language: Language) -> String {
        let problem = problem
        if problem == nil, hasEnded.withLock({ $0 }) {
            return language(en: "standard input has ended", de: "die Standardeingabe ist zu Ende")
        }
        return language.line(problem ?? FollowedGIF.awaited(in: path))
    }

    func next() async throws(Failure) -> ResultPage {
        for await path in paths { return ResultPage(items: [.file(path)]) }
        throw Failure("--follow \(path): the list has no further GIF")
    }
}

/// A GIF that `--follow` has found.
enum FollowedGIF {
    /// Why a file cannot be shown; nil if its first frame can be decoded.
    /// - Parameter isClosed: whether its writer has closed it. Otherwise, it must have a trailer.
    static func problem(of path: String, isClosed: Bool = true, _ limits: DecodeLimits) -> Failure? {
        guard !Argument(path).isAddress else {
            return Failure(
                .other, "a followed list takes files only; --follow itself takes a URL",
                de: "eine Liste nimmt nur Dateien; --follow selbst nimmt eine Adresse"
            ).of(WebAddress.displayText(path))
        }
        return fileProblem(path, isClosed, limits)?.of(name(path))
    }

    private static func fileProblem(_ path: String, _ isClosed: Bool, _ limits: DecodeLimits) -> Failure? {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return .system("stat") }
        if let kind = FileSystem.irregularKind(status.st_mode) {
            return Failure(.other, "\(kind), not a GIF", de: "kein GIF")
        }
        guard isClosed || isComplete(path) else {
            return Failure(
                .nothingFound, "incomplete; waiting for the end of the file",
                de: "unvollständig; wartet auf das Ende der Datei")
        }
        do throws(GIFError) {
            let hasFrame = try FetchedItem(.file(path)).reader(limits: limits).next(into: IndexedFrame())
            return hasFrame ? nil : Failure(GIFError.noImage([]))
        } catch {
            return Failure(error)
        }
    }

    static func awaited(in path: String) -> Failure {
        Failure(.nothingFound, "waiting for a GIF in \(path)…", de: "wartet auf ein GIF in \(path) …")
    }

    /// The name of a file, so short that the reason after it stays visible.
    static func name(_ path: String) -> String {
        TerminalText.fittedTitle(SafeText.sentence(FileSystem.lastName(of: path)), to: 16)
    }

    /// Whether the blocks of a GIF are there up to its trailer. A file of another kind has no trailer to wait for.
    private static func isComplete(_ path: String) -> Bool {
        let file = open(path.systemPath, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var (walk, buffer) = (BlockWalk(), [UInt8](repeating: 0, count: 1 << 16))
        var isGIF = false
        while walk.length == nil, case let count = read(file, &buffer, buffer.count), count > 0 {
            isGIF = isGIF || "GIF".utf8.starts(with: buffer.prefix(min(3, count)))
            guard isGIF else { return true }
            buffer.withUnsafeBytes { walk.add(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
        return walk.length != nil
    }
}

/// Supplies the GIF of a URL again each time it has changed. Asks its server at a fixed interval.
final class FollowedAddress: ItemFeed {
    private struct State {
        /// The time of the next request, in milliseconds.
        var due = 0
        /// Waits until then.
        var timer: Task<Void, any Error>?
        /// The bytes of the latest answer.
        var latest: [UInt8]?
        /// The bytes of the GIF that was supplied last.
        var supplied: [UInt8]?
        var problem: Failure?
    }

    let waitsForItems = true
    private let url: String
    private let milliseconds: Int
    private let loader: GIFLoader
    private let state = Monitor(State())

    /// - Parameter interval: the time between two requests, in nanoseconds.
    init(_ url: String, every interval: Int64, loader: GIFLoader) {
        (self.url, self.loader) = (url, loader)
        milliseconds = Int(interval / Span.millisecond)
    }

    /// The URL in the argument of `--follow`; nil for a path.
    static func url(_ text: String) -> String? {
        if case .web(let url) = Argument(text).address { url } else { nil }
    }

    var problem: Failure? { state.withLock { $0.problem } }

    func waitingText(in language: Language) -> String {
        problem.map(language.line) ?? language(en: "loading…", de: "lädt …")
    }

    /// Also before the next wait begins, and during a request: another one then follows.
    func retryNow() {
        let timer = state.withLock { [now = loader.clock.milliseconds] state in
            state.due = min(state.due, now)
            return state.timer
        }
        timer?.cancel()
    }

    func next() async throws(Failure) -> ResultPage {
        let item = GIFReference.address(url)
        while true {
            await waitUntilDue()
            guard !Task.isCancelled else { throw .cancelled }
            state.withLock { $0.due = loader.clock.milliseconds + milliseconds }
            loader.reload(item)
            let request = Monitor<Download?>(nil)
            do throws(Failure) {
                let fetched = try await loader.fetch(
                    Rendition(url: url), of: item, needsAllBytes: true, startRetries: nil,
                    begun: { download in request.withLock { $0 = download } })
                if takes(fetched) { return ResultPage(items: [item]) }
            } catch {
                guard !Task.isCancelled else { throw .cancelled }
                var failure: Failure?
                if case .failed(let error)? = request.withLock({ $0 })?.progress.state { failure = error }
                note(error, waitSeconds: failure?.waitSeconds)
            }
        }
    }

    private func waitUntilDue() async {
        let timer = state.withLock { [clock = loader.clock] state in
            let timer = Task { [due = state.due] in
                if due > clock.milliseconds { try await clock.wait(milliseconds: due - clock.milliseconds) }
            }
            state.timer = timer
            return timer
        }
        await withTaskCancellationHandler {
            _ = await timer.result
        } onCancel: {
            timer.cancel()
        }
    }

    /// Notes why there is no new GIF, and the wait that the server asks for.
    private func note(_ problem: Failure?, waitSeconds: Int?) {
        state.withLock { state in
            state.problem = problem
            // The status line has no room for the URL.
            state.problem?.subject = nil
            guard let seconds = waitSeconds else { return }
            state.due = max(state.due, loader.clock.milliseconds + seconds * 1_000)
        }
    }

    /// Whether an answer replaces the picture: it is another GIF, and complete. A file that the server is still writing
    /// has no trailer; one that never gets its trailer is the same in the next answer. Without a picture, any GIF is taken.
    private func takes(_ fetched: FetchedItem) -> Bool {
        let (bytes, failure) = (fetched.bytes(limit: .max) ?? [], fetched.staleness?.reason)
        let isRepeated = failure == nil && state.withLock { $0.latest } == bytes
        let isComplete = isRepeated || BlockWalk(bytes).length != nil
        let incomplete = Failure(
            .nothingFound, "incomplete; waiting for the rest", de: "unvollständig; wartet auf den Rest")
        note(failure ?? (isComplete ? nil : incomplete), waitSeconds: failure?.waitSeconds)
        return state.withLock { state in
            state.latest = bytes
            guard state.supplied != bytes, isComplete || state.supplied == nil else { return false }
            state.supplied = bytes
            return true
        }
    }
}
