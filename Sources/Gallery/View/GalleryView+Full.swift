import Base
import Catalog
import Pixels
import Playback

extension GalleryView {
    func drawFull(_ reference: GIFReference, _ builder: inout ScreenBuilder) {
        let (picture, position) = pane.fullPicture(for: state.facts.canvas(of: reference))
        let rows = position.row..<position.row + picture.rows
        drawPicture(of: reference.key, picture, at: position, rows, showsFailure: !isScreensaver, &builder)
        drawLines(of: reference, &builder)
    }

    private var isScreensaver: Bool { state.screensaver.shown != nil }

    private func drawLines(of reference: GIFReference, _ builder: inout ScreenBuilder) {
        let first = pane.size.rows - pane.fullLines
        let title = (state.facts.marks(of: reference.key).isFavourite ? "★ " : "") + title(of: reference)
        let message = state.notices.message.map(language.sentence) ?? ""
        let line = reference.creditLine
        switch pane.fullLines {
        case 0: break
        case 1:
            builder.write(
                credited(message.isEmpty ? title : message, SafeText.line(line.credit), SafeText.line(line.link)),
                row: first, link: reference.pageURL)
        default:
            let isLast = pane.fullLines == 2
            builder.writeCentered(
                isLast && !message.isEmpty ? message : title, row: first, .bold, link: reference.pageURL)
            let style: TextStyle = reference.sourceMark == nil ? .dim : .bold
            builder.writeCentered(credits(of: reference), row: first + 1, style, link: reference.pageURL)
            if !isLast { drawFullStatus(message, row: first + 2, &builder) }
        }
    }

    /// Returns the credit, the link, which is shortened, and as much else about the GIF as fits beside them.
    private func credits(of reference: GIFReference) -> String {
        let (parts, community) = (credit(of: reference), SafeText.line(reference.community ?? ""))
        let credit = joined(parts + (parts.contains { $0.contains(community) } ? [] : [community]))
        let room = pane.size.columns - TerminalText.width(credit) - 3
        let link = TerminalText.fitted(SafeText.line(reference.pageURL ?? ""), to: room)
        let start = joined([credit, room < Self.narrowestLink ? "" : link])
        return language.facts(of: reference, at: state.seconds).reduce(start) { line, part in
            let longer = joined([line, part])
            return TerminalText.width(longer) <= pane.size.columns ? longer : line
        }
    }

    private static let narrowestLink = 16

    private func drawFullStatus(_ message: String, row: Int, _ builder: inout ScreenBuilder) {
        if isScreensaver {
            let hint = language(en: "other keys: back to the gallery", de: "andere Tasten: zurück zur Galerie")
            let text = message.isEmpty ? hint : message
            return builder.write(text, right: hints(beside: text), row: row)
        }
        let selected = state.grid.selected
        let isSmall =
            state.mode.below == .full(.small) && selected?.path == nil
            && selected.map { state.facts.failures[$0.key] == nil } ?? false
        // After its first frame, the original can still be loading.
        let amount = selected.flatMap { state.facts.progress[$0.key] }.map(language.amount)
        let text = isSmall || amount != nil ? language(en: "loading the original…", de: "Original lädt …") : ""
        let progress = [text, amount ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let left = joined([position, playback, message.isEmpty ? progress : message])
        builder.write(left, right: hints(beside: left), row: row)
    }

    /// The pause and the speed; empty for usual playback.
    private var playback: String {
        let playback = state.playback
        let pause = playback.isPaused ? language.paused(frame: playback.frame ?? 0, of: playback.frames) : ""
        return joined([pause, playback.speed == 1 ? "" : "×" + PlaybackSpeeds.text(playback.speed)])
    }
}
