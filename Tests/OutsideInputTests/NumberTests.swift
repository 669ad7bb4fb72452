import Foundation
import TestServer
import Testing

@testable import Application
@testable import Base
@testable import Catalog
@testable import Gallery
@testable import Library
@testable import Pixels
@testable import Playback

/// Puts extreme numbers into every numeric field that comes from outside, one field at a time. No sum or product of them
/// may trap, which would end the test process.
@Suite("Numbers from outside") struct NumberTests {
    static let numbers = [
        "0", "-1", "2147483648", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308",
        "1" + String(repeating: "0", count: 30), "NaN", "text",
    ]
    private static var wholeNumbers: [Int] { numbers.compactMap { Int($0) } }
    private static let time = Instant(nanoseconds: 7 * Span.second)

    // MARK: - Services

    /// Returns the text with one numeric value replaced at a time: the first value of each name.
    private static func replaced(_ text: String, by number: String) -> [String] {
        var names: Set<Substring> = []
        return text.matches(of: /"([\w-]+)"\s*:\s*"?(-?[0-9][0-9.eE+-]*)"?\s*[,}\]]/)
            .filter { names.insert($0.1).inserted }
            .map { text.replacingCharacters(in: $0.2.startIndex..<$0.2.endIndex, with: number) }
    }

    private static func show(_ items: [GIFReference], _ total: Int?) {
        _ = ResultRanking("cat").sorted(items)
        for item in items {
            _ = (item.cleaned(), RenditionChoice(width: 80, height: 48).ordered(item.renditions), item.isTiny)
            _ = Language.german.details(of: item, source: "a", at: 1_700_000_000)
        }
        var state = GalleryState(feed: .random, traits: TerminalTraits(size: CellSize(columns: 80, rows: 24)))
        for case .load(_, _, let ticket, _) in state.update(.opened, at: time) {
            _ = state.update(.loaded(ticket: ticket, .success(ResultPage(items: items, total: total))), at: time)
        }
        _ = state.view()
    }

    @Test("The decoders of services accept or ignore any number in any field", arguments: numbers)
    func services(number: String) throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures")
        let request = ListingRequest(listing: .search(query: "cat"), preferences: ListingPreferences())
        var count = 0
        for service in GIFSources.services.map(\.profile.name) {
            let folder = fixtures.appending(path: service)
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".json") {
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                for body in Self.replaced(text, by: number) {
                    count += 1
                    let http = HTTPResponse(status: 200, body: Array(body.utf8))
                    let response = ServiceResponse(http: http, redactor: Redactor())
                    let decoder = try #require(GIFSources.services.first { $0.profile.name == service })
                    _ = decoder.refusal(response)
                    guard let listing = try? decoder.decode(response, to: request) else { continue }
                    Self.show(listing.items, listing.total)
                    var next = request
                    next.page = listing.next ?? [:]
                    _ = decoder.target(for: next)
                }
            }
        }
        #expect(count > 40)
    }

    @Test("Reddit's limits can be any number", arguments: numbers)
    func limits(number: String) async throws {
        for status in [200, 429] {
            let server = try RawServer { _, _ in
                let limits = "X-Ratelimit-Remaining: \(number)\r\nX-Ratelimit-Reset: \(number)\r\n"
                return RawServer.response(status, headers: limits, body: Array("<feed/>".utf8))
            }
            var settings = CatalogSettings()
            settings.endpoints["reddit"] = ServiceEndpoint(base: server.base)
            let client = CurlHTTPClient(FetchOptions(userAgent: "tests"))
            settings.reddit.communities = ["gifs"]
            let repository = try #require(GIFSources.communities(settings, version: "1.0", client: client)["gifs"])
            _ = try? await repository.trending(ListingPreferences(), page: nil)
            client.close()
            #expect(server.requests.count >= 1)
        }
    }

    @Test("The headers of a response can have any number in any field", arguments: numbers)
    func headers(number: String) {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let fields = [
            number, "-\(number)", "\(number)-\(number)/\(number)", "max-age=\(number)", "\(number), \(number)",
            date.replacing("06", with: number), date.replacing("1994", with: number),
            date.replacing("08", with: number), date.replacing("37", with: number),
            "bytes \(number)-\(number)/\(number)", "bytes */\(number)",
        ]
        for field in fields {
            for now in [0, 784_111_777] {
                for name in ["retry-after", "date", "expires", "cache-control", "age"] {
                    let headers = ["retry-after": date, "expires": date].merging([name: field]) { $1 }
                    let seconds = RetryPolicy.requestedSeconds(headers, unixSeconds: now)
                    #expect(seconds.map { (1...86_400).contains($0) } ?? true)
                    _ = StoredResponse.allowsDisk(headers, unixSeconds: now)
                    #expect((0...1 << 40).contains(StoredResponse.freshSeconds(headers, receivedAt: now)))
                }
            }
            if let range = ContentRange(field) {
                let numbers = [range.start, range.total].compactMap(\.self)
                #expect(numbers.allSatisfy { (0...1 << 40).contains($0) }, "\(field)")
            }
        }
    }

    // MARK: - Own files

    @Test("A log of failures with any number can be read, listed and continued", arguments: numbers)
    func failures(number: String) throws {
        let folder = try TemporaryDirectory()
        let log = FailureLog(cacheDirectory: folder.path + "/media")
        for value in [number, "\"\(number)\""] {
            let text = #"{"giphy": {"seconds": \#(value), "sentence": "a"}}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/failures.json"))
            #expect(log.recent.isEmpty)
            for entry in log.entries.values { _ = FailureLog.age(entry) }
            log.record(Failure.outage.of("commons"))
            #expect(log.entries["commons"] != nil)
        }
    }

    @Test("A cache with files of any size and date can be counted, written and evicted")
    func cache() throws {
        let folder = try TemporaryDirectory()
        let cache = try MediaCache(directory: folder.path + "/media", limit: 1 << 20)
        for (index, time) in ([0, 1 << 40] + Self.wholeNumbers).enumerated() {
            let path = folder.path + "/media/" + String(repeating: "a", count: 62) + String(10 + index)
            let file = open(path, O_RDWR | O_CREAT, 0o600)
            for shift in stride(from: 62, to: 20, by: -1) where ftruncate(file, 1 << shift) == 0 { break }
            let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
            futimens(file, times)
            close(file)
        }
        _ = try cache.statistics()
        #expect(try cache.countDamagedEntries() > 0)
        let writer = try cache.writer(for: "http://h/a.gif")
        try [UInt8](repeating: 7, count: 100).withUnsafeBytes { try writer.append($0) }
        try writer.commit()
        #expect(try cache.statistics().entries == 1)
    }

    @Test("A library with any number in any column can be read, shown and changed", arguments: wholeNumbers)
    func library(number: Int) async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/library.sqlite"
        let library = try Library(path: path)
        let items = ["a", "b"].map {
            GIFReference(
                provider: "commons", id: $0, title: $0, attribution: $0,
                renditions: [Rendition(url: "https://a.example/\($0)", width: 1, height: 1, bytes: 1, frames: 2)],
                cachePolicy: .persistent, posted: 100_000, comments: 1)
        }
        let columns = [
            "listing.kept", "listing.total", "entry.position", "mark.favourite", "mark.viewed", "mark.views",
            "mark.dismissed", "work.createdAt", "work.comments",
        ]
        for column in columns {
            try await library.storePage(ResultPage(items: items), of: .search(query: "cat"), isFirst: true, at: 9)
            try await library.setFavourite(items[0], true, at: 9)
            try await library.markViewed(items[0], at: 9)
            let parts = column.split(separator: ".")
            try Connection(path: path, lockSeconds: 5).execute(
                "UPDATE \(parts[0]) SET \(parts[1]) = \(number) WHERE rowid IN (SELECT rowid FROM \(parts[0]) LIMIT 1)"
                    .replacing("rowid IN (SELECT rowid FROM entry LIMIT 1)", with: "work = 1"))
            for feed in [Feed.search(query: "cat"), .favourites, .history] {
                let listing = try await library.listing(feed)
                var state = GalleryState(feed: feed, traits: TerminalTraits(size: CellSize(columns: 80, rows: 24)))
                for case .loadStored(_, let ticket) in state.update(.opened, at: Self.time) {
                    _ = state.update(.loadedStored(ticket: ticket, listing), at: Self.time)
                }
                let offline = Failure.unreachable(host: "h", reason: "")
                for ticket in 1...3 { _ = state.update(.loaded(ticket: ticket, .failure(offline)), at: Self.time) }
                _ = state.view()
            }
            for marked in try await library.all(in: nil) { _ = Timestamp.text(marked.time(in: nil)) }
            try await library.storePage(ResultPage(items: items), of: .search(query: "cat"), isFirst: false, at: 9)
            try await library.markViewed(items[0], at: 10)
            _ = try await library.clear(all: true)
        }
    }

    // MARK: - Settings, environment and terminal

    @Test("Each setting accepts a number or rejects it with the line", arguments: numbers)
    func settings(number: String) throws {
        let names = [
            "sources", "rating", "lang", "every", "cache-size", "contact", "report-use", "color", "mode", "colors",
            "dither", "key", "endpoint", "reddit", "key giphy", "endpoint commons", "size", "loop", "speed", "duration",
            "loop-cache", "max-canvas-pixels", "max-total-pixels", "max-bytes", "max-frames", "background",
        ]
        for name in names {
            for value in [
                number, number.lowercased(), "\(number)G", "\(number)h", "\(number)x\(number)", "\(number),a",
            ] {
                var settings = try Settings(ignoresFiles: true, environment: [:])
                do throws(Failure) {
                    try ConfigurationFile.parse(Array("\n--\(name)=\(value)".utf8), "config") {
                        setting throws(Failure) in try settings.apply(setting)
                    }
                } catch {
                    #expect(error.message.hasPrefix("config, line 2: "))
                }
                let options = settings.options(for: .feed)
                _ = Instant.monotonic + settings.switchInterval + (options.duration ?? 0)
                _ = ByteSize.limit(settings.cacheBytes)
            }
        }
    }

    @Test("Variables and replies of a terminal can have any number in any field", arguments: numbers)
    func terminal(number: String) {
        let names = ["COLORFGBG", "KONSOLE_VERSION", "TERM"]
        let environment = TerminalEnvironment {
            names.contains($0) ? number : nil
        } terminfo: { _ in
            nil
        }
        _ = (environment.background, environment.program, environment.start())
        let sequences = [
            "\u{1B}[<%;5;5M", "\u{1B}[<0;%;5M", "\u{1B}[<0;5;%M", "\u{1B}[<64;%;%M", "\u{1B}[6;%;10t", "\u{1B}[6;20;%t",
            "\u{1B}[4;%;%t", "\u{1B}[?1;0;%S", "\u{1B}[?2;0;%;%S", "\u{1B}[?%;4c", "\u{1B}[?2026;%$y", "\u{1B}[%~",
            "\u{1B}]11;rgb:%/%/%\u{7}", "\u{1B}P>|kitty(%.%)\u{1B}\\", "\u{1B}P>|WezTerm %\u{1B}\\",
            "\u{1B}P1$r38:2::1:2:%m\u{1B}\\", "\u{1B}_Gi=%;OK\u{1B}\\",
        ]
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        var state = GalleryState(feed: .random, traits: traits)
        var parser = InputParser()
        for sequence in sequences {
            for input in parser.parse(sequence.replacing("%", with: number).utf8) {
                switch input {
                case .reply(let reply):
                    traits = traits.updated(by: reply, to: TerminalQueries()).updated(
                        by: .attributes(hasSixel: true), to: TerminalQueries())
                case .pointer(let event): _ = state.update(.pointer(event), at: Self.time)
                case .key, .paste: break
                }
            }
            _ = state.update(.changed(traits), at: Self.time)
            _ = state.view()
        }
        for text in ["% 1 tty on", "1 % tty on", "1 1 tty %\n%|RGB|xterm|kitty(%.%)"] {
            _ = TmuxReply(text.replacing("%", with: number), device: "tty") { _ in nil }
        }
    }

    @Test("The fields of a GIF can have any number", arguments: [0, 1, 0x7FFF, 0x8000, 0xFFFF])
    func gif(number: Int) {
        let (low, high) = (UInt8(number & 255), UInt8(number >> 8))
        let control: [UInt8] = [0x21, 0xF9, 4, 0x05, 10, 0, 1, 0]
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 2, 0, 0]
        let header: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let file = [header, loop, control, image, control, image, [0x3B]].flatMap { $0 }
        // Every pair of bytes after the signature: sizes, offsets, delays, the number of loops, and lengths of blocks.
        for position in 6..<file.count - 1 {
            var changed = file
            (changed[position], changed[position + 1]) = (low, high)
            let (reader, frame) = (GIFReader(MemoryByteSource(changed)), IndexedFrame())
            var canvas: Canvas?
            while (try? reader.next(into: frame)) == true {
                canvas = canvas ?? (try? Canvas(size: frame.canvas))
                _ = try? canvas?.draw(frame)
            }
            _ = (BlockWalk(changed).length, GIFCopy.repeating(changed, delays: [number, number]))
        }
    }
}
