/// GIFs in random order. Each is returned once before one is repeated.
struct GIFShuffle {
    /// In reverse order: the last element is returned first.
    private var queue: [GIFReference] = []
    /// Oldest first. If there are more than `limit`, the oldest are removed.
    private var known: [GIFReference] = []
    private var seen: Set<String> = []
    private var lastTaken: String?
    /// Whether known GIFs are repeated until new GIFs are added.
    private(set) var isRepeating = false
    private let limit: Int
    /// Stored as `any`, because a generator of a generic type could have size zero. TSan would then report each
    /// mutation of the generator as a race on the whole actor that stores it.
    private var generator: any RandomNumberGenerator & Sendable

    init(limit: Int, _ generator: any RandomNumberGenerator & Sendable) {
        self.limit = limit
        self.generator = generator
    }

    /// The number of GIFs before the next repetition.
    var count: Int { queue.count }
    var knowsNone: Bool { known.isEmpty }

    func contains(where isUsable: (GIFReference) -> Bool) -> Bool { queue.contains(where: isUsable) }

    mutating func take(where isUsable: (GIFReference) -> Bool) -> GIFReference? {
        guard let index = queue.lastIndex(where: isUsable) else { return nil }
        let reference = queue.remove(at: index)
        lastTaken = Self.identity(reference)
        return reference
    }

    /// - Returns: the number of new GIFs.
    mutating func add(_ items: [GIFReference]) -> Int {
        let fresh = items.filter { seen.insert(Self.identity($0)).inserted }
        known += fresh
        if known.count > limit {
            for old in known.prefix(known.count - limit) { seen.remove(Self.identity(old)) }
            known.removeFirst(known.count - limit)
        }
        let shuffled = fresh.shuffled(using: &generator)
        if isRepeating, !shuffled.isEmpty {
            queue = shuffled
            isRepeating = false
        } else {
            queue.insert(contentsOf: shuffled, at: 0)
        }
        // The GIFs of this machine are a substitute, so they come after those of the services.
        queue = queue.filter(\.isLocal) + queue.filter { !$0.isLocal }
        return fresh.count
    }

    /// Begins a new random order, which does not begin with the last returned GIF.
    mutating func repeatKnown() {
        isRepeating = true
        queue = known.shuffled(using: &generator)
        if queue.count > 1, queue.last.map(Self.identity) == lastTaken { queue.swapAt(0, queue.count - 1) }
    }

    private static func identity(_ reference: GIFReference) -> String { reference.provider + ":" + reference.id }
}
