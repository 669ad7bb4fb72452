import Foundation
import Synchronization
import TestServer
import TestSupport

/// A fake Wikimedia Commons on loopback. It has one page of 24 results with realistic file sizes (originals of 2.8 MB,
/// thumbnails of 200 kB). Every sixth thumbnail is a still image.
final class LargeFileCommons: Sendable {
    static let count = 24
    static let originalBytes = 2_830_000
    static let thumbnailBytes = 200_000

    let site: FakeSite
    /// The files of the first result are sent only after this gate opens.
    let gate = Gate()
    /// Two gates for each result. A request for any file of the result opens `any`; a request for its original opens
    /// `original`.
    private let arrivals = (0...LargeFileCommons.count).map { _ in (any: Gate(), original: Gate()) }

    /// Waits until a file of a result is requested. During the wait, the gallery's output is not read.
    func waitForFile(of number: Int) { arrivals[number].any.wait() }

    func waitForOriginal(of number: Int) { arrivals[number].original.wait() }

    static func isStill(_ number: Int) -> Bool { number % 6 == 0 }

    init() throws {
        let (original, thumbnail, still) = (
            Self.animated(Self.originalBytes), Self.animated(Self.thumbnailBytes), Self.still()
        )
        site = try FakeSite { [gate, arrivals] request, base in
            if request.path.hasPrefix("/commons") { return try Self.page(base) }
            guard request.path.hasPrefix("/media/") else { return .text("", status: 503) }
            let number = Int(request.path.filter(\.isNumber)) ?? 0
            if request.path.contains("original") { arrivals[number].original.open() }
            arrivals[number].any.open()
            if number == 1 { gate.wait() }
            if request.path.contains("original") { return FakeSite.Reply(body: original) }
            return FakeSite.Reply(body: Self.isStill(number) ? still : thumbnail)
        }
    }

    /// The paths of the requested media files, in order.
    var files: [String] {
        site.requestLines.compactMap { line in
            let path = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            return path.hasPrefix("/media/") ? path : nil
        }
    }

    var bytes: Int {
        files.reduce(0) { sum, path in
            let number = Int(path.filter(\.isNumber)) ?? 0
            let small = Self.isStill(number) ? Self.still().count : Self.thumbnailBytes
            return sum + (path.contains("original") ? Self.originalBytes : small)
        }
    }

    /// Returns a GIF of about `count` bytes: two small frames of one minute each, padded with comment blocks.
    private static func animated(_ count: Int) -> [UInt8] {
        let pixels = (0..<12).map { UInt8($0 % 4) }
        var gif = GIFBuilder(width: 4, height: 3).loop(0).control(delay: 6_000).image(width: 4, height: 3, pixels)
        gif = gif.control(delay: 6_000).image(width: 4, height: 3, pixels.reversed())
        let comment = [UInt8](repeating: 0x20, count: 255)
        let room = count - gif.bytes.count - 1
        let blocks = Array(repeating: comment, count: max(0, room - 3) / 256)
        return gif.block(0xFE, blocks).trailer().bytes
    }

    private static func still() -> [UInt8] {
        GIFBuilder(width: 4, height: 3).image(width: 4, height: 3, (0..<12).map { UInt8($0 % 4) }).trailer().bytes
    }

    private static func page(_ base: String) throws -> FakeSite.Reply {
        try CommonsFile.listing(
            (1...count).map {
                CommonsFile(
                    number: $0, title: "Heavy \($0)", url: "\(base)/media/original/\($0).gif",
                    thumbnail: "\(base)/media/thumb/\($0).gif", bytes: originalBytes, width: 640, height: 480)
            })
    }
}
