/// The disposal method of a frame (GIF89a, Graphic Control Extension). It determines how the frame's area is changed
/// before the next frame is drawn.
public enum Disposal: Equatable, Sendable {
    /// The frame stays on the canvas (codes 0 and 1, and the reserved codes 5 to 7).
    case keep
    /// The area becomes transparent (code 2). GIF89a specifies the background colour, but browsers use
    /// transparency.
    case clear
    /// The area gets back the pixels that it had before the frame was drawn (code 3). Code 4 has the same effect, as in
    /// Chrome and Firefox.
    case restore

    /// - Parameter code: the value of the three disposal bits of the extension, 0 to 7.
    public init(code: Int) {
        switch code {
        case 2: self = .clear
        case 3, 4: self = .restore
        default: self = .keep
        }
    }
}
