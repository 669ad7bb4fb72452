import Base
import Catalog
import Playback

/// The search field, and the feeds that queries have opened.
struct SearchInput: Equatable, Sendable {
    private(set) var field: SearchField
    /// The feed to which Esc returns; nil unless the listing is that of a typed query that no service has got yet.
    var base: Feed?
    var suggestions = Suggestions()
    /// The latest feed that a query has opened, which stays among the feeds.
    private(set) var latestFeed: Feed?

    static let minQueryLength = 3

    init(_ text: String) { field = SearchField(text) }

    var query: String { field.query }

    /// - Returns: whether the query changed.
    mutating func edit(_ key: Key) -> Bool {
        let (before, wasSelected) = (query, field.isSelected)
        guard field.handle(key), query != before else { return false }
        isPasted = isPasted && !query.isEmpty && !wasSelected
        return true
    }

    /// Whether the field contains pasted text, which can be a path or a secret. Nothing of it is sent before Enter.
    private(set) var isPasted = false

    /// - Returns: whether the query changed.
    mutating func paste(_ text: String) -> Bool {
        let before = query
        field.insert(contentsOf: TypedAddress.joiningLines(text))
        isPasted = true
        return query != before
    }

    mutating func replaceText(by text: String) {
        field = SearchField(text)
        isPasted = false
    }

    /// Records that the gallery shows this feed. Unless the user is typing, the field then contains its query.
    mutating func note(_ feed: Feed, isTyping: Bool) {
        guard base == nil else { return }
        let text: String
        switch feed {
        case .search(let query), .files(let query): text = query
        default: text = ""
        }
        // Without a filter, a folder has a single feed.
        if !text.isEmpty || feed.isOfFiles { latestFeed = text.isEmpty ? nil : feed }
        if !isTyping, text != query { replaceText(by: text) }
    }

    mutating func selectText() { field.select() }

    /// The time at which the services get the query; nil if only a key sends it, because it is short or pasted.
    func requestTime(at now: Instant, _ options: GalleryOptions) -> Instant? {
        switch query.count {
        case _ where isPasted, 1..<Self.minQueryLength: nil
        case Self.minQueryLength..<(2 * Self.minQueryLength): now + options.shortDebounce
        default: now + options.debounce
        }
    }

    /// Returns the feed for the content of the search field. For a query, this is the search for the query. For an
    /// empty field, this is `current`, or the first feed of a service after a search. For files, it is a filter.
    func target(from current: Feed, _ options: GalleryOptions) -> Feed {
        if current.isOfFiles { return .files(matching: query) }
        guard query.isEmpty else { return .search(query: query) }
        guard case .search = current else { return current }
        return options.feeds.first { !$0.isLocal } ?? .random
    }

    /// The feeds that Tab switches between: the latest query, the feeds of the options and the current feed.
    func feeds(with current: Feed, _ options: GalleryOptions) -> [Feed] {
        var feeds = options.feeds
        if let latestFeed, !feeds.contains(latestFeed) { feeds.insert(latestFeed, at: 0) }
        if !feeds.contains(current) { feeds.append(current) }
        return feeds
    }
}

struct SearchField: Equatable, Sendable {
    private(set) var text: [Character]
    /// The index in `text` at which the next character is inserted.
    private(set) var cursor: Int
    /// Whether the whole text is selected, so that the next character replaces it. The cursor is then at the end.
    private(set) var isSelected = false

    static let maxLength = 2_000

    init(_ text: String) {
        self.text = Array(text.prefix(Self.maxLength))
        cursor = self.text.count
    }

    /// The text without white space at its ends and with single spaces between words.
    var query: String { text.split(whereSeparator: \.isWhitespace).map { String($0) }.joined(separator: " ") }

    mutating func select() {
        cursor = text.count
        isSelected = !text.isEmpty
    }

    /// - Returns: whether the key is an editing key. Not every editing key changes the query.
    mutating func handle(_ key: Key) -> Bool {
        defer { isSelected = false }
        switch key {
        case .character(let character): insert(character)
        case .backspace, .control("h"): remove(from: isSelected ? 0 : cursor - 1, to: cursor)
        case .delete, .control("d"): remove(from: isSelected ? 0 : cursor, to: cursor + 1)
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"): remove(from: 0, to: cursor)
        case .control("k"): remove(from: cursor, to: text.count)
        case .control("w"): remove(from: startOfWord, to: cursor)
        default: return false
        }
        return true
    }

    private mutating func insert(_ character: Character) {
        let isPrintable = character == " " || SafeText.line(String(character)) == String(character)
        guard isPrintable else { return }
        removeSelection()
        guard text.count < Self.maxLength else { return }
        text.insert(character, at: cursor)
        cursor += 1
    }

    /// Inserts the printable characters of a text, with spaces in place of its line breaks.
    mutating func insert(contentsOf text: String) {
        removeSelection()
        let characters = SafeText.line(text).prefix(Self.maxLength - self.text.count)
        self.text.insert(contentsOf: characters, at: cursor)
        cursor += characters.count
    }

    private mutating func removeSelection() {
        if isSelected { remove(from: 0, to: text.count) }
        isSelected = false
    }

    private mutating func remove(from first: Int, to end: Int) {
        let range = max(0, first)..<min(text.count, end)
        text.removeSubrange(range)
        cursor = min(range.lowerBound, text.count)
    }

    private var startOfWord: Int {
        var position = cursor
        while position > 0, text[position - 1].isWhitespace { position -= 1 }
        while position > 0, !text[position - 1].isWhitespace { position -= 1 }
        return position
    }
}

/// The queries that are suggested below the search field while the user types.
struct Suggestions: Equatable, Sendable {
    private(set) var queries: [String] = []
    /// The index of the suggestion that Enter searches for; nil if Enter searches for the typed query.
    private(set) var chosenIndex: Int?
    /// The time at which the suggestions for the query are requested, unless the user changes the query earlier.
    private(set) var deadline: Instant?
    /// The ticket of the latest request; nil if there is none for the present query.
    private var ticket: Int?

    static let maxCount = 5
    /// How long typing must pause before suggestions are requested, in nanoseconds.
    static let delay = 150 * Span.millisecond

    /// Keeps the suggestions that still match the query, and schedules a request for others.
    /// - Parameter now: nil if the query must not be sent.
    mutating func queryChanged(to query: String, at now: Instant?) -> [GalleryEffect] {
        let matching = queries.filter { !query.isEmpty && $0.lowercased().hasPrefix(query.lowercased()) }
        let effects = close()
        queries = matching.filter { $0.lowercased() != query.lowercased() }
        deadline = query.isEmpty ? nil : now.map { $0 + Self.delay }
        return effects
    }

    mutating func requestIfDue(for query: String, at now: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        guard let deadline, deadline <= now else { return [] }
        self.deadline = nil
        return request(query, &tickets)
    }

    /// - Parameter prefix: if it is empty, the latest queries are requested.
    mutating func request(_ prefix: String, _ tickets: inout Tickets) -> [GalleryEffect] {
        let ticket = tickets.next()
        self.ticket = ticket
        return [.suggest(prefix: prefix, ticket: ticket)]
    }

    mutating func receive(_ answer: [String], for query: String, ticket: Int) {
        guard ticket == self.ticket else { return }
        let chosen = chosenIndex.flatMap { queries.indices.contains($0) ? queries[$0] : nil }
        var seen: Set<String> = ["", query.lowercased()]
        let others = answer.map { SafeText.line($0) }.filter { seen.insert($0.lowercased()).inserted }
        queries = Array(others.prefix(Self.maxCount))
        chosenIndex = chosen.flatMap { queries.firstIndex(of: $0) }
    }

    /// - Parameter distance: 1 for the next suggestion, -1 for the previous one or for the typed query.
    mutating func choose(by distance: Int, of count: Int) {
        let index = (chosenIndex ?? -1) + distance
        chosenIndex = index < 0 ? nil : min(index, count - 1)
    }

    /// Discards the suggestions and cancels the request for them.
    mutating func close() -> [GalleryEffect] {
        defer { self = Suggestions() }
        return ticket.map { [.cancel(ticket: $0)] } ?? []
    }
}
