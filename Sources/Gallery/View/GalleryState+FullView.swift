import Base
import Catalog
import Pixels

/// The full view: one GIF as large as possible, with its metadata.
extension GalleryState {
    enum Showing {
        /// The user opened the GIF.
        case chosen
        /// The screensaver shows the GIF.
        case passing
    }

    func drawFull(_ reference: GIFReference, as showing: Showing, _ draft: inout Draft) {
        let (picture, position) = pane.fullPicture(for: knowledge.canvas(of: reference))
        let rows = position.row..<position.row + picture.rows
        let box = Box(top: position.row, left: position.column, width: picture.width, height: picture.rows)
        if let reason = knowledge.failures[reference.key], case .chosen = showing {
            for run in placeholder(box, words.failedTile(reason), rows, draft) {
                draft.write(run.text, row: run.position.row, column: run.position.column, run.style)
            }
        } else {
            draft.place(
                TilePlacement(
                    key: reference.key, position: position, size: picture, visibleRows: rows,
                    placeholder: placeholder(box, words.loadingTile, rows, draft)))
        }
        drawLines(of: reference, as: showing, &draft)
    }

    private func drawLines(of reference: GIFReference, as showing: Showing, _ draft: inout Draft) {
        let first = pane.size.rows - pane.fullLines
        let credit = credit(of: reference)
        let creditStyle: TextStyle = reference.sourceMark == nil ? .plain : .bold
        let title = (knowledge.marks(of: reference.key).isFavourite ? "★ " : "") + title(of: reference)
        let saying = notice.saying.map(words.sentence) ?? ""
        switch pane.fullLines {
        case 0: break
        case 1:
            let line = reference.creditLine
            draft.write(
                credited(
                    saying.isEmpty ? title : saying, SafeText.line(line.credit), SafeText.line(line.link)),
                row: first)
        case 2:
            draft.write(
                saying.isEmpty ? ([title] + details(of: reference)).joined(separator: " · ") : saying, row: first)
            draft.write(credit, row: first + 1, creditStyle)
        default:
            draft.write(title, row: first, .bold)
            draft.write(details(of: reference).joined(separator: " · "), row: first + 1)
            draft.write(SafeText.line(reference.pageURL ?? ""), row: first + 2, TextStyle(isUnderlined: true))
            draft.write(credit, row: first + 3, creditStyle)
            drawFullStatus(showing, saying, row: first + 4, &draft)
        }
    }

    private func drawFullStatus(_ showing: Showing, _ saying: String, row: Int, _ draft: inout Draft) {
        if case .passing = showing { return draft.write(words.anyKey, row: row, .dim) }
        var state = ""
        if case .full(.small) = mode.below, let key = selected?.key, knowledge.failures[key] == nil {
            state = words.loadingOriginal
        }
        let left = (saying.isEmpty ? [position, state] : [saying]).filter { !$0.isEmpty }.joined(separator: " · ")
        draft.write(left, right: hints(beside: left), row: row)
    }

    /// The author, source, community, licence, size, age and number of comments, as far as they are known.
    func details(of reference: GIFReference) -> [String] {
        Details(reference, words: words, sourceTitle: title(ofSource: reference.provider), seconds: seconds).inOrder
    }
}
