import Base
import Pixels
import TestSupport
import Testing

@testable import Playback

@Suite("Choosing pixel graphics")
struct GraphicsOptionTests {
    private let cell = PixelSize(width: 10, height: 20)

    private func traits(kitty: Bool = false, sixel: Bool = false, cell: PixelSize? = nil) -> TerminalTraits {
        var traits = TerminalTraits(size: CellSize(columns: 80, rows: 24))
        traits.graphics.supported = Set((kitty ? [.kitty] : []) + (sixel ? [.sixel] : []))
        traits.graphics.cell = cell
        return traits
    }

    private func layout(_ graphics: GraphicsOption, _ traits: TerminalTraits, showsStatus: Bool = true) -> PaneLayout {
        var options = PlaybackOptions()
        options.graphics = graphics
        options.showsStatus = showsStatus
        return PaneLayout(canvas: PixelSize(width: 100, height: 100), traits: traits, options: options)
    }

    @Test("The option 'auto' starts with half-blocks, and prefers kitty graphics to sixels")
    func auto() {
        #expect(layout(.auto, traits()).mode == .half)
        #expect(layout(.auto, traits(sixel: true)).mode == .half)
        let kitty = PictureMode.kitty(cell: cell, .direct, firstImage: 1)
        #expect(layout(.auto, traits(kitty: true, sixel: true, cell: cell)).mode == kitty)
        let sixel = PictureMode.sixel(cell: cell, background: .black, colors: 256)
        #expect(layout(.auto, traits(sixel: true, cell: cell)).mode == sixel)
        var mlterm = traits(sixel: true, cell: cell)
        mlterm.graphics.needsWholeSixels = true
        let whole = PictureMode.sixel(cell: cell, background: .black, colors: 256, sendsWholePictures: true)
        #expect(layout(.auto, mlterm).mode == whole)
        var tmux = traits(sixel: true, cell: cell)
        tmux.graphics.transport = .tmux
        #expect(layout(.auto, tmux).mode == .half && layout(.only(.sixel), tmux).mode == sixel)
        #expect(layout(.off, traits(kitty: true, sixel: true, cell: cell)).mode == .half)
    }

    @Test(
        "A protocol that the user chooses is used if the terminal reports it, if nothing was queried, or if it is forced",
        arguments: GraphicsProtocol.allCases)
    func chosen(_ graphics: GraphicsProtocol) {
        var queried = traits(cell: cell)
        #expect(layout(.only(graphics), queried).mode != .half && layout(.auto, queried).mode == .half)
        queried.graphics.awaited = [.terminal]
        #expect(layout(.only(graphics), queried).mode == .half && layout(.forced(graphics), queried).mode != .half)
        queried.graphics.supported = [graphics]
        #expect(layout(.only(graphics), queried).mode == layout(.forced(graphics), queried).mode)
    }

    @Test("A refused protocol is reported once all replies have arrived; inside tmux, the missing setting is named")
    func refused() {
        var graphics = TerminalGraphics()
        func refusal(_ option: GraphicsOption = .only(.kitty), _ language: Language = .english) -> String? {
            graphics.refusal(of: option, in: language)
        }
        #expect(refusal() == nil)
        graphics.awaited = [.tmux]
        #expect(refusal() == nil)
        graphics.awaited = []
        #expect(refusal() == "terminal has no kitty; --mode kitty! forces it")
        #expect(refusal(.only(.sixel), .german) == "Terminal ohne sixel; --mode sixel! erzwingt es")
        #expect([.off, .auto, .forced(.kitty)].allSatisfy { refusal($0) == nil })
        graphics.blocked = [.kitty]
        #expect(refusal() == "tmux blocks kitty: set -g allow-passthrough on")
        graphics.supported = [.kitty]
        #expect(refusal() == nil)
    }

    @Test("The picture uses all pixels of the pane, but at most 1600x1200")
    func size() {
        #expect(layout(.only(.kitty), traits(cell: cell)).picture == PixelSize(width: 460, height: 460))
        var large = traits(cell: cell)
        large.size = CellSize(columns: 400, rows: 200)
        #expect(layout(.only(.kitty), large).picture == PixelSize(width: 1194, height: 1194))
        #expect(layout(.only(.sixel), large).picture == PixelSize(width: 1200, height: 1200))
        large.graphics.sixelLimit = PixelSize(width: 800, height: 450)
        #expect(layout(.only(.sixel), large).picture == PixelSize(width: 440, height: 440))
    }

    @Test("Sixels and images of iTerm2 never use the last row of the screen")
    func lastRow() {
        #expect(layout(.only(.iterm2), traits(cell: cell), showsStatus: false).picture.height == 460)
        #expect(layout(.only(.sixel), traits(cell: cell), showsStatus: false).picture.height == 460)
        #expect(layout(.only(.kitty), traits(cell: cell), showsStatus: false).picture.height == 480)
    }

    @Test("If the pane becomes narrower, the lines of half-blocks wrap, but an image fills as many rows as before")
    func rewrapping() {
        let (cells, image) = (layout(.off, traits()), layout(.only(.kitty), traits(cell: cell)))
        #expect(cells.rows == 23 && cells.rows(rewrappedTo: 23) == 46)
        #expect(image.rows == 23 && image.rows(rewrappedTo: 23) == 23)
    }

    @Test("When the terminal reports kitty graphics, one update replaces the half-blocks by an image")
    func switching() throws {
        var options = PlaybackOptions()
        options.graphics = .auto
        options.loops = .forever
        let report = VirtualTerminal.ScriptedEvent(at: .ms(20), .changed, traits: traits(kitty: true, cell: cell))
        let terminal = VirtualTerminal(traits: traits(), script: [report, .key("q", at: 900)])
        let player = Player(
            source: ScriptedFrameSource.flat([50, 50]), terminal: terminal, options: options,
            label: PlaybackLabel(title: ""))
        #expect(player.run() == .quit)
        let updates = terminal.presented.map {
            (time: $0.time.milliseconds, text: String(decoding: $0.bytes, as: UTF8.self))
        }
        #expect(updates[0].time == 0 && updates[0].text.contains("\u{1B}[48;2") && !updates[0].text.contains("_G"))
        #expect(updates[1].time == 20 && updates[1].text.contains("\u{1B}[2J") && updates[1].text.contains("_Ga=p"))
        #expect(updates.contains { $0.time == 500 && $0.text.contains("_Ga=p") && !$0.text.contains("\u{1B}[2J") })
        #expect(try #require(updates.last).text.contains("a=d,d=I"))
    }

    @Test(
        "While the help is open, the terminal shows no kitty image, even after a change; then the image is back",
        arguments: [false, true], [TerminalScreen.full, .inline])
    func panel(storesFrames: Bool, screen terminalScreen: TerminalScreen) throws {
        var options = PlaybackOptions()
        (options.graphics, options.loops, options.screen) = (.only(.kitty), .forever, terminalScreen)
        var traits = traits(kitty: true, cell: cell)
        traits.graphics.features.storesFrames = storesFrames
        var changed = traits
        changed.background = .black
        let terminal = VirtualTerminal(
            traits: traits,
            script: [
                .key("?", at: 120), VirtualTerminal.ScriptedEvent(at: .ms(200), .changed, traits: changed),
                .key("x", at: 300), .key("?", at: 400), .key("x", at: 430), .key("q", at: 900),
            ])
        let player = Player(
            source: ScriptedFrameSource(delays: [50, 50], canvas: PixelSize(width: 40, height: 60)), terminal: terminal,
            options: options, label: PlaybackLabel(title: ""))
        #expect(player.run() == .quit)
        var images: [Int: Bool] = [:]
        var screen = KittyScreen(size: PixelSize(width: 800, height: 480), cell: cell)
        screen.keepsFrames = true
        for update in terminal.presented {
            try screen.feed(update.bytes + [0x1B])
            images[Int(update.time.milliseconds)] = !screen.images.isEmpty
        }
        let hasImage = images.filter { time, _ in
            !(120..<300).contains(time) && !(400..<430).contains(time) && (time < 900 || terminalScreen == .inline)
        }
        #expect(images.allSatisfy { time, isShown in isShown == (hasImage[time] != nil) })
        #expect([120, 300, 400, 430].allSatisfy { images[$0] != nil })
    }

    @Test("Half-blocks, sixels and images inside tmux stay while the help is open", arguments: [0, 1, 2])
    func panelBeside(kind: Int) {
        var options = PlaybackOptions()
        (options.graphics, options.loops) = (kind == 0 ? .off : .only(kind == 1 ? .sixel : .kitty), .forever)
        var traits = traits(kitty: true, sixel: true, cell: cell)
        if kind == 2 { traits.graphics.transport = .tmux }
        let terminal = VirtualTerminal(traits: traits, script: [.key("?", at: 120), .key("q", at: 300)])
        let player = Player(
            source: ScriptedFrameSource.flat([500, 500]), terminal: terminal, options: options,
            label: PlaybackLabel(title: ""))
        #expect(player.run() == .quit)
        let update = terminal.presented.first { $0.time.milliseconds == 120 }
        #expect(update.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("\u{1B}[2J") == false)
    }
}
