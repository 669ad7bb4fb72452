import Testing

@testable import Catalog

@Suite struct RenditionChoiceTests {
    private static func file(_ name: String, _ width: Int?, _ height: Int?, _ bytes: Int?, still: Bool = false)
        -> Rendition
    {
        Rendition(url: name, width: width, height: height, bytes: bytes, mayBeStill: still)
    }

    static let landscape = [
        file("small-w", 100, 56, 95_897), file("small-h", 178, 100, 304_517), file("w200", 200, 113, 500_000),
        file("h200", 356, 200, 1_217_657), file("downsized", 480, 270, 1_612_044),
        file("original", 480, 270, 1_843_211),
    ]
    static let portrait = [
        file("small-w", 100, 178, 304_517), file("small-h", 56, 100, 95_897), file("original", 270, 480, 1_843_211),
    ]

    @Test(
        "The smallest rendition that fills the display area comes first",
        arguments: [
            ("a usual terminal", landscape, 80, 48, "small-w"), ("portrait", portrait, 80, 48, "small-h"),
            ("exactly as wide", landscape, 100, 100, "small-w"), ("a little wider", landscape, 102, 100, "small-h"),
            ("a large terminal", landscape, 240, 130, "h200"),
            ("larger than all", landscape, 1_000, 1_000, "downsized"), ("nonsense", landscape, 0, -5, "small-w"),
        ] as [(String, [Rendition], Int, Int, String)])
    func smallestFilling(name: String, files: [Rendition], width: Int, height: Int, first: String) {
        let ordered = RenditionChoice(width: width, height: height).ordered(files)
        #expect(ordered.first?.url == first, "\(name)")
        #expect(Set(ordered) == Set(files))
        #expect(RenditionChoice(width: width, height: height).ordered(files.reversed()).first?.url == first)
    }

    @Test("The order of KLIPY renditions depends on their sizes, not on their names")
    func klipyNames() {
        let files = [
            Self.file("xs", 120, 90, 50_000), Self.file("sm", 200, 150, 160_000), Self.file("md", 600, 450, 900_000),
            Self.file("hd", 480, 360, 2_000_000),
        ]
        #expect(RenditionChoice(width: 300, height: 200).ordered(files).map(\.url) == ["md", "hd", "sm", "xs"])
    }

    @Test("Renditions of unknown dimensions come last, in the service's order")
    func unknownSizes() {
        let files = ["a", "b", "c"].map { Self.file($0, nil, nil, nil) }
        #expect(RenditionChoice(width: 80, height: 48).ordered(files).map(\.url) == ["a", "b", "c"])
        let mixed = files + [Self.file("known", 50, 50, 10)]
        #expect(RenditionChoice(width: 80, height: 48).ordered(mixed).map(\.url) == ["known", "a", "b", "c"])
    }

    @Test("A rendition of unknown file size comes after renditions of known file size")
    func unknownBytes() {
        let files = [Self.file("unknown", 100, 100, nil), Self.file("known", 200, 200, 900_000)]
        #expect(RenditionChoice(width: 80, height: 48).ordered(files).map(\.url) == ["known", "unknown"])
    }

    @Test(
        "A Commons original of more than 3 MiB comes after its thumbnail",
        arguments: [
            (900_000, ["original", "thumb"]), (3 << 20, ["original", "thumb"]), ((3 << 20) + 1, ["thumb", "original"]),
            (61_000_000, ["thumb", "original"]), (70_000_000, ["thumb"]),
        ])
    func largeOriginal(bytes: Int, order: [String]) {
        let files = [Self.file("original", 640, 480, bytes), Self.file("thumb", 120, 90, nil, still: true)]
        #expect(RenditionChoice(width: 80, height: 48).ordered(files).map(\.url) == order)
    }

    @Test(
        "In a gallery tile, the thumbnail comes first if the original exceeds the byte limit of the tile",
        arguments: [(500_000, ["original", "thumb"]), (500_001, ["thumb", "original"])])
    func tileThumbnail(bytes: Int, order: [String]) {
        let files = [Self.file("original", 640, 480, bytes), Self.file("thumb", 120, 90, nil, still: true)]
        var choice = RenditionChoice(width: 30, height: 24)
        choice.lightBytes = 500_000
        #expect(choice.ordered(files).map(\.url) == order)
    }

    @Test("If no rendition below the byte limit fills a gallery tile, the largest one below the limit comes first")
    func tileWithoutFilling() {
        var choice = RenditionChoice(width: 240, height: 130)
        choice.lightBytes = 400_000
        #expect(
            choice.ordered(Self.landscape).map(\.url) == [
                "small-h", "small-w", "h200", "downsized", "original", "w200",
            ])
    }

    @Test("Still images and files above the size limit are left out")
    func leftOut() {
        let still = Rendition(url: "still", width: 10, height: 10, bytes: 10, frames: 1)
        #expect(RenditionChoice(width: 80, height: 48, maximumBytes: 5).ordered(Self.landscape + [still]).isEmpty)
        #expect(RenditionChoice(width: 80, height: 48).ordered([still]).isEmpty)
    }
}
