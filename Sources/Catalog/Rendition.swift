/// One file of a GIF, at one size.
///
/// The numbers come from the service and might be wrong. Use them to choose a file, not to validate it.
public struct Rendition: Hashable, Sendable {
    public var url: String
    /// Other addresses of the same file, to try in order if `url` fails.
    public var alternatives: [String]
    public var width: Int?
    public var height: Int?
    public var bytes: Int?
    public var frames: Int?
    /// Whether the file might contain only the first frame. Such a file must be checked for animation.
    public var mayBeStill: Bool

    public init(
        url: String, alternatives: [String] = [], width: Int? = nil, height: Int? = nil, bytes: Int? = nil,
        frames: Int? = nil, mayBeStill: Bool = false
    ) {
        (self.url, self.alternatives, self.width, self.height, self.bytes) = (url, alternatives, width, height, bytes)
        (self.frames, self.mayBeStill) = (frames, mayBeStill)
    }
}

/// Chooses among the files of one GIF. Prefers the smallest file that fills the display area.
public struct RenditionChoice: Equatable, Sendable {
    /// The display area in pixels. With half blocks, a cell has two pixels, one above the other.
    public var width: Int
    public var height: Int
    /// In bytes. A file with a larger reported size is not tried.
    public var maximumBytes: Int
    /// A size limit in bytes. If the best file that is certainly animated exceeds this limit or ``lightBytes``, files
    /// that might be stills, such as Commons' thumbnails, are tried before it.
    private static let comfortableBytes = 3 << 20
    /// A size limit in bytes, set for gallery tiles. Files up to this size and files of unknown size are tried before
    /// larger files, even if they fill less of the display area. Nil means that there is no such limit.
    public var lightBytes: Int?

    public init(width: Int, height: Int, maximumBytes: Int = 64 << 20) {
        self.width = max(1, width)
        self.height = max(1, height)
        self.maximumBytes = maximumBytes
    }

    /// Returns the renditions in the order in which to try them. Omits files that are too large or have a single frame.
    public func ordered(_ renditions: [Rendition]) -> [Rendition] {
        let ranked = ranked(renditions)
        guard let lightBytes else { return ranked }
        let isLight: (Rendition) -> Bool = { ($0.bytes ?? 0) <= lightBytes }
        return ranked.filter(isLight) + ranked.filter { !isLight($0) }
    }

    private func ranked(_ renditions: [Rendition]) -> [Rendition] {
        let candidates = renditions.filter { ($0.bytes ?? 0) <= maximumBytes && $0.frames != 1 }
        let original = candidates.max { Self.area($0) < Self.area($1) }
        let sure = ranked(candidates.filter { !$0.mayBeStill }, original)
        let unsure = ranked(candidates.filter(\.mayBeStill), original)
        guard let first = sure.first, (first.bytes ?? 0) <= min(Self.comfortableBytes, lightBytes ?? .max) else {
            return unsure + sure
        }
        return sure + unsure
    }

    /// First come the renditions that fill the area, smallest file first. Then come the other ones, largest picture
    /// first, and then those of unknown dimensions, in the service's order.
    private func ranked(_ renditions: [Rendition], _ original: Rendition?) -> [Rendition] {
        guard let original, let whole = Self.extent(original) else { return renditions }
        let scale = min(Double(width) / Double(whole.width), Double(height) / Double(whole.height))
        var filling: [Rendition] = []
        var smaller: [Rendition] = []
        var unknown: [Rendition] = []
        for rendition in renditions {
            guard let extent = Self.extent(rendition) else {
                unknown.append(rendition)
                continue
            }
            // Services round the width and the height down: 480x270 scaled to a width of 100 is 56 high, not 56.25.
            let fills =
                Double(extent.width) + 1 > Double(whole.width) * scale
                && Double(extent.height) + 1 > Double(whole.height) * scale
            if fills { filling.append(rendition) } else { smaller.append(rendition) }
        }
        return filling.sorted(by: Self.isSmallerFile) + smaller.sorted(by: Self.isLargerPicture) + unknown
    }

    private static func isSmallerFile(_ one: Rendition, _ other: Rendition) -> Bool {
        (one.bytes ?? .max, area(one)) < (other.bytes ?? .max, area(other))
    }

    private static func isLargerPicture(_ one: Rendition, _ other: Rendition) -> Bool {
        (-area(one), one.bytes ?? .max) < (-area(other), other.bytes ?? .max)
    }

    private static func extent(_ rendition: Rendition) -> (width: Int, height: Int)? {
        guard let width = rendition.width, let height = rendition.height, width > 0, height > 0 else { return nil }
        return (width, height)
    }

    private static func area(_ rendition: Rendition) -> Int {
        guard let extent = extent(rendition) else { return 0 }
        let (area, overflow) = extent.width.multipliedReportingOverflow(by: extent.height)
        return overflow ? .max : area
    }
}
