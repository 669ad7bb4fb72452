/// What happens to a frame's area before the next frame is drawn (GIF89a, Graphic Control Extension).
public enum Disposal: Equatable, Sendable {
    /// The frame stays (0, 1, and the reserved 5 to 7).
    case keep
    /// The area becomes transparent, as browsers do it, not the background colour (2).
    case clear
    /// The area goes back to what it held before the frame (3, and 4 as Chrome and Firefox read it).
    case restore

    /// - Parameter code: the three bits of the extension, 0 to 7.
    public init(code: Int) {
        switch code {
        case 2: self = .clear
        case 3, 4: self = .restore
        default: self = .keep
        }
    }
}
