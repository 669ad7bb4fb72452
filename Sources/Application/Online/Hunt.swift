import Catalog

/// What a hunt for the next item that can be played came to.
public struct Found: Sendable {
    /// Items that the supply gave meanwhile.
    public var fresh: [PlayItem] = []
    /// Known or fresh items that were passed over before the one that is here.
    public var passed = 0
    /// Nil at the end, or where nothing could be had.
    public var fetched: Fetched?
    /// Why those were passed over, or why there are no more.
    public var failures: [String] = []
}

/// Goes through items, and the pages behind them, until one can be played.
public struct Hunt: Sendable {
    /// What is known to come, in order.
    public var candidates: [PlayItem]
    public var supply: (any Supply)?
    /// Which of them is wanted.
    public var choice: ResultChoice
    /// Waits for all bytes, and refuses stills.
    public var isWhole: Bool

    public init(
        candidates: [PlayItem], supply: (any Supply)? = nil, choice: ResultChoice = .first, isWhole: Bool = false
    ) {
        self.candidates = candidates
        self.supply = supply
        self.choice = choice
        self.isWhole = isWhole
    }

    /// So many bad ones in a row are no chance.
    private static let patience = 8

    public func run(_ online: Online) async -> Found {
        var found = Found()
        var queue = candidates
        await skipToChoice(&queue, &found)
        while !Task.isCancelled {
            if queue.isEmpty {
                guard let more = await more(&found) else { break }
                queue = more
            }
            guard !queue.isEmpty else { continue }
            let item = queue.removeFirst()
            do throws(Complaint) {
                found.fetched = try await online.fetch(item, isWhole: isWhole)
                return found
            } catch {
                found.passed += 1
                found.failures.append(error.sentence)
            }
            if case .number = choice { break }
            guard await mayGoOn(found) else { break }
        }
        return found
    }

    /// - Returns: nil at the end, and where the supply fails.
    private func more(_ found: inout Found) async -> [PlayItem]? {
        guard let supply else { return nil }
        do throws(Complaint) {
            let more = try await supply.more()
            found.fresh += more
            return more.isEmpty ? nil : more
        } catch {
            found.failures.append(error.sentence)
            guard supply.isEndless, await mayGoOn(found) else { return nil }
            return []
        }
    }

    /// Passes over what stands before the result that is wanted.
    private func skipToChoice(_ queue: inout [PlayItem], _ found: inout Found) async {
        let first: Int
        switch choice {
        case .first: return
        case .number(let number):
            while queue.count < number, let more = await more(&found) { queue += more }
            if queue.count < number, !queue.isEmpty {
                found.failures.append("there are only \(queue.count) results; --pick \(number) is none of them")
            }
            first = min(number - 1, queue.count)
        case .any:
            if queue.isEmpty, let more = await more(&found) { queue = more }
            first = queue.isEmpty ? 0 : Int.random(in: 0..<queue.count)
        }
        queue.removeFirst(first)
        found.passed = first
    }

    /// An endless hunt waits a while after a failure, longer after each; another ends at some point.
    private func mayGoOn(_ found: Found) async -> Bool {
        guard supply?.isEndless == true else { return found.failures.count < Self.patience }
        let milliseconds = min(30_000, 250 << min(found.failures.count, 7))
        try? await Task.sleep(for: .milliseconds(milliseconds))
        return !Task.isCancelled
    }
}
