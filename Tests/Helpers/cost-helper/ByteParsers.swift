import FoundationEssentials

@testable import Application
@testable import Base
@testable import Catalog
@testable import Gallery
@testable import Library
@testable import Pixels
@testable import Playback

private let replies = [
    "\u{1B}[A", "\u{1B}[", "\u{1B}]11;rgb:", "\u{1B}_G", "\u{1B}P1+r", "1;", "\u{1B}", "é", "\u{1B}[200~",
    "\u{1B}[201~",
    "\u{1B}[<0;1;1M", "a", "\u{1B}[6;20;10t", "\u{1B}[?62;4c",
]
private let arguments = [
    "a", "-", "--", "--\n", "-U", "--bare\n", "--size\n80x24\n", "-s9x9\n", "--sources=samples\n", "--reddit=ab\n",
    "cat\n", "=", ",",
    "x", "0", "#", "é", "--aaaa\n", "help\n", "library\n",
]

private let settings = [
    "--every 3s\n", "--key giphy=a\n", "--reddit ab,cd\n", "--endpoint commons=", "a,", "--sources ", "--bare\n", "-",
    "=",
    "#", "\n", " ", "--reddit a\n", "commons,",
]
private let records = [
    "{\"since\":\"2026-11-21T18:32:00Z\",\"gif\":{}},", "{},", "1,", "[", "\"\\u0041\",", "\"\",", "\n", "{\"a\":", "-",
    "{\"gif\":{\"provider\":\"", "\"\\", "\u{1F468}\u{200D}",
]

/// Blocks of a GIF of 1x1 pixels without a palette.
private let blocks: [String: [UInt8]] = [
    "comment": [0x21, 0xFE, 3, 1, 2, 3, 0], "empty comment": [0x21, 0xFE, 0], "sub-blocks": [1, 0x21],
    "control": [0x21, 0xF9, 4, 0, 1, 0, 0, 0], "loop": [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0],
    "plain text": [0x21, 0x01, 1, 0, 0], "image": [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0],
    "image of no size": [0x2C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0], "trailer": [0x3B], "unknown": [0],
    "palette": [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x87] + [UInt8](repeating: 7, count: 768) + [2, 2, 0x44, 1, 0],
    "code size": [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 9, 1, 0, 0],
]

private func gif(_ name: String, _ count: Int) -> [UInt8] {
    let block = blocks[name] ?? []
    let start: [UInt8] = name == "sub-blocks" ? [0x21, 0xFE] : []
    return Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0] + start
        + Array(repeatElement(block, count: max(1, count / max(1, block.count))).joined())
}

/// Receives a GIF in pieces as a download does, and looks after each piece whether it is animated.
private func receive(_ file: [UInt8], piece: Int) {
    let sink = DownloadSink(
        Download.Request(url: "http://h/a.gif", mayBeLocal: false), source: GrowingByteSource(),
        clock: SystemWaitClock())
    _ = sink.headersForNextRequest(host: "h")
    for start in stride(from: 0, to: file.count, by: piece) {
        file.withUnsafeBytes { bytes in
            _ = sink.receive(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + piece, file.count)]))
        }
        if sink.state.withLock({ $0.hasBegun && $0.file.animation != nil }) { break }
    }
}

func fetch(_ url: String) -> Bool {
    guard var settings = try? Settings(ignoresFiles: true, environment: [:]) else { return false }
    settings.catalog.endpoints["commons"] = ServiceEndpoint(base: url)
    let loader = GIFLoader(ServiceSession(settings))
    let reference = GIFReference(
        provider: "commons", id: "a", title: "", attribution: "", renditions: [Rendition(url: url)],
        cachePolicy: .sessionOnly)
    return runBlocking { () async -> Bool in
        guard let file = try? loader.files(of: reference).first else { return false }
        return (try? await loader.fetch(file, of: reference, needsAllBytes: true, startRetries: nil) { _ in }) != nil
    }
}

let byteParsers = [
    Parser("terminal", replies) { (text: String) in
        var parser = InputParser()
        _ = parser.parse(text.utf8)
        _ = parser.resolveIncomplete()
    },
    Parser("tmux", ["1 1 /dev/pts/1 on\n", "0|RGB,sixel|xterm|kitty\n", "|", ",", "\n", " ", "a", "0|,|a|b\n"]) {
        _ = TmuxReply($0, device: "/dev/pts/1") { _ in nil }
    },
    Parser("configuration", settings) { text in
        guard var settings = try? Settings(ignoresFiles: true, environment: [:]) else { return }
        _ = try? ConfigurationFile.parse(Array(text.utf8), "config") { setting throws(Failure) in
            try settings.apply(setting)
        }
        _ = OldConfiguration.lines(text)
    },
    Parser("arguments", arguments) { text in
        let words = text.split(separator: "\n").map(String.init)
        if let invocation = try? Invocation(words) { _ = try? Settings(given: invocation) }
        for option in ["--sources", "--endpoint", "--background", "--size", "--every", "--mode", "--loop"] {
            if let invocation = try? Invocation([option, text]) { _ = try? Settings(given: invocation) }
        }
    },
    Parser("renditions", records, frame: ("[", "1]")) { text in
        _ = StoredJSON.value([RenditionRecord].self, text)?.map(\.rendition)
    },
    Parser("failures", records, frame: ("{\"a\":[", "1]}")) { text in
        _ = try? JSONDecoder().decode([String: FailureLog.Entry].self, from: Data(text.utf8))
        _ = CachedCredit(Array(text.utf8))
    },
    Parser("GIF", blocks.keys.sorted(), input: gif) { file in
        _ = (BlockWalk(file).kind, GIFCopy.repeating(file, delays: [Int](repeating: 2, count: file.count)))
        let (reader, frame) = (GIFReader(MemoryByteSource(file)), IndexedFrame())
        while (try? reader.next(into: frame)) == true {}
    },
    Parser("clear codes", ["1", "2", "8"]) { size, count in
        let bits = 1 + (Int(size) ?? 1)
        // Groups of eight codes, each with one bit set, in sub-blocks of 254 or fewer bytes.
        var codes = [UInt8](repeating: 0, count: bits)
        for bit in stride(from: bits - 1, to: 8 * bits, by: bits) { codes[bit / 8] |= 1 << (bit % 8) }
        let block = Array(repeatElement(codes, count: 252 / bits).joined())
        let blocks = repeatElement([UInt8(block.count)] + block, count: 1 + count / 253).joined()
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 10, 0, 10, 0, 0, UInt8(bits - 1)]
        return Array("GIF89a".utf8) + [10, 0, 10, 0, 0, 0, 0] + image + blocks + [0, 0x3B]
    } bytes: { file in
        let (reader, frame) = (GIFReader(MemoryByteSource(file)), IndexedFrame())
        while (try? reader.next(into: frame)) == true {}
    },
    Parser("download", blocks.keys.sorted(), input: gif) { receive($0, piece: 16) },
    Parser("listing", ["1", "12", "1 2"], input: { Array(repeated($0, $1).utf8) }) { text in
        let items = text.indices.map { GIFReference.file("/a/\($0)/\(text[$0] % 3)") }
        var (listing, tickets) = (Listing(.random), Tickets())
        _ = listing.start(at: Instant(nanoseconds: 0), now: Instant(nanoseconds: 0), &tickets)
        _ = listing.receiveFirstPage(
            .success(ResultPage(items: items)), holdsBack: false, at: Instant(nanoseconds: 0))
        var grid = GalleryGrid(Pane(TerminalTraits(size: CellSize(columns: 80, rows: 24))))
        grid.update(listing, ItemFacts(), showsSelected: true)
    },
]
