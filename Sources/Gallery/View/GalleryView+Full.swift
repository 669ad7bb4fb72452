import Base
import Catalog
import Pixels

extension GalleryView {
    func drawFull(_ reference: GIFReference, _ builder: inout ScreenBuilder) {
        let (picture, position) = pane.fullPicture(for: state.facts.canvas(of: reference))
        let rows = position.row..<position.row + picture.rows
        let failure = isScreensaver ? nil : state.facts.failures[reference.key]
        drawPicture(of: reference.key, picture, at: position, rows, failure: failure, &builder)
        drawLines(of: reference, &builder)
    }

    private var isScreensaver: Bool { state.screensaver.shown != nil }

    private func drawLines(of reference: GIFReference, _ builder: inout ScreenBuilder) {
        let first = pane.size.rows - pane.fullLines
        let credit = credit(of: reference)
        let creditStyle: TextStyle = reference.sourceMark == nil ? .plain : .bold
        let title = (state.facts.marks(of: reference.key).isFavourite ? "★ " : "") + title(of: reference)
        let message = state.notices.message.map(language.sentence) ?? ""
        switch pane.fullLines {
        case 0: break
        case 1:
            let line = reference.creditLine
            builder.write(
                credited(message.isEmpty ? title : message, SafeText.line(line.credit), SafeText.line(line.link)),
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
            drawFullStatus(message, row: first + 4, &builder)
        }
    }

    private func drawFullStatus(_ message: String, row: Int, _ builder: inout ScreenBuilder) {
        if isScreensaver {
            let text = language(en: "any key: back to the gallery", de: "beliebige Taste: zurück zur Galerie")
            return builder.write(text, row: row, .dim)
        }
        let selected = state.grid.selected
        let isSmall =
            state.mode.below == .full(.small) && selected?.path == nil
            && selected.map { state.facts.failures[$0.key] == nil } ?? false
        // After its first frame, the original can still be loading.
        let amount = selected.flatMap { state.facts.progress[$0.key] }.map(language.amount)
        let text = isSmall || amount != nil ? language(en: "loading the original…", de: "Original lädt …") : ""
        let progress = [text, amount ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let left = (message.isEmpty ? [position, progress] : [message]).filter { !$0.isEmpty }.joined(separator: " · ")
        builder.write(left, right: hints(beside: left), row: row)
    }

    func details(of reference: GIFReference) -> [String] {
        language.details(of: reference, source: state.title(ofSource: reference.provider), at: state.seconds)
    }
}
