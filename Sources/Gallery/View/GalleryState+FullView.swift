import Base
import Catalog
import Pixels

/// The full view: one GIF as large as possible, with its metadata.
extension GalleryState {
    enum FullViewOpener {
        /// The user opened the GIF.
        case user
        /// The screensaver shows the GIF.
        case screensaver
    }

    func drawFull(_ reference: GIFReference, openedBy opener: FullViewOpener, _ builder: inout ScreenBuilder) {
        let (picture, position) = pane.fullPicture(for: facts.canvas(of: reference))
        let rows = position.row..<position.row + picture.rows
        let box = Box(top: position.row, left: position.column, width: picture.width, height: picture.rows)
        if let reason = facts.failures[reference.key], case .user = opener {
            for run in placeholder(box, strings.failedTile(reason), rows, builder) {
                builder.write(run.text, row: run.position.row, column: run.position.column, run.style)
            }
        } else {
            builder.addTile(
                TilePlacement(
                    key: reference.key, position: position, size: picture, visibleRows: rows,
                    placeholder: placeholder(box, strings.loadingTile, rows, builder)))
        }
        drawLines(of: reference, openedBy: opener, &builder)
    }

    private func drawLines(
        of reference: GIFReference, openedBy opener: FullViewOpener, _ builder: inout ScreenBuilder
    ) {
        let first = pane.size.rows - pane.fullLines
        let credit = credit(of: reference)
        let creditStyle: TextStyle = reference.sourceMark == nil ? .plain : .bold
        let title = (facts.marks(of: reference.key).isFavourite ? "★ " : "") + title(of: reference)
        let message = notice.message.map(strings.sentence) ?? ""
        switch pane.fullLines {
        case 0: break
        case 1:
            let line = reference.creditLine
            builder.write(
                credited(
                    message.isEmpty ? title : message, SafeText.line(line.credit), SafeText.line(line.link)),
                row: first)
        case 2:
            builder.write(
                message.isEmpty ? ([title] + details(of: reference)).joined(separator: " · ") : message, row: first)
            builder.write(credit, row: first + 1, creditStyle)
        default:
            builder.write(title, row: first, .bold)
            builder.write(details(of: reference).joined(separator: " · "), row: first + 1)
            builder.write(SafeText.line(reference.pageURL ?? ""), row: first + 2, TextStyle(isUnderlined: true))
            builder.write(credit, row: first + 3, creditStyle)
            drawFullStatus(opener, message, row: first + 4, &builder)
        }
    }

    private func drawFullStatus(_ opener: FullViewOpener, _ message: String, row: Int, _ builder: inout ScreenBuilder) {
        if case .screensaver = opener { return builder.write(strings.anyKey, row: row, .dim) }
        var state = ""
        if case .full(.small) = mode.below, let key = selected?.key, facts.failures[key] == nil {
            state = strings.loadingOriginal
        }
        let left = (message.isEmpty ? [position, state] : [message]).filter { !$0.isEmpty }.joined(separator: " · ")
        builder.write(left, right: hints(beside: left), row: row)
    }

    /// Returns the author, source, community, licence, size, age and number of comments of a GIF. Omits unknown values.
    func details(of reference: GIFReference) -> [String] {
        Details(reference, strings: strings, sourceTitle: title(ofSource: reference.provider), seconds: seconds).inOrder
    }
}
