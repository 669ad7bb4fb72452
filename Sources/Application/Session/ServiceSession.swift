import Base
import CTerminal
import Catalog
import Gallery
import Glibc
import Playback

/// Gives access to the services and the media cache, as configured by ``Settings``. Opens the client, the
/// cache and the reporter of uses only at their first use, so playing a local file opens neither.
public final class ServiceSession: Sendable {
    public let settings: Settings
    public let notices: Notices
    let running = RunningActions()
    /// Its log is a file beside the media cache.
    public let health: SourceHealth
    private let openedClient = Monitor<(client: CurlHTTPClient?, isClosed: Bool)>((nil, false))
    private let openedCache = Monitor<MediaCache??>(nil)
    private let openedReporter = Monitor<UseReporter?>(nil)
    private let firstCachingFailure = Monitor<Failure?>(nil)

    public init(_ settings: Settings) {
        let notices = Notices()
        self.notices = notices
        self.settings = settings.reporting(to: notices).storingIndices()
        let log = FailureLog(cacheDirectory: settings.cacheDirectory)
        health = SourceHealth(lastRun: { log.recent }, log: log.record)
    }

    public var client: CurlHTTPClient {
        openedClient.withLock { opened in
            if let client = opened.client { return client }
            let client = CurlHTTPClient(settings.fetch)
            // A task that is still running after close() must not start the transport again.
            if opened.isClosed { client.close() }
            opened.client = client
            return client
        }
    }

    public var failures: FailureLog { FailureLog(cacheDirectory: settings.cacheDirectory) }

    /// The media cache; nil if it has no directory or cannot be opened. Without it, GIFs are stored in memory only.
    public var cache: MediaCache? {
        openedCache.withLock { opened in
            if let known = opened { return known }
            var cache: MediaCache?
            do throws(Failure) {
                guard let directory = settings.cacheDirectory else { return nil }
                cache = try MediaCache(directory: directory, limit: settings.cacheBytes)
            } catch {
                // A folder such as /dev/null/cache turns the cache off.
                if error.systemCode == ENOTDIR { return nil }
                firstCachingFailure.withLock { $0 = $0 ?? error }
            }
            opened = .some(cache)
            return cache
        }
    }

    /// The first failure to cache a fetched GIF on disk; nil if there was none. The GIF plays nevertheless.
    public var cachingFailure: Failure? { firstCachingFailure.withLock { $0 } }

    /// Call this after the download has ended.
    public func recordCachingFailure(of download: Download?) {
        // A GIF larger than the whole cache is never cached; that is not a failure.
        guard let failure = download?.storeFailure, failure.systemCode != nil else { return }
        firstCachingFailure.withLock { $0 = $0 ?? failure }
    }

    /// Reports a use of a GIF to its service, unless gifplay is offline. Returns immediately.
    public func reportUse(_ use: GIFUse, of reference: GIFReference) {
        guard settings.catalog.reportsUse, !settings.isOffline, reference.useReports[use] != nil else { return }
        let reporter = openedReporter.withLock { opened in
            let reporter = opened ?? UseReporter(settings: settings.catalog)
            opened = reporter
            return reporter
        }
        Task.detached { [client] in await reporter.report(use, of: reference, client: client) }
    }

    /// Ends every request and deletes incomplete cache files. Call this before the process exits; otherwise a transfer
    /// thread could use a library while the exit shuts that library down.
    public func close() {
        let client = openedClient.withLock { opened in
            opened.isClosed = true
            return opened.client
        }
        client?.close()
        let cache = openedCache.withLock { opened in
            defer { opened = .some(nil) }
            return opened ?? nil
        }
        cache?.end()
    }

    /// The selected source, or all sources in order. If gifplay is offline, only local GIFs.
    public func repository() throws(Failure) -> ServiceChain {
        let builtIn = SampleRepository(cached: { [self] in cachedReferences })
        if let source = settings.source, settings.isOffline, source != builtIn.name {
            throw Failure("\(source) cannot be queried while --offline or GIFPLAY_OFFLINE is set")
        }
        if !settings.isOffline { try DescriptorLimit.check(for: "the services") }
        if settings.isOffline || settings.source == builtIn.name { return chain([builtIn]) }
        guard let source = settings.source else {
            return chain(try GIFSources.repositories(settings: settings.catalog, client: client, last: builtIn))
        }
        return chain([try GIFSources.repository(named: source, settings: settings.catalog, client: client)])
    }

    private func chain(_ repositories: [any GIFRepository]) -> ServiceChain {
        ServiceChain(
            repositories.map { .init($0, isOnline: $0.name != SampleRepository.name) }, health: health)
    }
}

public enum DescriptorLimit {
    /// The number of files that services, tasks and a database need at the same time.
    private static let required = 24

    /// Throws if too few files can be opened, or if no thread for tasks can be created.
    public static func check(for subject: String) throws(Failure) {
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        while copies.count < required {
            let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                throw Failure(
                    "\(subject): only \(copies.count) more files can be opened, and \(required) are needed; raise the "
                        + "limit, for example with 'ulimit -n 256'")
            }
            copies.append(copy)
        }
        guard gifplay_start_task_threads() else { throw Failure("\(subject): \(DetachedThread.failure)") }
    }
}

extension ServiceSession {
    /// The GIFs of the media cache that have a credit entry.
    public var cachedReferences: [GIFReference] {
        // A search creates nothing.
        guard let directory = settings.cacheDirectory, FileIdentity(path: directory) != nil, let cache else {
            return []
        }
        return cache.contents(beginning: CachedCredit.start).compactMap { CachedCredit($0)?.reference }
    }
}

/// The credit of a cached GIF, stored as a separate entry of the media cache.
struct CachedCredit {
    var url: String
    var title: String
    var attribution: String
    /// As ``GIFReference/credit``.
    var credit: String
    /// Empty if there is none.
    var page: String

    static let start = Array("gifplay credit 1\n".utf8)
}

extension CachedCredit {
    /// Returns nil unless the entry has five lines after ``start``, or three as in version 1.0.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes.dropFirst(Self.start.count), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard [3, 5].contains(lines.count) else { return nil }
        let former = lines.count == 3 ? Self.parts(of: lines[2], title: lines[1]) : (lines[3], lines[4])
        self.init(url: lines[0], title: lines[1], attribution: lines[2], credit: former.0, page: former.1)
    }

    /// The credit and the page in an attribution such as `Title — Author (Licence) · https://…`, as version 1.0 stored it.
    private static func parts(of attribution: String, title: String) -> (credit: String, page: String) {
        let page = attribution.firstRange(of: " · http")?.lowerBound ?? attribution.endIndex
        var credit = attribution[..<page]
        if credit.hasPrefix(title) { credit = credit.dropFirst(title.count).drop { " —·".contains($0) } }
        return (String(credit), String(attribution[page...].dropFirst(3)))
    }

    var key: String { "credit:" + url }

    /// The fields are separated by line breaks, which texts from the services never contain.
    var bytes: [UInt8] { Self.start + Array([url, title, attribution, credit, page].joined(separator: "\n").utf8) }

    var reference: GIFReference {
        var reference = GIFReference(
            provider: GIFReference.cacheProvider, id: url, title: title, pageURL: page.isEmpty ? nil : page,
            attribution: attribution, renditions: [Rendition(url: url)], cachePolicy: .persistent)
        reference.ownCredit = credit
        return reference
    }
}

extension Settings {
    /// Returns a copy that posts a notice if a service refuses a key and, if the user configured no contact, if
    /// Wikimedia answers with status 429 (too many requests).
    func reporting(to notices: Notices) -> Settings {
        var settings = self
        settings.catalog.onFailure = { failure in
            switch failure.kind {
            case .keyRefused(let variable): notices.post(.keyRefused(variable: variable))
            case .unreachable: notices.post(.noConnection)
            default: break
            }
        }
        guard contact == nil else { return settings }
        let mirror = catalog.endpoints["commons"].map { WebAddress.host($0.base) }
        settings.fetch.onTooManyRequests = { host in
            if host == mirror || Wikimedia.isHost(host) { notices.post(.contactRequired) }
        }
        return settings
    }

    /// Stores the index of a service in a file beside the media cache, which is used for a week.
    func storingIndices() -> Settings {
        guard let directory = cacheDirectory.map(FileSystem.parent) else { return self }
        var settings = self
        settings.catalog.storedIndex = { name in
            let path = "\(directory)/\(name).json"
            guard let status = try? FileSystem.status(path), FileSystem.irregularKind(status.st_mode) == nil,
                (0..<604_800).contains(time(nil) - status.st_mtim.tv_sec)
            else { return nil }
            return try? FileSystem.read(path, limit: 4 << 20, waits: false)
        }
        settings.catalog.storeIndex = { name, bytes in
            // The index is loaded again if it cannot be stored.
            try? FileSystem.makeDirectory(directory)
            try? FileSystem.writeOutput(bytes, to: "\(directory)/\(name).json", isSynchronized: false)
        }
        return settings
    }
}

extension CatalogSettings {
    /// The services in the configured order, then the services that the configuration does not name.
    public var profilesInOrder: [ServiceProfile] {
        let profiles = GIFSources.profiles
        guard let order else { return profiles }
        let named = order.compactMap { name in profiles.first { $0.name == name } }
        return named + profiles.filter { !order.contains($0.name) }
    }
}

/// Notices about the services. Each is reported to the user once, on the status line if there is one.
public final class Notices: Sendable {
    public enum Notice: Hashable, Sendable {
        /// A service did not accept the key in this environment variable.
        case keyRefused(variable: String)
        /// Wikimedia or the endpoint of Commons answered with status 429, and the user configured no contact.
        case contactRequired
        /// A service cannot be reached. Only the listener gets this notice, which can occur several times.
        case noConnection
    }

    private struct State: Sendable {
        var known: Set<Notice> = []
        var displayed = TimedNotes<Notice>(for: 5 * Span.second)
        var listener: (@Sendable (Notice) -> Void)?
    }

    private let state = Monitor(State())

    init() {}

    func post(_ notice: Notice) {
        let listener = state.withLock { state -> (@Sendable (Notice) -> Void)? in
            guard notice != .noConnection else { return state.listener }
            guard state.known.insert(notice).inserted else { return nil }
            if state.listener == nil { state.displayed.add(notice) }
            return state.listener
        }
        listener?(notice)
    }

    /// Returns the notice for the status line; nil if there is none.
    public func current(at now: Instant) -> Notice? {
        state.withLock { state in
            state.displayed.update(at: now)
            return state.displayed.note
        }
    }

    /// Returns and removes the notices that were not displayed on a status line.
    public func takeUndisplayed() -> [Notice] { state.withLock { $0.displayed.takePending() } }

    /// Calls `listener` with the waiting notices, then with each new one.
    public func listen(_ listener: @escaping @Sendable (Notice) -> Void) {
        let waiting = state.withLock { state in
            state.listener = listener
            return state.displayed.takePending()
        }
        for notice in waiting { listener(notice) }
    }
}
