import Application
import GIFDecode

/// What a slideshow reports on standard error at its end.
struct SlideshowReport {
    /// Items that could not be played.
    var failures: [String] = []
    /// Other failures: downloads that ended early, and a gallery that could not be opened.
    var errors: [String] = []
    /// Defects and losses that do not change the exit status, such as the damage of a file that was played anyway.
    var remarks: [String] = []

    var isFailure: Bool { !(failures.isEmpty && errors.isEmpty) }
    var messages: [String] { failures + errors + remarks }

    /// Once for each file.
    mutating func add(_ damage: [Damage], frames: Int, of item: PlayItem) {
        guard let remark = ErrorMessages.remark(on: damage, frames: frames) else { return }
        let line = "\(item.name): \(remark)"
        if !remarks.contains(line) { remarks.append(line) }
    }
}
