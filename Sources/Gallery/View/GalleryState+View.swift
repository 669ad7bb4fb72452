import Catalog
import Pixels
import Playback

extension GalleryState {
    var strings: GalleryStrings { GalleryStrings.of(options.language) }

    /// Returns the screen for the current state.
    public func view() -> Screen {
        var builder = ScreenBuilder(pane.size)
        if let shown = screensaver.shown {
            drawFull(shown, openedBy: .screensaver, &builder)
            return builder.screen
        }
        if mode.isFull, let selected {
            drawFull(selected, openedBy: .user, &builder)
        } else {
            drawGallery(&builder)
        }
        if case .help(let line, _) = mode { drawHelp(from: line, &builder) }
        return builder.screen
    }

    private func drawGallery(_ builder: inout ScreenBuilder) {
        drawTiles(&builder)
        if items.isEmpty { drawPanel(&builder) }
        drawFeeds(&builder)
        let isTyping = mode.below.isTyping
        if !isTyping || pane.field != nil { drawStatus(&builder) }
        if isTyping || pane.field != nil { drawField(&builder) }
    }
}
