import Base
import Catalog
import Fetching
import GIFDecode
import Pixels

/// Access to the services and downloads, configured by ``OnlineSettings``. Opens nothing until it is first used.
public final class Online: Sendable {
    public let settings: OnlineSettings
    public let client: CurlHTTPClient
    let session = SessionMediaStore()
    private let opened = Monitor<MediaCache??>(nil)
    private let latest = Monitor<Download?>(nil)
    /// The media hosts that failed recently.
    public let mediaHosts = MediaHosts()
    private let unkept = Monitor<FetchError?>(nil)

    /// The first failure to cache a fetched GIF on disk; nil if there was none. It does not affect playback.
    public var keepingFailure: FetchError? { unkept.withLock { $0 } }

    /// Records the failure if an ended download could not be cached.
    public func noteKeeping(of download: Download?) {
        // A GIF larger than the whole cache is never cached; that is not a failure.
        guard case .cache(let call, let code) = download?.storeFailure else { return }
        unkept.withLock { $0 = $0 ?? .cache(call: call, errno: code) }
    }

    /// The download that began last, for progress reports.
    public var latestDownload: Download? { latest.withLock { $0 } }

    let shared: SharedFetches
    /// The notices that are reported to the user once.
    public let notices: Notices

    public init(_ settings: OnlineSettings) {
        let notices = Notices()
        self.notices = notices
        self.settings = settings.reporting(to: notices)
        client = CurlHTTPClient(self.settings.fetch)
        shared = SharedFetches(linger: { [clock = settings.fetch.clock] in try? await clock.wait(milliseconds: 1_000) })
    }

    /// The clock for all timed waits.
    public var clock: any WaitClock { settings.fetch.clock }

    /// The log of the services' last failures.
    public var failures: FailureLog { FailureLog(cacheDirectory: settings.cacheDirectory) }

    /// The media cache; nil if it has no directory or cannot be opened. GIFs are then stored in memory only.
    public var cache: MediaCache? {
        opened.withLock { opened in
            if let known = opened { return known }
            let cache = settings.cacheDirectory.flatMap {
                try? MediaCache(directory: $0, limit: settings.cacheBytes)
            }
            opened = .some(cache)
            return cache
        }
    }

    /// Ends every request and deletes incomplete cache files. Call it before the process exits, so that no thread is
    /// inside the transport's libraries while they are shut down, and the next start has nothing to clean up.
    public func close() {
        client.close()
        let cache = opened.withLock { opened in
            defer { opened = .some(nil) }
            return opened ?? nil
        }
        cache?.end()
    }

    /// Returns the repository for listings: the selected source, or all sources in order; offline, only local GIFs.
    public func repository() throws(Complaint) -> any GIFRepository {
        let carried = OfflineRepository(online: self)
        if let source = settings.source, settings.isOffline, source != carried.name {
            throw Complaint("\(source) cannot be asked: --offline or GIFPLAY_OFFLINE allows no service")
        }
        do throws(CatalogError) {
            if let source = settings.source {
                return try GIFSources.single(source, settings: settings.catalog, client: client, last: carried)
            }
            if settings.isOffline { return carried }
            var catalog = settings.catalog
            catalog.failedLately = failures.recent
            return try GIFSources.chain(settings: catalog, client: client, last: carried)
        } catch {
            var isUsage = false
            if case .unknownSource = error { isUsage = true }
            throw Complaint(Sentences.describe(error), exit: isUsage ? .usage : .failure)
        }
    }

    // MARK: - Bytes

    /// Starts the download of an address; a local item needs none. Throws for a reference.
    /// - Parameter isWhole: whether to wait for all bytes of the download.
    public func fetch(_ item: PlayItem, isWhole: Bool) async throws(Complaint) -> Fetched {
        switch item {
        case .file, .standardInput, .sample: return Fetched(item: item, content: .local)
        case .address(let url):
            let store = Self.mayBeKept(url) ? cache : nil
            var content = try await content(url, store ?? session, name: item.name, isUsersOwn: true)
            if isWhole { content = try await settled(content, name: item.name) }
            return Fetched(item: item, content: content)
        // `MediaAttempt` tries the files of a reference one by one.
        case .reference(let reference): throw noFile(of: reference)
        }
    }

    func store(for reference: GIFReference) -> any MediaStore {
        (reference.cachePolicy == .persistent ? cache : nil) ?? session
    }

    /// Returns the URLs of a GIF's files, in the order in which to try them.
    static func places(
        of reference: GIFReference, _ choice: RenditionChoice
    ) -> [(url: String, mayBeStill: Bool)] {
        choice.ordered(reference.renditions).flatMap { rendition in
            ([rendition.url] + rendition.alternatives).map { ($0, rendition.mayBeStill) }
        }
    }

    /// Returns the error for a GIF without a file to try.
    func noFile(of reference: GIFReference) -> Complaint {
        let name = PlayItem(reference).name
        // The library stores no file addresses of services that allow using them during one run only.
        if reference.renditions.isEmpty { return Complaint("only its title and link are kept: \(name)") }
        return Complaint("\(name): every file of it is over \(ByteSize.limit(settings.maximumBytes))")
    }

    /// Stores a GIF's credit in the media cache, so that the GIF is also credited offline.
    func keepCredit(of reference: GIFReference, url: String) {
        let credit = KeptCredit(url: url, title: reference.title, attribution: reference.attribution)
        guard let cache, let writer = try? cache.writer(for: credit.key) else { return }
        try? credit.bytes.withUnsafeBytes { try writer.append($0) }
        try? writer.commit()
    }

    /// Whether a GIF's address may point to this machine or its network. It may if the user configured a local endpoint
    /// for the service, or one with the same host. Other addresses from services and documents may not.
    func isOwn(_ url: String, of reference: GIFReference) -> Bool {
        let name = reference.provider.hasPrefix("r/") ? CommunitySettings.source : reference.provider
        guard let endpoint = settings.catalog.endpoints[name] else { return false }
        return ([endpoint.base] + (endpoint.others ?? [])).contains { client.isOwn(url, beside: $0) }
    }

    func content(
        _ url: String, _ store: any MediaStore, name: String, isUsersOwn: Bool, startRetries: Int? = nil,
        begun: @Sendable (Download) -> Void = { _ in }
    ) async throws(Complaint) -> Fetched.Content {
        if let bytes = store.read(url) { return .bytes(bytes) }
        guard !settings.isOffline else {
            throw Complaint("\(name): not in the media cache, and --offline allows no more")
        }
        var request = Download.Request(
            url: url, headers: ["Accept": "image/gif,*/*"], limit: settings.maximumBytes, store: store,
            isUsersOwn: isUsersOwn)
        request.startRetries = startRetries
        let download = client.download(request)
        begun(download)
        latest.withLock { $0 = download }
        let state = await withTaskCancellationHandler {
            await download.begun()
        } onCancel: {
            download.cancel()
        }
        if case .failed(let error) = state, download.progress.received == 0 || !error.leavesBytes {
            mediaHosts.note(error, of: url)
            throw Complaint("\(name): \(Sentences.describe(error))")
        }
        return .download(download)
    }

    /// Waits for the end of a download and returns all its bytes.
    func settled(_ content: Fetched.Content, name: String) async throws(Complaint) -> Fetched.Content {
        guard case .download(let download) = content else { return content }
        let state = await withTaskCancellationHandler {
            await download.end()
        } onCancel: {
            download.cancel()
        }
        noteKeeping(of: download)
        if case .failed(let error) = state { throw Complaint("\(name): \(Sentences.describe(error))") }
        return .bytes(download.source.arrived)
    }

    static func isAnimated(_ content: Fetched.Content) -> Bool {
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

    /// GIPHY forbids copies that outlive the session, also of an address that the user typed.
    private static func mayBeKept(_ url: String) -> Bool {
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

/// The parts of a URL that may be displayed. They exclude user and query, which can contain keys.
public enum AddressName {
    public static func host(_ url: String) -> String {
        let authority = authority(url)
        return authority.prefix { $0 != ":" }.lowercased()
    }

    /// The URL as `https://host/path`.
    public static func shown(_ url: String) -> String {
        let scheme = url.prefix { $0 != ":" }
        return "\(scheme)://\(authority(url))\(path(url))"
    }

    /// The last part of the path, or the host.
    public static func title(_ url: String) -> String {
        path(url).split(separator: "/").last.map(String.init) ?? host(url)
    }

    private static func rest(_ url: String) -> Substring {
        url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    }

    /// Host and port.
    static func authority(_ url: String) -> String {
        let authority = rest(url).prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@").last ?? authority)
    }

    private static func path(_ url: String) -> Substring {
        rest(url).drop { !"/?#".contains($0) }.prefix { !"?#".contains($0) }
    }
}
