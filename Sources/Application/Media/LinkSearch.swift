import Base
import Catalog

/// Where the GIF of a typed link can be: where the table of ``LinkRule`` says, at the address itself, or in the page at
/// this address. ``GIFLoader`` fetches one target after the other, and reports what came instead of a GIF.
struct LinkSearch {
    struct Target {
        var url: String
        /// Why this address is tried: an element of the page, or "".
        var element = ""
        /// Whether it may be local: true if the user typed it; for others, if the link or page that contains it allows it.
        var mayBeLocal: Bool
    }

    /// Redirects are followed within a request. This is the limit for addresses of the table, the page and its pictures.
    private static let maximumTargets = 6

    /// As the user typed it.
    private let url: String
    let item: GIFReference
    /// Where the typed link led to, if that is another host.
    private var place: String?
    private var targets: [Target]
    /// The title of the page, or of the link itself; nil if neither has one.
    private var title: String?
    private var tried: Set<String> = []
    /// The page that was scanned.
    private var page: DownloadedPage?
    private var failures: [Failure] = []
    private var failure: Failure?

    init(_ url: String, of item: GIFReference) {
        (self.url, self.item) = (url, item)
        targets = [Target(url: url, mayBeLocal: true)]
    }

    /// Replaces the link by the targets of the table.
    /// - Parameter mayBeLocal: whether a target may be local, as the user typed the link.
    /// - Returns: the slug of a GIF that only KLIPY can describe; nil for other links.
    mutating func start(mayBeLocal: (String) -> Bool) throws(Failure) -> String? {
        guard let known = LinkRule.target(of: url) else { return nil }
        return try follow(known, mayBeLocal: mayBeLocal)
    }

    mutating func next() -> Target? {
        while !targets.isEmpty, tried.count < Self.maximumTargets {
            let target = targets.removeFirst()
            if tried.insert(target.url).inserted { return target }
        }
        return nil
    }

    func found(_ fetched: FetchedItem, at target: Target) -> FetchedItem {
        var fetched = fetched
        fetched.item = item.leading(to: target.url)
        let title = (target.url == url ? nil : title) ?? fetched.download?.fileName
        if let title { fetched.item.title = SafeText.line(title) }
        return fetched
    }

    /// Adds the targets that the answer of a target leads to.
    /// - Parameter download: nil if none has begun.
    /// - Returns: the slug of a GIF that only KLIPY can describe; nil for other targets.
    mutating func addTargets(
        after error: Failure, at target: Target, _ download: Download?
    ) throws(Failure) -> String? {
        guard let download else {
            // Offline, another target can be stored.
            notePlace(target.url)
            failure = failure ?? error
            return nil
        }
        let address = download.finalAddress ?? target.url
        if address.hasSuffix("/removed.png") { throw Failure("imgur has removed this GIF") }
        if target.element.isEmpty { notePlace(address) }
        if page == nil, address != target.url, tried.insert(address).inserted,
            let known = LinkRule.target(of: address)
        {
            let mayBeLocal = download.page?.mayLeadToLocal ?? false
            return try follow(known) { _ in mayBeLocal }
        }
        guard let page = download.page, self.page == nil else {
            failures.append(target.element.isEmpty ? error : error.of(target.element))
            failure = failure ?? error
            return nil
        }
        scan(page)
        return nil
    }

    /// The files of a GIF that KLIPY has described.
    mutating func replaceTargets(by item: GIFReference) {
        targets = item.renditions.map { Target(url: $0.url, mayBeLocal: false) }
    }

    private mutating func scan(_ page: DownloadedPage) {
        self.page = page
        let scan = PageScan(page.body, at: page.address)
        title = scan.title ?? title
        targets = []
        for candidate in scan.candidates {
            var urls = [candidate.url]
            switch LinkRule.target(of: candidate.url)?.target {
            case .files(let files)?: urls = files
            case .refusal(let reason)?:
                failures.append(Failure(reason))
                continue
            default: break
            }
            targets += urls.map { Target(url: $0, element: candidate.element, mayBeLocal: page.mayLeadToLocal) }
        }
    }

    /// Replaces the targets by those of the table.
    private mutating func follow(
        _ known: (target: LinkTarget, title: String?), mayBeLocal: (String) -> Bool
    ) throws(Failure) -> String? {
        title = known.title
        switch known.target {
        case .refusal(let reason): throw Failure(reason)
        case .page(let url): targets = [Target(url: url, mayBeLocal: mayBeLocal(url))]
        case .files(let urls): targets = urls.map { Target(url: $0, mayBeLocal: mayBeLocal($0)) }
        case .klipy(let slug): return slug
        }
        return nil
    }

    private mutating func notePlace(_ address: String) {
        if WebAddress.host(address) != WebAddress.host(url) { place = address }
    }

    /// The reason why the search has found no GIF.
    var error: Failure {
        let reason: Failure
        if let page {
            let elements = "looked at \(PageScan.elements)" + (page.isCut ? " in its first 512 KiB" : "")
            let unique = failures.enumerated().filter { failures.firstIndex(of: $1) == $0 }.map(\.element)
            let tried = unique.isEmpty ? elements : unique.map(\.message).joined(separator: "; ")
            reason = Failure(.other, "this page shows no GIF (\(tried))", de: "diese Seite zeigt kein GIF")
        } else {
            reason = failure ?? Failure("no GIF found")
        }
        guard let place else { return reason }
        return reason.of("\(item.name) (leads to \(SafeText.line(WebAddress.displayText(place))))")
    }
}

extension GIFLoader {
    /// Returns the GIF of an address that the user has typed, and loads it.
    /// - Parameters:
    ///   - needsAllBytes: whether to keep the whole file, because it will be displayed.
    ///   - begun: called with each download.
    public func reference(
        of address: TypedAddress, needsAllBytes: Bool = false, begun: @Sendable (Download) -> Void = { _ in }
    ) async throws(Failure) -> GIFReference {
        let item: GIFReference
        switch address {
        case .web(let url): item = .address(url)
        case .files(let paths): return .file(FileSystem.realPath(paths[0]) ?? paths[0])
        case .unusable(let problem): throw Failure(problem)
        case .data: throw Failure("data: URL: has no link; 'gifplay URL' plays it")
        }
        var reference: GIFReference
        do throws(Failure) {
            reference = try await fetch(
                try files(of: item)[0], of: item, needsAllBytes: needsAllBytes, startRetries: nil, begun: begun
            ).item
        } catch {
            throw error.of(item.name)
        }
        // Its file is known.
        reference.origin = .source
        return reference
    }
}
