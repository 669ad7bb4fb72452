import Base
import Catalog
import Glibc
import Testing

@testable import Application
@testable import Pixels

@Suite struct ErrorMessagesTests {
    @Test("The error for a search without results suggests a similar word, or else three built-in GIFs")
    func nothingFound() {
        #expect(ErrorMessages.nothingFound("dancign").message == "nothing found for 'dancign'; did you mean dancing?")
        let far = ErrorMessages.nothingFound("zzyzx").message
        #expect(far.hasPrefix("nothing found for 'zzyzx'; built-in GIFs: "))
        #expect(builtIn(far).count == 3 && Set(builtIn(far)).isSubset(of: Sample.all.map(\.name)))
    }

    private func builtIn(_ message: String) -> [String] {
        let list = message.components(separatedBy: "built-in GIFs: ").last?.components(separatedBy: ", and more").first
        return list?.components(separatedBy: ", ") ?? []
    }

    @Test("The error for a missing network names no host")
    func noNetwork() {
        let failures = ["commons", "gifcities", "openverse"].map {
            Failure.unreachable(host: "\($0).org", reason: "no route to host").of($0)
        }
        let none = ErrorMessages.nothingFound("zebra", failures: failures).message
        #expect(none.hasPrefix("no network: none of 3 services could be reached; built-in GIFs: "))
        #expect(Set(builtIn(none)).isSubset(of: Sample.all.map(\.name)))
        let one = ErrorMessages.nothingFound("zebra", failures: [failures[0]]).message
        #expect(one.hasPrefix("no network: the service could not be reached; built-in GIFs: "))
    }

    @Test("The error for a search without results names each failed service once, with a short reason")
    func refusals() {
        let failures = [
            Failure.refused(status: 403, message: "long", retryAfterSeconds: nil).of("commons"),
            Failure.timedOut(host: "gifcities.org", milliseconds: 8000).of("gifcities"),
        ]
        #expect(
            ErrorMessages.nothingFound("zebra", failures: failures).message.hasPrefix(
                "nothing found for 'zebra' (commons: access denied (403), gifcities: server timed out); built-in GIFs: "
            ))
    }

    @Test(
        "Damage is described with frame numbers that start at 1",
        arguments: [
            ([Damage(frame: 12, kind: .fileCut)], 12, "the file ends after frame 12"),
            (
                [Damage(frame: 11, kind: .imageCut(decoded: 3, count: 9)), Damage(frame: 12, kind: .fileCut)], 12,
                "the file ends in frame 12"
            ),
            ([Damage(frame: 2, kind: .imageCut(decoded: 3, count: 9))], 12, "frame 3 is incomplete"),
            ([Damage(frame: 0, kind: .codeSize(12))], 2, "frame 1 cannot be decoded"),
            (
                [
                    Damage(frame: 2, kind: .imageCut(decoded: 3, count: 9)),
                    Damage(frame: 5, kind: .imageCut(decoded: 3, count: 9)), Damage(frame: 12, kind: .fileCut),
                ], 12, "the file ends after frame 12, and 2 more"
            ),
            ([Damage(frame: 4, kind: .unknownBlock)], 4, "unknown data after frame 4, the rest is not read"),
            ([], 4, nil),
        ] as [([Damage], Int, String?)])
    func damage(damage: [Damage], frames: Int, clause: String?) {
        #expect(ErrorMessages.remark(on: damage, frames: frames) == clause.map { "damaged: " + $0 })
    }

    @Test("Frames that a limit excludes are reported beside the damage, with the option that includes them")
    func leftOut() {
        let limit = Damage(frame: 4, kind: .overLimit(.bytes(1 << 30)))
        let left = "frames after 4 are left out: more than 1 GiB; --max-bytes raises the limit"
        #expect(ErrorMessages.remark(on: [limit], frames: 4) == left)
        let cut = Damage(frame: 2, kind: .imageCut(decoded: 3, count: 9))
        #expect(ErrorMessages.remark(on: [cut, limit], frames: 4) == "damaged: frame 3 is incomplete; " + left)
    }

    @Test(
        "A file that cannot be played is described with the reason and the remedy",
        arguments: [
            (.system(call: "open", errno: ENOENT), "No such file or directory"),
            (.system(call: "read", errno: EISDIR), "is a folder"),
            (.system(call: "open", errno: EACCES), "cannot be read: Permission denied (open)"),
            (.terminal, "is a terminal; name a file, or pipe a GIF into 'gifplay -'"),
            (
                .tooManyBytes(name: "standard input", limit: 128 << 20),
                "standard input has more than 128 MiB; save it to a file and play the file"
            ),
            (.interrupted, "reading failed"), (.empty, "the file is empty"),
            (.notGIF(.png), "not a GIF (PNG image)"), (.headerCut, "the file ends within its header"),
            (.noImage([]), "there is no image in the file"),
            (
                .noImage([Damage(frame: 0, kind: .codeSize(12))]),
                "there is no image in the file (LZW code size 12 is not in the range 1 to 8)"
            ),
            (
                .canvasTooLarge(PixelSize(width: 50, height: 40), limit: 1_000),
                "the canvas of 50x40 pixels is over the limit of 1000 pixels; --max-canvas-pixels 2000 allows it"
            ),
            (.outOfMemory, "not enough memory to decode the file"),
        ] as [(GIFError, String)])
    func unplayable(error: GIFError, message: String) {
        #expect(ErrorMessages.describe(error) == message)
    }

    @Test(
        "Each kind of damage is described; if the file exceeds a limit, the message names the option for the limit",
        arguments: [
            (.imageCut(decoded: 3, count: 9), "3 of 9 pixels decoded"),
            (.codeSize(0), "LZW code size 0 is not in the range 1 to 8"),
            (
                .frameTooLarge(PixelSize(width: 9, height: 8), limit: 70),
                "9x8 pixels is over the limit of 70; --max-canvas-pixels raises it"
            ),
            (.fileCut, "the file ends early"), (.unknownBlock, "unknown block; the rest is not read"),
            (.overLimit(.frames(4)), "more than 4 frames; --max-frames raises the limit"),
            (.overLimit(.totalPixels(64)), "more than 64 pixels to decode; --max-total-pixels raises the limit"),
            (.overLimit(.bytes(1 << 20)), "more than 1 MiB; --max-bytes raises the limit"),
            (.unreadable(.interrupted), "reading failed"),
        ] as [(Damage.Kind, String)])
    func kinds(kind: Damage.Kind, message: String) {
        #expect(ErrorMessages.describe(kind) == message)
        #expect(ErrorMessages.describe(Damage(frame: 7, kind: kind)) == "frame 7: \(message)")
    }

    @Test("A swap of two letters counts as one edit")
    func editDistance() {
        #expect(EditDistance.between("brwose", "browse") == 1)
        #expect(EditDistance.between("librarry", "library") == 1)
        #expect(EditDistance.between("", "cat") == 3 && EditDistance.between("cat", "cat") == 0)
        #expect(EditDistance.between("kitten", "sitting") == 3)
    }
}
