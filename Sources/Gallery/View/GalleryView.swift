import Base
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

    func screen() -> GalleryScreen {
        var builder = ScreenBuilder(pane)
        if let shown = state.screensaver.shown {
            drawFull(shown, &builder)
            return builder.screen
        }
        if state.mode.isFull, let selected = state.grid.selected {
            drawFull(selected, &builder)
        } else {
            drawGallery(&builder)
        }
        if case .help(let line, _) = state.mode { drawHelp(from: line, &builder) }
        return builder.screen
    }

    private func drawGallery(_ builder: inout ScreenBuilder) {
        drawTiles(&builder)
        if state.grid.items.isEmpty || state.grid.showsSubstitutes { drawPanel(&builder) }
        drawFeeds(&builder)
        let isTyping = state.mode.below.isTyping
        if !isTyping || pane.field != nil { drawStatus(&builder) }
        if isTyping || pane.field != nil { drawField(&builder) }
        if isTyping { drawSuggestions(&builder) }
    }
}

/// The tile requests for the GIFs on the screen and near it.
extension GalleryView {
    func tileRequests() -> [TileRequest] {
        if let shown = state.screensaver.shown { return [fullRequest(shown)] }
        guard state.mode.isFull, let selected = state.grid.selected else { return galleryRequests() }
        let neighbours = [state.grid.neighbour(by: 1), state.grid.neighbour(by: -1)].compactMap(\.self)
        return (state.facts.failures[selected.key] == nil ? [fullRequest(selected)] : []) + neighbours.compactMap(near)
    }

    private func fullRequest(_ reference: GIFReference) -> TileRequest {
        let picture = pane.fullPicture(for: state.facts.canvas(of: reference)).size
        return TileRequest(
            reference: reference, target: picture, purpose: .animation, mode: pane.fullMode,
            wantsOriginal: reference.path == nil)
    }

    /// Nil for a file on this machine, which is not read before it is visible.
    private func near(_ reference: GIFReference) -> TileRequest? {
        guard reference.path == nil else { return nil }
        return TileRequest(reference: reference, target: PixelSize(width: 0, height: 0), purpose: .prefetch)
    }

    /// Returns the requests in four groups: the selected GIF, the other visible GIFs, the GIFs below the screen, and
    /// the GIFs above the screen. Each group is ordered by the distance from the selected GIF.
    private func galleryRequests() -> [TileRequest] {
        let grid = state.grid
        let visible = grid.visibleRows
        let room = grid.content.count
        let middle = grid.selectedIndex.map { grid.rows(of: $0).middle } ?? visible.lowerBound
        var requests: [(order: (Int, Int), request: TileRequest)] = []
        for index in grid.indices(in: visible.lowerBound - room..<visible.upperBound + room) {
            let (reference, rows) = (grid.items[index], grid.rows(of: index))
            guard state.facts.failures[reference.key] == nil else { continue }
            let distance = abs(rows.middle - middle)
            let picture = pane.target(for: state.facts.canvas(of: reference))
            let top = rows.lowerBound + (pane.box.rows - picture.rows) / 2
            if (top..<top + picture.rows).overlaps(visible) {
                let isSelected = index == grid.selectedIndex
                let other: TileRequest.Purpose = state.options.reducesMotion ? .still : .slowAnimation
                let request = TileRequest(
                    reference: reference, target: picture, purpose: isSelected ? .animation : other,
                    mode: pane.tileMode, ground: pane.tileGround)
                requests.append(((isSelected ? 0 : 1, distance), request))
            } else if let request = near(reference) {
                requests.append(((rows.lowerBound >= visible.lowerBound ? 2 : 3, distance), request))
            }
        }
        // The sort is stable: in each group, tiles at the same distance stay in the order of the listing.
        return requests.sorted { $0.order < $1.order }.map(\.request)
    }
}

extension Range<Int> {
    var middle: Int { (lowerBound + upperBound) / 2 }
}
