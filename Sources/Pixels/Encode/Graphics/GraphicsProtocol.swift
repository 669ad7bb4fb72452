/// A protocol by which terminals show images. The cases are in the order of preference.
public enum GraphicsProtocol: String, CaseIterable, Sendable {
    case kitty
    case iterm2
    case sixel
}
