import Pixels

/// The keys that need more than the clock and the position.
extension Player {
    func show(_ note: String) { if !note.isEmpty { text.showOutcome(note, at: terminal.now) } }

    func show(_ result: ActionResult) {
        if !result.sequence.isEmpty { result.sequence.withUnsafeBytes { terminal.present(TextLayer.noBytes, $0) } }
        show(result.note)
    }

    func changeDrawing() {
        let graphics = terminal.traits.graphics
        options.drawing = options.drawing.next(in: graphics)
        callbacks.noteDrawing(options.drawing)
        show(options.drawing.name(in: graphics, options.language))
        if painter?.adapt(to: terminal.traits, options.drawing, shown: position.frame) == true { repaint() }
    }
}
