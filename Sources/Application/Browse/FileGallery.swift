import Base
import Catalog
import Gallery
import Glibc
import Pixels

/// Provides the files that the user named to the gallery: their names, page by page, and the bytes of visible files.
final class FileGallery: ListingSource, MediaSource {
    /// The first page is small, because each tile of the listing is laid out before the first picture. Each further page
    /// has ten times as many files as all before, so that the last of many thousand files is not many pages away.
    private static let (firstPageSize, growth) = (100, 10)
    /// In bytes. As for downloads, because a visible file is in memory as a whole.
    private static let maximumSize = 64 << 20

    private let names: [String]
    private let isRecursive: Bool
    private let order: Monitor<FileOrder?>
    /// The contents of pipes, which can be read only once.
    private let pipes = Monitor<[String: [UInt8]]>([:])
    /// Nil if the folders must be read again.
    private let knownPaths: Monitor<[String]?>
    /// The number of files that the pages of each filter contain. A refresh lists them again in its first page.
    private let listedCounts = Monitor<[String: Int]>([:])
    /// Loads the links and files that the user enters or drops; nil before the gallery opens.
    let links = Monitor<(listings: ServiceListings, media: ServiceMedia)?>(nil)
    /// The errors of the files and folders that cannot be shown.
    let errors: [Failure]

    /// - Parameters:
    ///   - names: files and folders.
    ///   - earlier: errors that precede those of `names`.
    /// - Throws: if there is nothing to show.
    init(
        _ names: [String], isRecursive: Bool = false, order: FileOrder? = nil, errors earlier: [Failure] = []
    ) throws(Failure) {
        (self.names, self.isRecursive, self.order) = (FileOrder.arrange(names), isRecursive, Monitor(order))
        let (paths, others) = Self.find(self.names, isRecursive, order)
        errors = earlier + others
        if paths.isEmpty {
            for error in errors.dropLast() { printError(error.message) }
            throw errors.last ?? Failure.reported
        }
        knownPaths = Monitor(paths)
    }

    /// The name of the first folder, and the number of the others.
    var title: String {
        let path = names.first.map { FileSystem.realPath($0) ?? $0 } ?? ""
        let last = SafeText.sentence(FileSystem.lastName(of: path))
        return names.count > 1 ? "\(last) +\(names.count - 1)" : last
    }

    /// In the order of the gallery.
    var paths: [String] {
        knownPaths.withLock { known in
            let paths = known ?? Self.find(names, isRecursive, order.withLock { $0 }).paths
            known = paths
            return paths
        }
    }

    private static func find(
        _ names: [String], _ isRecursive: Bool, _ order: FileOrder?
    ) -> (paths: [String], errors: [Failure]) {
        var errors: [Failure] = []
        let paths = names.flatMap { LocalFiles.paths(at: $0, isRecursive: isRecursive, errors: &errors) }
        return (order?.sorted(paths) ?? paths, errors)
    }

    // MARK: - ListingSource

    func page(of feed: Feed, after page: PageToken?) async throws(Failure) -> ResultPage {
        guard case .files(let query) = feed else { throw .notOffered }
        if feed.isLink, let links = links.withLock({ $0 }) {
            return try await links.listings.page(of: .search(query: query), after: page)
        }
        let start = page?.parameters["start"].flatMap { Int(outside: $0, in: 0...Int.outsideRange.upperBound) } ?? 0
        return try await DetachedThread.run { [self] () throws(Failure) in try listed(query, from: start) }
    }

    private func listed(_ query: String, from start: Int) throws(Failure) -> ResultPage {
        let paths = paths
        if paths.isEmpty, let name = names.first(where: { access($0.systemPath, R_OK) != 0 }) {
            throw Failure("\(name): \(Failure.systemMessage(errno))")
        }
        let matches = Self.filter(paths, query)
        let first = max(Self.firstPageSize, listedCounts.withLock { $0[query] ?? 0 })
        let end = start == 0 ? first : start + min(start, matches.count) * Self.growth
        listedCounts.withLock { $0[query] = end }
        var folders: [String: String] = [:]
        let items = matches.prefix(end).dropFirst(start).map { path in
            let parent = FileSystem.parent(of: path)
            if folders[parent] == nil { folders[parent] = FileSystem.realPath(parent) }
            return Self.reference(path, in: folders[parent])
        }
        let next = PageToken(source: GIFReference.fileProvider, parameters: ["start": "\(end)"])
        return ResultPage(items: items, next: end < matches.count ? next : nil, total: matches.count)
    }

    /// Returns the files whose names contain all terms of the query, in upper or lower case.
    static func filter(_ paths: [String], _ query: String) -> [String] {
        let terms = query.lowercased().split(separator: " ").map(String.init)
        guard !terms.isEmpty else { return paths }
        return paths.filter { path in
            let name = FileSystem.lastName(of: path).lowercased()
            return terms.allSatisfy { name.contains($0) }
        }
    }

    /// - Parameter folder: the resolved folder of the file; nil if it cannot be resolved.
    static func reference(_ path: String, in folder: String?) -> GIFReference {
        .file(folder.map { Self.path(of: path, in: $0) } ?? path)
    }

    /// Only the folder is resolved, because the file can be a link to a file of another name.
    private static func path(of file: String, in folder: String) -> String {
        (folder == "/" ? "" : folder) + "/" + FileSystem.lastName(of: file)
    }

    func endCooldowns() async { knownPaths.withLock { $0 = nil } }

    /// The folders are read again, because other programs might have changed the files.
    func sort(by order: FileOrder) {
        self.order.withLock { $0 = order }
        knownPaths.withLock { $0 = nil }
        listedCounts.withLock { $0 = [:] }
    }

    func suggestions(for prefix: String) async -> [String] { [] }

    // MARK: - MediaSource

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) async throws(Failure) -> [UInt8] {
        guard let path = reference.path else {
            guard let links = links.withLock({ $0 }) else { throw .noAddress }
            return try await links.media.bytes(of: reference, filling: size, isOriginal: isOriginal, arrived: arrived)
        }
        return try await DetachedThread.run { [self] () throws(Failure) in try read(path) }
    }

    private func read(_ path: String) throws(Failure) -> [UInt8] {
        guard FileIdentity(path: path)?.isRegular == false else { return try Self.read(path) }
        return try pipes.withLock { pipes throws(Failure) in
            if let bytes = pipes[path] { return bytes }
            let bytes = try Self.read(path, isPipe: true)
            pipes[path] = bytes
            return bytes
        }
    }

    static func bytes(at path: String) async throws(Failure) -> [UInt8] {
        try await DetachedThread.run { () throws(Failure) in try read(path) }
    }

    /// Waits for the bytes of the writers that a pipe has, but not for a writer.
    private static func readPipe(_ path: String) throws(Failure) -> [UInt8] {
        let pipe = open(path.systemPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard pipe >= 0 else { throw Failure.system("open") }
        defer { close(pipe) }
        _ = fcntl(pipe, F_SETFL, 0)
        return try FileSystem.read(pipe, limit: maximumSize)
    }

    private static func read(_ path: String, isPipe: Bool = false) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try isPipe ? readPipe(path) : FileSystem.read(path, limit: maximumSize, waits: false)
        } catch {
            throw .unreadable(error)
        }
        guard bytes.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
        guard bytes.starts(with: "GIF".utf8) else { throw .notGIF(FileKind(start: bytes), host: "") }
        return bytes
    }
}
