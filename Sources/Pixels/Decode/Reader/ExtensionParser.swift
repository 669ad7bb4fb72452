/// The content of a Graphic Control Extension, which applies to the next image.
struct GraphicControl {
    /// The disposal code, 0 to 7; see ``Disposal/init(code:)``.
    var disposal = 0
    /// The palette index of transparent pixels; -1 if the frame has no transparent pixels.
    var transparentIndex = -1
    /// The delay in hundredths of a second.
    var delay = 0
}

/// Parses the sub-blocks of one extension and stores the values that playback needs.
struct ExtensionParser {
    private enum Kind {
        case graphicControl
        case application
        case plainText
        case other
    }

    private let kind: Kind
    private var control: GraphicControl?
    private var loopCount: Int?
    private var blocks = 0
    private var isLoopExtension = false

    /// - Parameter code: the byte after the extension introducer, which is the type of the extension.
    init(code: Int32) {
        switch code {
        case 0xF9: kind = .graphicControl
        case 0xFF: kind = .application
        case 0x01: kind = .plainText
        default: kind = .other
        }
    }

    mutating func addBlock(_ block: UnsafeBufferPointer<UInt8>) {
        defer { blocks += 1 }
        switch kind {
        case .graphicControl where blocks == 0 && block.count >= 4:
            control = GraphicControl(
                disposal: Int(block[0] >> 2 & 7), transparentIndex: block[0] & 1 == 1 ? Int(block[3]) : -1,
                delay: Int(block[1]) | Int(block[2]) << 8)
        case .application where blocks == 0:
            isLoopExtension = block.elementsEqual("NETSCAPE2.0".utf8) || block.elementsEqual("ANIMEXTS1.0".utf8)
        case .application where isLoopExtension && block.count >= 3 && block[0] & 7 == 1:
            loopCount = Int(block[1]) | Int(block[2]) << 8
        default: break
        }
    }

    /// A plain-text extension resets `control`, which applies to the plain text and not to the next image.
    func finish(_ control: inout GraphicControl, _ loopCount: inout Int?) {
        if let found = self.control { control = found }
        if let found = self.loopCount { loopCount = found }
        if kind == .plainText { control = GraphicControl() }
    }
}
