import Base
import Catalog
import Pixels
import Playback
import TestSupport
import Testing

@testable import Gallery

/// Pictures on a connection that takes only few bytes at a time.
@Suite("Pictures on slow connections")
struct TileTurnTests {
    private static let size = CellSize(columns: 40, rows: 12)

    /// A composer and the terminal that shows its output. The frames of the tiles have one colour for all cells.
    private final class Harness {
        let composer = ScreenComposer(size: TileTurnTests.size, fidelity: .exact)
        var terminal = VirtualScreen(columns: TileTurnTests.size.columns, rows: TileTurnTests.size.rows)
        var shades: [GIFKey: UInt8] = [:]
        var bytes = 0

        func show(_ tiles: [TilePlacement], _ text: String = "", limit: Int? = 200) throws {
            var screen = GalleryScreen(size: TileTurnTests.size, tiles: tiles)
            if !text.isEmpty { screen.runs = [TextRun(text, at: ScreenPosition(row: 0, column: 0))] }
            composer.compose(screen, limit: limit) { id in
                self.shades[id.key].map { shade in
                    // Each cell differs from its neighbours, so that its bytes cannot be saved.
                    TileFrame(
                        pixels: (0..<96).map { CellColor(red: shade, green: UInt8($0 * 2), blue: UInt8(255 - $0)) },
                        delay: 1)
                }
            }
            bytes = composer.output.count
            try terminal.feed(composer.output.bytes)
        }

        /// The red of the first and the last cell of a tile.
        func shown(_ tile: TilePlacement) -> [UInt8] {
            [(0, 0), (5, 7)].map { row, column in
                let cell = terminal[tile.position.row + row, tile.position.column + column]
                return "▀▄█ ".contains(cell.glyph) ? UInt8(cell.upper.red) : 0
            }
        }
    }

    private static func tile(_ id: String, _ column: Int, isSelected: Bool = false) -> TilePlacement {
        TilePlacement(
            key: GIFKey(provider: "test", id: id), position: ScreenPosition(row: 2, column: column),
            size: PixelSize(width: 8, height: 12), visibleRows: 0..<12, isBeside: !isSelected)
    }

    private static let tiles = [tile("a", 0), tile("b", 10, isSelected: true), tile("c", 20)]

    private func harness() -> Harness {
        let harness = Harness()
        for tile in Self.tiles { harness.shades[tile.key] = 10 }
        return harness
    }

    @Test("Text is sent before all pictures, then the selected picture, then the others one after the other")
    func order() throws {
        let harness = harness()
        try harness.show(Self.tiles, "status")
        #expect(harness.terminal.text(row: 0) == "status" && Self.tiles.allSatisfy { harness.shown($0) == [0, 0] })
        #expect(harness.composer.isUnfinished)
        var complete: [String] = []
        while harness.composer.isUnfinished {
            try harness.show(Self.tiles, "status")
            #expect(harness.bytes < 300)
            for tile in Self.tiles where harness.shown(tile) == [10, 10] && !complete.contains(tile.key.id) {
                complete.append(tile.key.id)
            }
        }
        #expect(complete == ["b", "a", "c"])
    }

    @Test("A picture that is sent in parts keeps its frame until it is whole, and then shows the latest frame")
    func frames() throws {
        let harness = harness()
        try harness.show(Self.tiles)
        for shade in UInt8(20)...90 {
            for tile in Self.tiles { harness.shades[tile.key] = shade }
            try harness.show(Self.tiles)
            // Only the tile that is being sent can have cells of two frames.
            #expect(Self.tiles.filter { Set(harness.shown($0)).count > 1 }.count <= 1)
        }
        #expect(Self.tiles.allSatisfy { harness.shown($0)[0] > 40 })
    }

    @Test("When the tiles scroll, the screen is cleared, so that no picture stays above another title")
    func scrolling() throws {
        let harness = harness()
        repeat { try harness.show(Self.tiles) } while harness.composer.isUnfinished
        let others = ["d", "e", "f"].enumerated().map { Self.tile($0.element, $0.offset * 10 + 1) }
        for tile in others { harness.shades[tile.key] = 50 }
        try harness.show(others, "page 2")
        #expect(harness.terminal.text(row: 0) == "page 2" && harness.bytes < 100)
        #expect(Self.tiles.allSatisfy { harness.shown($0) == [0, 0] })
        repeat { try harness.show(others, "page 2") } while harness.composer.isUnfinished
        #expect(others.allSatisfy { harness.shown($0) == [50, 50] })
    }

    @Test("Text over pictures is removed at once, and the pictures below it follow")
    func overlay() throws {
        let harness = harness()
        repeat { try harness.show(Self.tiles) } while harness.composer.isUnfinished
        var screen = GalleryScreen(size: Self.size, tiles: Self.tiles)
        screen.runs = [TextRun("help over tiles", at: ScreenPosition(row: 4, column: 2))]
        harness.composer.compose(screen, limit: 200) { _ in nil }
        try harness.terminal.feed(harness.composer.output.bytes)
        try harness.show(Self.tiles)
        #expect(!harness.terminal.text(row: 4).contains("help"))
        repeat { try harness.show(Self.tiles) } while harness.composer.isUnfinished
        #expect(Self.tiles.allSatisfy { harness.shown($0) == [10, 10] })
    }

    @Test("A quick connection gets everything in one update, also after a slow time")
    func quick() throws {
        let harness = harness()
        try harness.show(Self.tiles, "a")
        try harness.show(Self.tiles, "b")
        try harness.show(Self.tiles, "c", limit: nil)
        #expect(harness.terminal.text(row: 0) == "c" && !harness.composer.isUnfinished)
        #expect(Self.tiles.allSatisfy { harness.shown($0) == [10, 10] })
    }
}

@Suite("The rate of tile updates")
struct AdvanceRateLimiterTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * Span.millisecond) }

    /// Records the times of a screen. Composing began at 0 ms and ended at `composed` ms, and the terminal had received
    /// the whole screen at `received` ms.
    private func note(_ limiter: inout AdvanceRateLimiter, composed: Int64, received: Int64) {
        limiter.recordScreen(from: at(0), composed: at(composed), received: at(received))
    }

    @Test("Slow screens lower the update rate, and fast screens restore it")
    func adapts() {
        var limiter = AdvanceRateLimiter()
        limiter.recordAdvance(at: at(0))
        note(&limiter, composed: 11, received: 11)
        #expect(limiter.interval == 80 * Span.millisecond)
        #expect(limiter.next(after: at(10)) == at(80))
        note(&limiter, composed: 1, received: 41)
        #expect(limiter.interval == 160 * Span.millisecond)
        note(&limiter, composed: 1, received: 79)
        #expect(limiter.interval == 160 * Span.millisecond)
        note(&limiter, composed: 1, received: 2)
        note(&limiter, composed: 1, received: 2)
        #expect(limiter.interval == AdvanceRateLimiter.minInterval)
    }

    @Test("Screens that are drawn after key presses do not delay the next update")
    func keys() {
        var limiter = AdvanceRateLimiter()
        limiter.recordAdvance(at: at(0))
        for number in 1..<4 {
            let composed = at(Int64(number) * 10 + 1)
            limiter.recordScreen(from: at(Int64(number) * 10), composed: composed, received: composed)
        }
        #expect(limiter.next(after: at(5)) == at(40))
    }

    @Test("A slow connection stays idle for half of the time, and its screens have a lower fidelity")
    func slowConnection() {
        var limiter = AdvanceRateLimiter()
        for _ in 0..<8 { note(&limiter, composed: 1, received: 3001) }
        #expect(limiter.interval == 6 * Span.second && limiter.isConnectionSlow)
        note(&limiter, composed: 1, received: 101)
        #expect(limiter.isConnectionSlow)
        for _ in 0..<9 { note(&limiter, composed: 1, received: 2) }
        #expect(limiter.interval == AdvanceRateLimiter.minInterval && !limiter.isConnectionSlow)
    }

    @Test("If no update is pending, none is scheduled")
    func nothing() {
        #expect(AdvanceRateLimiter().next(after: nil) == nil)
    }

    @Test("The interval between updates never exceeds its maximum")
    func bounded() {
        var limiter = AdvanceRateLimiter()
        for _ in 0..<20 { note(&limiter, composed: 5000, received: 5000) }
        #expect(limiter.interval == AdvanceRateLimiter.maxInterval)
    }
}
