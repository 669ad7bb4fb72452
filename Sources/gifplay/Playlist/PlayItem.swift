import Catalog
import GIFDecode
import Playback

/// Something to play: where its bytes are and what the status line says of it.
enum PlayItem: Sendable {
    case file(String)
    case standardInput
    case sample(Sample)

    var label: PlaybackLabel {
        switch self {
        case .file(let path):
            let parts = path.split(separator: "/")
            let folder = parts.dropLast().joined(separator: "/")
            return PlaybackLabel(title: parts.last.map(String.init) ?? path, detail: folder)
        case .standardInput: return PlaybackLabel(title: "standard input")
        case .sample(let sample): return PlaybackLabel(title: sample.title, detail: "carried by gifplay")
        }
    }

    /// What to call it in a sentence.
    var name: String {
        switch self {
        case .file(let path): return path
        case .standardInput: return "standard input"
        case .sample(let sample): return sample.name
        }
    }

    func reader(limits: DecodeLimits) throws(GIFError) -> GIFReader {
        switch self {
        case .file(let path): return GIFReader(try openSource(path, limits: limits), limits: limits)
        case .standardInput: return GIFReader(try openSource("-", limits: limits), limits: limits)
        case .sample(let sample): return GIFReader(MemoryByteSource(borrowing: sample.bytes), limits: limits)
        }
    }
}

/// The most of standard input that is kept for playing it again.
private let keptInput = 128 << 20

/// - Parameter name: a path, or `-` for standard input.
func openSource(_ name: String, limits: DecodeLimits) throws(GIFError) -> any ByteSource {
    if name == "-" {
        return PipeByteSource(descriptor: 0, name: "standard input", limit: min(limits.bytes, keptInput))
    }
    do throws(ByteSourceError) { return try FileByteSource(path: name) } catch { throw .unreadable(error) }
}
