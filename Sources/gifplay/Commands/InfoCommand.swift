import Application
import ArgumentParser
import Base
import Catalog
import GIFDecode
import Glibc
import Pixels

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Print size, frames, delays, loop count and damage of GIFs",
        discussion: """
            Prints a line for each file and one for each defect to a terminal. Otherwise, and with --json, \
            prints one JSON object for each file. sha256 has one hash for each frame: that of the composed canvas as \
            RGBA with straight alpha, rows from top to bottom. left_out says which frames have no hash because of a \
            limit. For a file that cannot be drawn it prints \
            {"error": "...", "file": "..."} and exits with status 1. The name of a file that is not UTF-8 is \
            percent-encoded, and "file_encoding" is "percent".
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, folders, URLs, names of built-in GIFs, or '-' for standard input", valueName: "file"),
        completion: .file(extensions: ["gif"]))
    var files: [String]

    @Flag(help: "Print JSON even if the output is a terminal")
    var json = false

    @OptionGroup var limits: LimitOptions

    func run() throws {
        let isForPerson = !json && isatty(STDOUT_FILENO) == 1
        // Files need no configuration.
        let hasAddress = files.contains(where: PlaylistResolver.isAddress)
        let session = ServiceSession(try Settings(ignoresFile: !hasAddress).services)
        defer { session.close() }
        let loader = GIFLoader(session)
        var failed = false
        for name in files {
            for item in items(at: name) {
                // The names in errors and reports are those of the player's messages, except `-`.
                let name = name == "-" ? name : item.name
                switch report(on: item, name, loader) {
                case .success(let report) where isForPerson: report.lines.forEach(printLine)
                case .success(let report): JSONLine.printLine(report)
                case .failure(let error):
                    failed = true
                    let message = error.message
                    if isForPerson {
                        printError("\(name): \(message)")
                    } else {
                        let (file, encoding) = JSONLine.path(name)
                        JSONLine.printLine(
                            ["error": message, "file": file, "file_encoding": encoding].compactMapValues(\.self))
                    }
                }
            }
        }
        if failed { throw CommandError("") }
    }

    /// The GIFs that an argument names. One that does not exist is reported when it is read.
    private func items(at name: String) -> [PlayItem] {
        var (errors, information) = ([CommandError](), stat())
        let exists = stat(name.systemPath, &information) == 0
        if !exists, let sample = Sample.all.first(where: { $0.name == name }) { return [.sample(sample)] }
        let isFolder = exists && information.st_mode & S_IFMT == S_IFDIR
        guard name == "-" || isFolder || PlaylistResolver.isAddress(name) else { return [.file(name)] }
        let items = (try? PlaylistResolver.items(at: name, &errors)) ?? []
        return items.isEmpty ? [.file(name)] : items
    }

    private func report(
        on item: PlayItem, _ name: String, _ loader: GIFLoader
    ) -> Result<GIFReport, CommandError> {
        var list = Playlist(listed: [item])
        switch ItemFetch(loader).next(in: &list) {
        case .end: return .failure(CommandError("nothing to read"))
        // Its subject is the name.
        case .failure(let message): return .failure(CommandError(String(message.trimmingPrefix("\(name): "))))
        case .fetched(let fetched):
            return Result { () throws(GIFError) in
                try GIFReport(name, try fetched.reader(limits: limits.inspectionLimits), limits.inspectionLimits)
            }.mapError { error in
                CommandError(fetched.downloadFailure.map(ErrorMessages.describe) ?? ErrorMessages.describe(error))
            }
        }
    }
}

struct GIFReport: Encodable {
    private let name: String
    /// As ``JSONLine/path(_:)`` returns it.
    var file: String
    var fileEncoding: String?
    var width = 0
    var height = 0
    var version = ""
    var frames = 0
    /// Null without a loop extension, because that is a property of the file.
    @EncodedAsNull var loop: Int?
    /// Of at most ``DecodeLimits/frames`` frames, as ``playMs``.
    var delaysMs: [Int] = []
    var playMs: [Int] = []
    /// Of the frames that were decoded.
    var sha256: [String] = []
    var damaged: [String] = []
    /// What the limits exclude from this report, and the options that include it.
    var leftOut: [String] = []
    var bytes = 0

    private enum CodingKeys: String, CodingKey {
        case file, width, height, version, frames, loop
        case fileEncoding = "file_encoding"
        case delaysMs = "delays_ms"
        case playMs = "play_ms"
        case sha256, damaged, bytes
        case leftOut = "left_out"
    }

    init(_ name: String, _ reader: GIFReader, _ limits: DecodeLimits) throws(GIFError) {
        self.name = name
        (file, fileEncoding) = JSONLine.path(name)
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        width = frame.canvas.width
        height = frame.canvas.height
        var canvas = try Canvas(for: frame)
        repeat {
            let duration = Int(frame.playNanoseconds / 1_000_000)
            milliseconds += duration
            if delaysMs.count < limits.frames {
                delaysMs.append(frame.delayCentiseconds * 10)
                playMs.append(duration)
            }
            guard reader.excess == nil else { continue }
            try canvas.compose(frame)
            sha256.append(Self.hash(canvas))
        } while try reader.next(into: frame)
        let summary = reader.summary
        (frames, version, loop, bytes) = (summary.frames, summary.version, summary.loopCount, summary.bytes)
        damaged = summary.damage.filter { !$0.isLimit }.map(ErrorMessages.describe)
        leftOut = summary.damage.filter(\.isLimit).map(ErrorMessages.describe)
        if let excess = reader.excess {
            let first = sha256.count
            let range = first + 1 < frames ? "frames \(first) to \(frames - 1) are" : "frame \(first) is"
            leftOut.append("\(range) counted, not decoded: \(ErrorMessages.describe(.overLimit(excess)))")
        }
    }

    /// The length of a loop iteration.
    private var milliseconds = 0

    private static func hash(_ canvas: borrowing Canvas) -> String {
        var hash = SHA256()
        // All supported machines are little-endian, so the bytes of a pixel are in the order red, green, blue, alpha.
        canvas.pixels.withUnsafeBytes { hash.update($0) }
        return hash.digest().hexadecimal
    }

    /// One summary line, then one line for each defect and for what is left out.
    var lines: [String] {
        let loops = loop.map { $0 == 0 ? "forever" : "\($0 + 1) times" } ?? "once"
        let first =
            "\(name): \(version), \(width)x\(height), \(frames) frames, \(Double(milliseconds) / 1000) s, plays \(loops), \(bytes) bytes"
        return [first] + (damaged + leftOut).map { "  " + $0 }
    }
}

/// An optional value whose nil is encoded as null and not left out.
@propertyWrapper
struct EncodedAsNull<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
