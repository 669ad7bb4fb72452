import Catalog
import Pixels
import Playback

extension GalleryState {
    var words: Words { Words.of(options.language) }

    /// Returns the screen for the current state.
    public func view() -> Screen {
        var draft = Draft(pane.size)
        if let shown = screensaver.shown {
            drawFull(shown, as: .passing, &draft)
            return draft.screen
        }
        if mode.isFull, let selected {
            drawFull(selected, as: .chosen, &draft)
        } else {
            drawGallery(&draft)
        }
        if case .help(let line, _) = mode { drawHelp(from: line, &draft) }
        return draft.screen
    }

    private func drawGallery(_ draft: inout Draft) {
        drawTiles(&draft)
        if items.isEmpty { drawPanel(&draft) }
        drawFeeds(&draft)
        let isTyping = mode.below.isTyping
        if !isTyping || pane.field != nil { drawStatus(&draft) }
        if isTyping || pane.field != nil { drawField(&draft) }
    }
}
