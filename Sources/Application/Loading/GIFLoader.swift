import Base
import Catalog
import Fetching
import GIFDecode
import Pixels

/// Gives access to the services and downloads, as configured by ``LoaderSettings``. Opens nothing until it is first
/// used.
public final class GIFLoader: Sendable {
    public let settings: LoaderSettings
    public let client: CurlHTTPClient
    let session = SessionMediaStore()
    private let openedCache = Monitor<MediaCache??>(nil)
    private let latest = Monitor<Download?>(nil)
    /// The media hosts that failed recently.
    public let mediaHosts = MediaHosts()
    private let firstCachingFailure = Monitor<FetchError?>(nil)

    /// The first failure to cache a fetched GIF on disk; nil if there was none. It does not affect playback.
    public var cachingFailure: FetchError? { firstCachingFailure.withLock { $0 } }

    /// Records the failure to cache this download, if there was one. Call it after the download has ended.
    public func recordCachingFailure(of download: Download?) {
        // A GIF larger than the whole cache is never cached; that is not a failure.
        guard case .cache(let call, let code) = download?.storeFailure else { return }
        firstCachingFailure.withLock { $0 = $0 ?? .cache(call: call, errno: code) }
    }

    /// The download that began last, for progress reports.
    public var latestDownload: Download? { latest.withLock { $0 } }

    let sharedFetches: SharedFetches
    /// The notices that are reported to the user once.
    public let notices: Notices

    public init(_ settings: LoaderSettings) {
        let notices = Notices()
        self.notices = notices
        self.settings = settings.reporting(to: notices)
        client = CurlHTTPClient(self.settings.fetch)
        sharedFetches = SharedFetches(
            linger: { [clock = settings.fetch.clock] in try? await clock.wait(milliseconds: 1_000) })
    }

    /// The clock for all timed waits.
    public var clock: any WaitClock { settings.fetch.clock }

    /// The log of the services' last failures.
    public var failures: FailureLog { FailureLog(cacheDirectory: settings.cacheDirectory) }

    /// The media cache; nil if it has no directory or cannot be opened. GIFs are then stored in memory only.
    public var cache: MediaCache? {
        openedCache.withLock { opened in
            if let known = opened { return known }
            let cache = settings.cacheDirectory.flatMap {
                try? MediaCache(directory: $0, limit: settings.cacheBytes)
            }
            opened = .some(cache)
            return cache
        }
    }

    /// Ends every request and deletes incomplete cache files. Call it before the process exits: no thread may be inside
    /// the transport's libraries while they are shut down, and the next start then has no files to clean up.
    public func close() {
        client.close()
        let cache = openedCache.withLock { opened in
            defer { opened = .some(nil) }
            return opened ?? nil
        }
        cache?.end()
    }

    /// Returns the repository for listings: the selected source, or all sources in order. Offline, returns the local
    /// GIFs only.
    public func repository() throws(CommandError) -> any GIFRepository {
        let builtIn = OfflineRepository(loader: self)
        if let source = settings.source, settings.isOffline, source != builtIn.name {
            throw CommandError("\(source) cannot be queried while --offline or GIFPLAY_OFFLINE is set")
        }
        do throws(CatalogError) {
            if let source = settings.source {
                return try GIFSources.single(source, settings: settings.catalog, client: client, last: builtIn)
            }
            if settings.isOffline { return builtIn }
            var catalog = settings.catalog
            catalog.recentFailures = failures.recent
            return try GIFSources.chain(settings: catalog, client: client, last: builtIn)
        } catch {
            var isUsage = false
            if case .unknownSource = error { isUsage = true }
            throw CommandError(ErrorMessages.describe(error), status: isUsage ? .usage : .failure)
        }
    }

    // MARK: - Bytes

    /// Starts the download of an `address` item. Local items need no download. Throws for a `reference` item.
    /// - Parameter needsAllBytes: whether to wait for all bytes of the download.
    public func fetch(_ item: PlayItem, needsAllBytes: Bool) async throws(CommandError) -> FetchedItem {
        switch item {
        case .file, .standardInput, .sample: return FetchedItem(item: item, content: .local)
        case .address(let url):
            let store = Self.mayBeCached(url) ? cache : nil
            var content = try await content(url, store ?? session, name: item.name, mayBeLocal: true)
            if needsAllBytes { content = try await waitForEnd(of: content, name: item.name) }
            return FetchedItem(item: item, content: content)
        // `MediaAttempt` tries the files of a reference one by one.
        case .reference(let reference): throw noFileError(of: reference)
        }
    }

    func store(for reference: GIFReference) -> any MediaStore {
        (reference.cachePolicy == .persistent ? cache : nil) ?? session
    }

    /// Returns the URLs of a GIF's files, in the order in which to try them.
    static func fileURLs(
        of reference: GIFReference, _ choice: RenditionChoice
    ) -> [(url: String, mayBeStill: Bool)] {
        choice.ordered(reference.renditions).flatMap { rendition in
            ([rendition.url] + rendition.alternatives).map { ($0, rendition.mayBeStill) }
        }
    }

    /// Returns the error for a GIF without a file to try.
    func noFileError(of reference: GIFReference) -> CommandError {
        let name = PlayItem(reference).name
        // Some services allow the use of file addresses during one run only. The library does not store such addresses.
        guard !reference.renditions.isEmpty else {
            return CommandError("\(name): only its title and link are stored", mediaFailure: .noAddress)
        }
        let limit = ByteSize.limit(settings.maximumBytes)
        return CommandError("\(name): all its files are larger than \(limit)", mediaFailure: .tooLarge)
    }

    private static func fetchFailure(_ error: FetchError, of name: String) -> CommandError {
        CommandError("\(name): \(ErrorMessages.describe(error))", mediaFailure: .fetch(error))
    }

    /// Stores a GIF's credit in the media cache, so that the GIF is also credited offline.
    func cacheCredit(of reference: GIFReference, url: String) {
        let credit = CachedCredit(url: url, title: reference.title, attribution: reference.attribution)
        guard let cache, let writer = try? cache.writer(for: credit.key) else { return }
        try? credit.bytes.withUnsafeBytes { try writer.append($0) }
        try? writer.commit()
    }

    /// Whether a GIF's address may point to this machine or its network. This is permitted if the user configured a
    /// local endpoint for the service, or an endpoint with the same host as the address. Other addresses from services
    /// and documents must not point there.
    func mayBeLocal(_ url: String, of reference: GIFReference) -> Bool {
        let name = reference.provider.hasPrefix("r/") ? CommunitySettings.source : reference.provider
        guard let endpoint = settings.catalog.endpoints[name] else { return false }
        return ([endpoint.base] + (endpoint.others ?? [])).contains { client.mayBeLocal(url, base: $0) }
    }

    func content(
        _ url: String, _ store: any MediaStore, name: String, mayBeLocal: Bool, startRetries: Int? = nil,
        begun: @Sendable (Download) -> Void = { _ in }
    ) async throws(CommandError) -> FetchedItem.Content {
        if let bytes = store.read(url) { return .bytes(bytes) }
        guard !settings.isOffline else {
            throw CommandError(
                "\(name): not in the media cache, and gifplay is offline", mediaFailure: .notCached)
        }
        var request = Download.Request(
            url: url, headers: ["Accept": "image/gif,*/*"], limit: settings.maximumBytes, store: store,
            mayBeLocal: mayBeLocal)
        request.startRetries = startRetries
        let download = client.download(request)
        begun(download)
        latest.withLock { $0 = download }
        let state = await withTaskCancellationHandler {
            await download.waitForStart()
        } onCancel: {
            download.cancel()
        }
        if case .failed(let error) = state, download.progress.received == 0 || !error.leavesBytes {
            mediaHosts.recordFailure(error, of: url)
            throw Self.fetchFailure(error, of: name)
        }
        return .download(download)
    }

    /// Waits for the end of a download and returns all its bytes.
    func waitForEnd(of content: FetchedItem.Content, name: String) async throws(CommandError) -> FetchedItem.Content {
        guard case .download(let download) = content else { return content }
        let state = await withTaskCancellationHandler {
            await download.waitForEnd()
        } onCancel: {
            download.cancel()
        }
        recordCachingFailure(of: download)
        if case .failed(let error) = state { throw Self.fetchFailure(error, of: name) }
        return .bytes(download.source.receivedBytes)
    }

    static func isAnimated(_ content: FetchedItem.Content) -> Bool {
        guard case .bytes(let bytes) = content else { return true }
        let reader = GIFReader(MemoryByteSource(bytes))
        let frame = IndexedFrame()
        do throws(GIFError) {
            guard try reader.next(into: frame) else { return false }
            return try reader.next(into: frame)
        } catch {
            return false
        }
    }

    /// Whether a GIF from this address may be cached on disk. GIPHY forbids copies that outlive the session, even if
    /// the user typed the address.
    private static func mayBeCached(_ url: String) -> Bool {
        let host = AddressName.host(url)
        return host != "giphy.com" && !host.hasSuffix(".giphy.com")
    }
}

extension FetchError {
    /// Whether the bytes received before the error are the start of a GIF and can be displayed.
    fileprivate var leavesBytes: Bool {
        switch self {
        case .transport, .cut, .changed: true
        case .status, .notGIF, .empty, .cache, .unsafeCacheDirectory, .tooLargeForCache: false
        }
    }
}

/// The parts of a URL that may be displayed. The user name and the query are excluded, because they can contain keys.
public enum AddressName {
    public static func host(_ url: String) -> String {
        let authority = authority(url)
        return authority.prefix { $0 != ":" }.lowercased()
    }

    /// Returns the URL in the form `https://host/path`.
    public static func displayText(_ url: String) -> String {
        let scheme = url.prefix { $0 != ":" }
        return "\(scheme)://\(authority(url))\(path(url))"
    }

    /// Returns the last part of the path, or the host if the path is empty.
    public static func title(_ url: String) -> String {
        path(url).split(separator: "/").last.map(String.init) ?? host(url)
    }

    private static func withoutScheme(_ url: String) -> Substring {
        url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    }

    /// Returns the host and the port.
    static func authority(_ url: String) -> String {
        let authority = withoutScheme(url).prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@").last ?? authority)
    }

    private static func path(_ url: String) -> Substring {
        withoutScheme(url).drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
    }
}
