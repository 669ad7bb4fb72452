import Base
import Catalog

/// Finds the GIF of a link: by the table of ``LinkRule``, at the address itself, or in the page at this address.
extension GIFLoader {
    /// Returns the GIF of an address that the user has typed, and loads it.
    /// - Parameter needsAllBytes: whether to keep the whole file, because it will be displayed.
    public func reference(of typed: String, needsAllBytes: Bool = false) async throws(Failure) -> GIFReference {
        let item: GIFReference
        switch TypedAddress(typed) {
        case .web(let url)?: item = .address(url)
        case .files(let paths)?: return .file(FileSystem.realPath(paths[0]) ?? paths[0])
        case .unusable(let problem)?: throw Failure(problem)
        case .data?: throw Failure("data: URL: has no link; 'gifplay URL' plays it")
        case nil: throw Failure("\(SafeText.line(String(typed.prefix(40)))): not a link")
        }
        var reference: GIFReference
        do throws(Failure) {
            reference = try await fetch(
                try files(of: item)[0], of: item, needsAllBytes: needsAllBytes, startRetries: nil, begun: { _ in }
            ).item
        } catch {
            throw error.of(item.name)
        }
        // Its file is known.
        reference.origin = .source
        return reference
    }

    fileprivate struct Target {
        var url: String
        /// Why this address is tried: an element of the page, or "".
        var element = ""
        /// Whether it may be local: true if the user typed it; for others, if the link or page that contains it allows it.
        var mayBeLocal: Bool
    }

    fileprivate struct LinkSearch {
        /// As the user typed it.
        let url: String
        /// Where the typed link led to, if that is another host.
        var place: String?
        var targets: [Target]
        /// The title of the page, or of the link itself; nil if neither has one.
        var title: String?
        var tried: Set<String> = []
        /// The page that was scanned.
        var page: DownloadedPage?
        var failures: [Failure] = []
        var failure: Failure?
    }

    /// Redirects are followed within a request. This is the limit for addresses of the table, the page and its pictures.
    private static let maximumTargets = 6

    func fetchLink(
        _ url: String, _ item: GIFReference, needsAllBytes: Bool, startRetries: Int?,
        begun: @Sendable (Download) -> Void
    ) async throws(Failure) -> FetchedItem {
        if case .data(let bytes) = TypedAddress(url) { return FetchedItem(item, content: bytes) }
        var search = LinkSearch(url: url, targets: [Target(url: url, mayBeLocal: true)])
        if let item = try await follow(LinkRule.target(of: url), in: &search, mayBeLocal: nil) {
            return try await fetch(
                try files(of: item)[0], of: item, needsAllBytes: needsAllBytes, startRetries: startRetries,
                begun: begun)
        }
        while !search.targets.isEmpty, search.tried.count < Self.maximumTargets {
            let target = search.targets.removeFirst()
            guard search.tried.insert(target.url).inserted else { continue }
            let started = Monitor<Download?>(nil)
            do throws(Failure) {
                var fetched = try await content(
                    target.url, of: item, mayBeLocal: target.mayBeLocal, startRetries: startRetries,
                    begun: { download in
                        started.withLock { $0 = download }
                        begun(download)
                    })
                if needsAllBytes { fetched = try await withAllBytes(fetched) }
                fetched.item = .address(url, leadingTo: target.url)
                let title = (target.url == url ? nil : search.title) ?? fetched.download?.fileName
                if let title { fetched.item.title = SafeText.line(title) }
                return fetched
            } catch {
                guard !Task.isCancelled else { throw error }
                guard let download = started.withLock({ $0 }) else {
                    // Offline, another target can be stored.
                    search.notePlace(target.url)
                    search.failure = search.failure ?? error
                    continue
                }
                try await continueSearch(&search, after: error, of: target, download)
            }
        }
        throw search.error(of: item)
    }

    /// Adds the targets that the answer of a target leads to.
    private func continueSearch(
        _ search: inout LinkSearch, after error: Failure, of target: Target, _ download: Download
    ) async throws(Failure) {
        let address = download.finalAddress ?? target.url
        let mayBeLocal = download.page?.mayLeadToLocal ?? false
        if address.hasSuffix("/removed.png") { throw Failure("imgur has removed this GIF") }
        if target.element.isEmpty { search.notePlace(address) }
        if search.page == nil, address != target.url, search.tried.insert(address).inserted,
            let known = LinkRule.target(of: address)
        {
            if let item = try await follow(known, in: &search, mayBeLocal: mayBeLocal) {
                search.targets = item.renditions.map { Target(url: $0.url, mayBeLocal: false) }
            }
            return
        }
        guard let page = download.page, search.page == nil else {
            search.failures.append(target.element.isEmpty ? error : error.of(target.element))
            search.failure = search.failure ?? error
            return
        }
        search.page = page
        let scan = PageScan(page.body, at: page.address)
        search.title = scan.title ?? search.title
        search.targets = []
        for candidate in scan.candidates {
            switch LinkRule.target(of: candidate.url)?.target {
            case .files(let urls)?:
                search.targets += urls.map {
                    Target(url: $0, element: candidate.element, mayBeLocal: page.mayLeadToLocal)
                }
            case .refusal(let reason)?: search.failures.append(Failure(reason))
            default:
                search.targets.append(
                    Target(url: candidate.url, element: candidate.element, mayBeLocal: page.mayLeadToLocal))
            }
        }
    }

    /// Replaces the targets by those of the table.
    /// - Parameter isAllowed: whether they may be local; nil if the user typed the link, which then decides.
    /// - Returns: a GIF that a service has described.
    private func follow(
        _ known: (target: LinkTarget, title: String?)?, in search: inout LinkSearch, mayBeLocal isAllowed: Bool?
    ) async throws(Failure) -> GIFReference? {
        guard let known else { return nil }
        search.title = known.title
        let typed = search.url
        func mayBeLocal(_ url: String) -> Bool { isAllowed ?? session.client.mayBeLocal(url, base: typed) }
        switch known.target {
        case .refusal(let reason): throw Failure(reason)
        case .page(let url): search.targets = [Target(url: url, mayBeLocal: mayBeLocal(url))]
        case .files(let urls):
            search.targets = urls.map { Target(url: $0, mayBeLocal: mayBeLocal($0)) }
        case .klipy(let slug):
            do throws(Failure) {
                return try await GIFSources.klipyItem(slug, session.settings.catalog, client: session.client)
            } catch {
                throw error.kind == .noKey
                    ? Failure("needs a KLIPY key, because KLIPY's pages are closed to programs; set KLIPY_API_KEY")
                    : error.prefixed(by: "KLIPY")
            }
        }
        return nil
    }
}

extension GIFLoader.LinkSearch {
    fileprivate mutating func notePlace(_ address: String) {
        if WebAddress.host(address) != WebAddress.host(url) { place = address }
    }

    /// The reason why the search has found no GIF.
    fileprivate func error(of item: GIFReference) -> Failure {
        let reason: Failure
        if let page {
            let elements = "looked at \(PageScan.elements)" + (page.isCut ? " in its first 512 KiB" : "")
            let unique = failures.enumerated().filter { failures.firstIndex(of: $1) == $0 }.map(\.element)
            let tried = unique.isEmpty ? elements : unique.map(\.message).joined(separator: "; ")
            reason = Failure("this page shows no GIF (\(tried))")
        } else {
            reason = failure ?? Failure("no GIF found")
        }
        guard let place else { return reason }
        return reason.of("\(item.name) (leads to \(SafeText.line(WebAddress.displayText(place))))")
    }
}
