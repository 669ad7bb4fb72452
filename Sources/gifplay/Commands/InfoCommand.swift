import Application
import ArgumentParser
import Base
import GIFDecode
import Glibc
import Pixels

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Print size, frames, delays, loop count and damage of GIF files",
        discussion: """
            Prints a line for each file and one for each defect to a terminal. Otherwise, and with --json, \
            prints one JSON object for each file. sha256 has one hash for each frame: that of the composed canvas as \
            RGBA with straight alpha, rows from top to bottom. left_out says which frames have no hash because of a \
            limit. For a file that cannot be drawn it prints \
            {"error": "...", "file": "..."} and exits with status 1.
            """)

    @Argument(
        help: ArgumentHelp("GIF files, or '-' for standard input", valueName: "file"),
        completion: .file(extensions: ["gif"]))
    var files: [String]

    @Flag(help: "Print JSON even if the output is a terminal")
    var json = false

    @OptionGroup var limits: LimitOptions

    func run() throws {
        let isForPerson = !json && isatty(STDOUT_FILENO) == 1
        var failed = false
        for file in files {
            do throws(GIFError) {
                let report = try GIFReport(reading: file, limits: limits.inspectionLimits)
                if isForPerson { report.lines.forEach(printLine) } else { JSONLine.printLine(report) }
            } catch {
                failed = true
                let message = ErrorMessages.describe(error)
                if isForPerson {
                    printError("\(file): \(message)")
                } else {
                    JSONLine.printLine(["error": message, "file": file])
                }
            }
        }
        if failed { throw CommandError("") }
    }

}

struct GIFReport: Encodable {
    var file: String
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
        case delaysMs = "delays_ms"
        case playMs = "play_ms"
        case sha256, damaged, bytes
        case leftOut = "left_out"
    }

    init(reading file: String, limits: DecodeLimits) throws(GIFError) {
        self.file = file
        let reader = GIFReader(openSource(file, limits: limits), limits: limits)
        let frame = IndexedFrame()
        guard try reader.next(into: frame) else { throw .noImage(reader.summary.damage) }
        width = frame.canvas.width
        height = frame.canvas.height
        let canvas = try Canvas(for: frame)
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

    private static func hash(_ canvas: Canvas) -> String {
        var hash = SHA256()
        // All supported machines are little-endian, so the bytes of a pixel are in the order red, green, blue, alpha.
        canvas.pixels.withUnsafeBytes { hash.update($0) }
        return hash.digest().hexadecimal
    }

    /// One summary line, then one line for each defect and for what is left out.
    var lines: [String] {
        let loops = loop.map { $0 == 0 ? "forever" : "\($0 + 1) times" } ?? "once"
        let first =
            "\(file): \(version), \(width)x\(height), \(frames) frames, \(Double(milliseconds) / 1000) s, plays \(loops), \(bytes) bytes"
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
