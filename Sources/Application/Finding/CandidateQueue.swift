import Base
import Catalog

/// The candidates of one search, in the order in which their files are tried.
struct CandidateQueue {
    private let loader: any ItemLoading
    /// Supplies further items; nil once it has no more.
    private(set) var stream: (any CandidateStream)?
    private(set) var items: [PlayItem]
    /// The files of the latest item that have not been tried yet.
    private var files: [MediaFile] = []
    /// Items whose source cannot deliver files now. They are tried once more, when no other item is left.
    private var deferred: [PlayItem] = []
    private var hasTriedDeferred = false
    /// The reasons why items or sources were skipped.
    var failures: [String] = []

    init(_ items: [PlayItem], _ stream: (any CandidateStream)?, _ loader: any ItemLoading) {
        self.items = items
        self.stream = stream
        self.loader = loader
    }

    /// The limits that the running downloads set for the next file.
    struct Limits {
        var allowsDownload: Bool
        var allowsLocal: Bool
        /// Whether a request for further items is running.
        var isRequesting: Bool
        /// The hosts, each with its port, of running downloads without data.
        var silentHosts: Set<String>
    }

    /// Removes and returns the next file to try; nil if there is none now.
    mutating func nextFile(_ limits: Limits) -> MediaFile? {
        while true {
            while limits.allowsDownload, !files.isEmpty {
                let file = files.removeFirst()
                guard let reason = reasonToSkip(file, limits) else { return file }
                note(reason)
            }
            if items.isEmpty, stream == nil, !limits.isRequesting, !hasTriedDeferred {
                hasTriedDeferred = true
                (items, deferred) = (deferred, [])
                loader.health.retryFiles()
            }
            guard let item = items.first, limits.allowsLocal || !item.isLocal else { return nil }
            items.removeFirst()
            guard case .reference(let reference) = item else { return MediaFile(item, url: item.address) }
            if limits.allowsDownload, loader.health.isUsable(.files(reference.provider)) {
                files = files(of: reference, item, limits)
            } else {
                deferred.append(item)
            }
        }
    }

    /// Returns the files of an item. If none of their hosts can be used now, sets all files of the source aside.
    private mutating func files(of reference: GIFReference, _ item: PlayItem, _ limits: Limits) -> [MediaFile] {
        let files: [MediaFile]
        do throws(CommandError) { files = try loader.files(of: reference) } catch {
            note(error.message)
            return []
        }
        guard let reason = files.first.flatMap({ reasonToSkip($0, limits) }),
            files.allSatisfy({ reasonToSkip($0, limits) != nil })
        else { return files }
        note(reason)
        loader.health.setAsideFiles(of: reference.provider, reason)
        deferred.append(item)
        return []
    }

    /// Returns the reason not to fetch a file now: its host is in a cool-down, or a running download from this host has
    /// no data. Returns nil if there is no such reason, or if the file is stored on this machine.
    private func reasonToSkip(_ file: MediaFile, _ limits: Limits) -> String? {
        let isSilent = limits.silentHosts.contains(URLAuthority.text(file.url))
        let silence = isSilent ? "\(URLAuthority.host(file.url)) sent no data" : nil
        guard let reason = loader.health.coolDownMessage(of: file.url) ?? silence else { return nil }
        return loader.isStored(file) ? nil : reason
    }

    // MARK: - Changes

    mutating func add(_ outcome: Result<CandidateBatch, CommandError>) {
        switch outcome {
        case .success(let batch):
            for failure in batch.failures { note(failure) }
            items += batch.items
            if batch.items.isEmpty { stream = nil }
        case .failure(let error):
            failures.append(error.message)
            if stream?.isEndless == false { stream = nil }
        }
    }

    mutating func note(_ failure: String) { if !failures.contains(failure) { failures.append(failure) } }

    mutating func dropFiles() { files = [] }

    /// Removes the items before the chosen one, and returns them. A number chooses exactly one item.
    mutating func skip(to choice: ResultChoice, within budget: TimeBudget?) async -> [PlayItem] {
        var index = 0
        switch choice {
        case .first: return []
        case .number(let number):
            while items.count < number, await addBatch(within: budget) {}
            if items.count < number, !items.isEmpty {
                failures.append("--pick \(number): there are only \(items.count) results")
            }
            index = number - 1
        case .any:
            if items.isEmpty { _ = await addBatch(within: budget) }
            if !items.isEmpty { index = Int.random(in: 0..<items.count) }
        }
        let skipped = Array(items.prefix(index))
        items.removeFirst(skipped.count)
        guard case .number = choice else { return skipped }
        deferred = Array(items.dropFirst())
        items = Array(items.prefix(1))
        (stream, hasTriedDeferred) = (nil, true)
        return skipped
    }

    /// - Returns: whether the batch had items.
    private mutating func addBatch(within budget: TimeBudget?) async -> Bool {
        guard let stream else { return false }
        let count = items.count
        add(await stream.outcome(within: budget))
        return items.count > count
    }

    mutating func removeFirstLocal() -> PlayItem? { items.firstIndex(where: \.isLocal).map { items.remove(at: $0) } }

    /// The items that stay in the list, without duplicates and without `fetched`, which plays.
    func remaining(after fetched: PlayItem?, running: [PlayItem]) -> [PlayItem] {
        var seen: Set<GIFKey> = []
        if case .reference(let reference)? = fetched { seen.insert(reference.key) }
        return (items + files.prefix(1).map(\.item) + running + deferred).filter { item in
            guard case .reference(let reference) = item else { return true }
            return seen.insert(reference.key).inserted
        }
    }
}
