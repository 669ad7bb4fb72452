import Base
import Catalog
import Glibc
import Pixels

struct InfoCommand {
    private let files: [Argument]
    private let settings: Settings
    private var limits: DecodeLimits { settings.limits.forInspection }

    init(_ invocation: Invocation) throws(Failure) {
        files = invocation.operands.map(Argument.init)
        _ = try Settings(given: invocation)
        // Files need no configuration.
        settings = try Settings(invocation, isForLocalItems: !files.contains(where: \.isAddress))
    }

    func run() throws(Failure) {
        let isForPerson = !settings.printsJSON && isatty(STDOUT_FILENO) == 1
        let session = ServiceSession(settings)
        defer { session.close() }
        let loader = GIFLoader(session)
        let progress = files.contains(where: \.isAddress) ? loader.reportProgress() : nil
        defer { withExtendedLifetime(progress, hideProgress) }
        var failed = false
        for argument in files {
            for item in items(at: argument) {
                // The names in errors and reports are those of the player's messages, except `-`.
                let reference = try? item.get()
                let name = argument.text == "-" ? argument.text : reference?.name ?? argument.text
                switch item.flatMap({ report(on: $0, name, loader) }) {
                case .success(let report) where isForPerson: report.lines.forEach(printLine)
                case .success(let report): JSONLine.printLine(report)
                case .failure(let error):
                    failed = true
                    if isForPerson {
                        printError((reference == nil ? error : error.of(name)).message)
                    } else {
                        let message = error.subject == name ? error.text.full : error.message
                        let (file, encoding) = JSONLine.path(name)
                        JSONLine.printLine(
                            ["error": message, "file": file, "file_encoding": encoding].compactMapValues(\.self))
                    }
                }
            }
        }
        if failed { throw Failure.reported }
    }

    /// The GIFs that an argument names. One that does not exist is reported when it is read.
    private func items(at argument: Argument) -> [Result<GIFReference, Failure>] {
        let name = argument.text
        var (errors, information) = ([Failure](), stat())
        let exists = stat(name.systemPath, &information) == 0
        if !exists, let sample = Sample.all.first(where: { $0.name == name }) { return [.success(.sample(sample))] }
        let isFolder = exists && information.st_mode & S_IFMT == S_IFDIR
        guard name == "-" || isFolder || argument.address != nil else { return [.success(.file(name))] }
        do throws(Failure) {
            let items = try PlaylistResolver.items(at: argument, &errors)
            return items.isEmpty ? [.success(.file(name))] : items.map { .success($0) }
        } catch {
            return [.failure(error)]
        }
    }

    private func report(
        on item: GIFReference, _ name: String, _ loader: GIFLoader
    ) -> Result<GIFReport, Failure> {
        var list = Playlist(listed: [item])
        return Result { () throws(Failure) in
            guard let fetched = try list.fetchNext(loader) else { throw Failure("nothing to read") }
            let report: GIFReport
            do throws(GIFError) {
                report = try item.withPipeNotice { () throws(GIFError) in
                    try GIFReport(name, try fetched.reader(limits: limits), limits)
                }
            } catch {
                throw fetched.failure(for: error, of: name)
            }
            // The file of a download that goes on is in the cache afterwards.
            if report.leftOut.isEmpty { fetched.download?.finishStoring() }
            if let failure = fetched.downloadFailure { throw failure.of(name) }
            return report
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
        let canvas = try Canvas(size: frame.canvas)
        repeat {
            let duration = Int(frame.playNanoseconds / 1_000_000)
            milliseconds += duration
            if delaysMs.count < limits.frames {
                delaysMs.append(frame.delayCentiseconds * 10)
                playMs.append(duration)
            }
            guard reader.excess == nil else { continue }
            try canvas.draw(frame)
            sha256.append(Self.hash(canvas))
        } while try reader.next(into: frame)
        let summary = reader.summary
        (frames, version, loop, bytes) = (summary.frames, summary.version, summary.loopCount, summary.bytes)
        damaged = summary.damage.filter { !$0.isLimit }.map(ErrorMessages.describe)
        leftOut = summary.damage.filter(\.isLimit).map(ErrorMessages.describe)
        if let excess = reader.excess {
            let first = sha256.count
            let range = first + 1 < frames ? "frames \(first) to \(frames - 1) are" : "frame \(first) is"
            leftOut.append("\(range) counted, not decoded: \(Damage.Kind.overLimit(excess).text)")
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
