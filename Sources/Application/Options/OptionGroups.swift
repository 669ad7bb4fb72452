import ArgumentParser
import Base
import Catalog
import FoundationEssentials
import GIFDecode
import Glibc

/// Options that select the sources to query and filter their results.
public struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Query only this source; 'gifplay sources' lists the names", valueName: "name"),
        completion: .list(GIFSources.names))
    public var source: String?

    @Option(
        help: ArgumentHelp("Strongest content allowed: g, pg, pg-13 or r (default: g)", valueName: "level"),
        completion: .list(Rating.allCases.map(\.rawValue)), transform: OptionValue.rating)
    public var rating: Rating?

    @Option(
        help: ArgumentHelp("Language of the query, two letters (default: en)", valueName: "code"),
        transform: OptionValue.language)
    public var lang: String?

    @Flag(help: "Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)")
    public var offline = false

    @Flag(help: "Ask the servers of cached GIFs for newer ones")
    public var reload = false

    @Option(
        help: ArgumentHelp("Trust the certificates in this file instead of the system's", valueName: "file"),
        completion: .file())
    public var cacert: String?

    public init() {}

    public func validate() throws {
        if let source, !GIFSources.names.contains(source) {
            let hint = CatalogError.hint(forSource: source, GIFSources.names)
            throw ValidationError("--source \(source): unknown source; \(hint)")
        }
        if let cacert, access(cacert, R_OK) != 0 {
            throw ValidationError("--cacert \(cacert): \(SystemError.message())")
        }
    }
}

extension Settings {
    /// The options override the environment and the configuration file.
    public init(
        _ options: ServiceOptions, ignoresFile: Bool = false,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) {
        try self.init(ignoresFile: ignoresFile, environment: environment)
        services.source = options.source
        if let rating = options.rating { services.preferences.rating = rating }
        if let language = options.lang { services.preferences.language = language }
        if options.offline { services.isOffline = true }
        services.reloads = options.reload
        if let file = options.cacert { services.fetch.caFile = file }
    }

    /// Reports and ignores a broken configuration file if all items are local, so that a local GIF still plays.
    public init(_ options: ServiceOptions, isForLocalItems: Bool) throws(CommandError) {
        do throws(CommandError) { try self.init(options) } catch {
            guard isForLocalItems else { throw error }
            printError("\(error.message); the configuration is ignored")
            try self.init(options, ignoresFile: true)
        }
    }
}

/// Options that limit the memory and time that one file can use.
public struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Maximum number of pixels in the canvas and in each frame", valueName: "n"),
        transform: OptionValue.limit)
    public var maxCanvasPixels: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum number of decoded pixels per loop, plus 128 for each byte of the file (default: none; info: 64M)",
            valueName: "n"),
        transform: OptionValue.limit)
    public var maxTotalPixels: Int?

    @Option(help: ArgumentHelp("Maximum bytes to read from a file", valueName: "n"), transform: OptionValue.limit)
    public var maxBytes: Int?

    @Option(
        help: ArgumentHelp("Maximum frames to play from a file (default: none; info: 1M)", valueName: "n"),
        transform: OptionValue.limit)
    public var maxFrames: Int?

    public init() {}

    public var limits: DecodeLimits {
        var limits = DecodeLimits()
        if let maxCanvasPixels { limits.canvasPixels = maxCanvasPixels }
        limits.totalPixels = maxTotalPixels
        if let maxBytes { limits.bytes = maxBytes }
        if let maxFrames { limits.frames = maxFrames }
        return limits
    }

    /// The limits for the command `info`, which hashes the canvas of every frame: within seconds, it reports a
    /// decompression bomb as well. It counts the frames beyond them.
    public var inspectionLimits: DecodeLimits {
        var limits = limits
        limits.skipsExcess = true
        limits.totalPixels = maxTotalPixels ?? 64 << 20
        limits.frames = maxFrames ?? 1 << 20
        return limits
    }

    /// The limits for a still, which needs only the frames up to the first one that is not empty.
    public static func stillLimits(_ limits: DecodeLimits) -> DecodeLimits {
        var limits = limits
        limits.totalPixels = limits.totalPixels ?? 256 << 20
        return limits
    }
}
