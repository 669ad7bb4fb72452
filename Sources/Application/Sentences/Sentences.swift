import Catalog
import GIFDecode
import Glibc

/// Errors as sentences. The modules throw what they know; only here it becomes words.
public enum Sentences {
    /// Words that nothing fits, with those that something carried fits and that look like them.
    public static func nothingFound(_ words: String) -> String {
        let near = SampleSearch().near(words)
        let offer = near.isEmpty ? "" : "; near it: " + near.joined(separator: ", ")
        return "nothing found for \"\(words)\"\(offer). 'gifplay samples' lists what is carried"
    }

    public static func describe(_ error: GIFError) -> String {
        switch error {
        case .unreadable(let error): return describe(error)
        case .empty: return "the file is empty"
        case .notGIF(let kind): return "not a GIF: this is \(kind.rawValue)"
        case .headerCut: return "the file ends within its header"
        case .noImage(let damage):
            let reason = damage.first.map { " (\(describe($0.kind)))" } ?? ""
            return "there is no image in the file\(reason)"
        case .canvasTooLarge(let size, let limit):
            return "the canvas of \(size.width)x\(size.height) pixels is over the limit of \(limit) pixels; "
                + "--max-canvas-pixels \(size.area) allows it"
        case .outOfMemory: return "not enough memory to decode the file"
        }
    }

    public static func describe(_ error: ByteSourceError) -> String {
        switch error {
        case .system(_, _, let code) where code == ENOENT: return "no such file"
        case .system(_, _, let code) where code == EISDIR: return "is a folder"
        case .system(let call, _, let code): return "cannot be read: \(String(cString: strerror(code))) (\(call))"
        case .tooMany(let name, let limit):
            return "\(name) gave more than \(limit) bytes; save it to a file and play that"
        case .interrupted(let reason): return "the bytes stopped coming: \(reason)"
        }
    }

    public static func describe(_ damage: Damage) -> String {
        "frame \(damage.frame): \(describe(damage.kind))"
    }

    public static func describe(_ kind: Damage.Kind) -> String {
        switch kind {
        case .imageCut(let decoded, let count): return "\(decoded) of \(count) pixels decoded"
        case .codeSize(let size): return "an LZW code size of \(size), not 1 to 8"
        case .frameTooLarge(let size, let limit):
            return "\(size.width)x\(size.height) pixels is over the limit of \(limit); --max-canvas-pixels raises it"
        case .fileCut: return "the file ends early"
        case .unknownBlock: return "a block that no GIF has; the rest is not read"
        case .overLimit(.frames(let limit)): return "more than \(limit) frames; --max-frames raises the limit"
        case .overLimit(.totalPixels(let limit)):
            return "more than \(limit) pixels to decode; --max-total-pixels raises the limit"
        case .overLimit(.bytes(let limit)): return "more than \(limit) bytes; --max-bytes raises the limit"
        case .unreadable(let error): return describe(error)
        }
    }
}
