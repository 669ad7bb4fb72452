import Application
import Base
import GIFDecode
import Glibc
import Pixels

struct InfoCommand {
    private let files: [String]
    private let settings: Settings

    init(_ invocation: Invocation) throws(CommandError) {
        files = invocation.operands
        _ = try Settings(given: invocation)
        settings = try Settings(invocation, isForLocalItems: true)
    }

    func run() throws {
        let isForPerson = !settings.printsJSON && isatty(STDOUT_FILENO) == 1
        var failed = false
        for file in files {
            do throws(GIFError) {
                let report = try GIFReport(reading: file, limits: settings.limits.forInspection)
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
