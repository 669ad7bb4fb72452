import Catalog
import Pixels
import Playback

/// Derives the screen and the tile requests from the state of the gallery.
struct GalleryView {
    let state: GalleryState
    let pane: Pane
    let language: Language

    init(_ state: GalleryState) {
        self.state = state
        pane = state.grid.pane
        language = state.options.language
    }

    /// Returns the screen for the state.
    func screen() -> Screen {
        var builder = ScreenBuilder(pane.size)
        if let shown = state.screensaver.shown {
            drawFull(shown, openedBy: .screensaver, &builder)
            return builder.screen
        }
        if state.mode.isFull, let selected = state.grid.selected {
            drawFull(selected, openedBy: .user, &builder)
        } else {
            drawGallery(&builder)
        }
        if case .help(let line, _) = state.mode { drawHelp(from: line, &builder) }
        return builder.screen
    }

    private func drawGallery(_ builder: inout ScreenBuilder) {
        drawTiles(&builder)
        if state.grid.items.isEmpty { drawPanel(&builder) }
        drawFeeds(&builder)
        let isTyping = state.mode.below.isTyping
        if !isTyping || pane.field != nil { drawStatus(&builder) }
        if isTyping || pane.field != nil { drawField(&builder) }
    }
}
