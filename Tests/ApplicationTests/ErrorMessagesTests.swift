import Base
import Catalog
import Gallery
import Glibc
import Library
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
        let reasons = "commons: access denied (403), gifcities: server timed out"
        let message = ErrorMessages.nothingFound("zebra", failures: failures).message
        #expect(message.hasPrefix("nothing found for 'zebra' (\(reasons)); built-in GIFs: "))
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
        #expect(error.text == message && Failure(error).message == message)
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
        #expect(kind.text == message)
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

@Suite("Messages for errors of services") struct ServiceErrorMessagesTests {
    @Test(
        "A failed download is described with the host and the reason",
        arguments: [
            (.cancelled, "cancelled"), (.status(404, host: "h"), "h answered 404, not found"),
            (.status(418, host: "h"), "h answered 418"), (.notGIF(.html, host: "h"), "not a GIF (HTML page from h)"),
            (.empty(host: "h"), "h sent no data"),
            (.cut(received: 1_500, expected: 3_000, host: "h"), "the download from h ended after 2 kB of 3 kB"),
            (.cut(received: 900, expected: nil, host: "h"), "the download from h ended after 900 B"),
            (.changed(host: "h"), "the file changed on h during the download"),
            (.cache("write", ENOSPC), "the media cache failed: No space left on device (write)"),
            (.unsafeCacheDirectory, "the media cache is a symbolic link, is not a folder, or belongs to another user"),
            (.tooLargeForCache(limit: 1 << 20), "larger than the media cache, 1 MiB"),
        ] as [(Failure, String)])
    func downloads(error: Failure, message: String) {
        #expect(error.message == message)
        #expect(error.playedUncached.message == message + "; the GIF was played, but not cached")
    }

    @Test(
        "A request without a response is described with the host, and never with the URL",
        arguments: [
            (.unreachable(host: "h", reason: "no route to host"), "h cannot be reached: no route to host"),
            (
                .brokenResponse(host: "h", reason: "Received HTTP/0.9 when not allowed"),
                "h sent a broken response: Received HTTP/0.9 when not allowed"
            ),
            (
                .unreachable(host: "h", reason: "self-signed certificate", .certificate),
                "h cannot be reached: self-signed certificate; --cacert FILE names certificates to trust"
            ),
            (.timedOut(host: "h", milliseconds: 8_050), "h timed out after 8.0 s"),
            (.timedOut(host: "h", milliseconds: 250), "h timed out after 0.2 s"),
            (.tooSlow(host: "h", milliseconds: 30_000), "h sent less than 1 kB in 30 s"),
            (.tooLarge(host: "h", limit: 4 << 20), "h sent more than 4 MiB"),
            (
                .tooLarge(host: "h", limit: 4 << 20, hint: "--max-bytes raises the limit"),
                "h sent more than 4 MiB; --max-bytes raises the limit"
            ),
            (.responseRefused(host: "h", reason: "a redirect to ftp"), "h sent a redirect to ftp, which is refused"),
            (.invalidURL, "not a valid http or https URL"), (.cancelled, "cancelled"),
        ] as [(Failure, String)])
    func requests(error: Failure, message: String) {
        #expect(error.message == message)
    }

    @Test(
        "Each reason why a service returns no listing has its own message",
        arguments: [
            (.tooLarge(host: "h", limit: 4 << 20), "h sent more than 4 MiB"),
            (.invalidURL, "not a valid http or https URL"),
            (
                .refused(status: 429, message: "slow down", retryAfterSeconds: 5),
                "HTTP 429, too many requests (“slow down”); retry after 5 s"
            ),
            (.refused(status: 418, message: nil, retryAfterSeconds: nil), "HTTP 418"),
            (.notJSON(status: 200, received: .html), "sent an HTML page instead of results (HTTP 200)"),
            (.notJSON(status: 500, received: .brokenJSON), "sent truncated JSON instead of results (HTTP 500)"),
            (.api(code: "15", message: "bad key", retryAfterSeconds: nil), "reported the error 15 (“bad key”)"),
            (.outage, "reported an outage"),
            (.noKey(variable: "K"), "needs an API key; set K or --key in the configuration"),
            (.keyRefused(variable: "K", message: nil), "the key in K was refused"),
            (.keyRefused(variable: "K", message: "expired"), "the key in K was refused (“expired”)"),
            (.coolingDown(seconds: 9), "failed recently; not queried for another 9 s"),
            (.nothingFound, "no result"), (.notOffered, "does not offer this list of GIFs"),
            (.foreignPage(source: "giphy"), "this page of results is from giphy"),
            (.outOfTime, "not queried: earlier sources took too long"),
            (
                .unknownSource(name: "tenor", known: ["giphy", "samples"]),
                "unknown source 'tenor'; the sources are giphy, samples"
            ),
            (.cancelled, "cancelled"),
        ] as [(Failure, String)])
    func listings(error: Failure, message: String) {
        #expect(error.message == message)
        #expect(error.of("commons").message == "commons: \(message)")
    }

    @Test("If all sources fail, each is named with its reason")
    func exhausted() {
        let failures = [Failure.outage.of("giphy"), Failure.nothingFound.of("commons")]
        #expect(Failure.exhausted(failures).message == "giphy: reported an outage; commons: no result")
    }

    @Test("Notices name the variable or the setting to change")
    func notices() {
        #expect(
            ErrorMessages.describe(Notices.Notice.keyRefused(variable: "GIPHY_API_KEY"))
                == "the key in GIPHY_API_KEY was refused; other sources are used")
        #expect(ErrorMessages.describe(Notices.Notice.contactRequired).contains("--contact"))
    }
}

@Suite("Messages of the library and of desktop actions") struct LibraryMessagesTests {
    @Test(
        "The message for a failed desktop action contains the reason and, if possible, a hint",
        arguments: [
            (.notSaved(.system("open", EACCES), in: "/x"), "Permission denied (/x)"),
            (.noFreeName("cat.gif"), "cat.gif: this name and all numbered names are in use"),
            (.notWebAddress, "not an http or https URL"),
            (.noDisplay(link: "https://a.example"), "no display for a browser; the link is https://a.example"),
            (.noProgram(tried: ["wl-copy", "xclip"], link: nil), "wl-copy, xclip: not installed"),
            (
                .noProgram(tried: ["xdg-open"], link: "https://a.example"),
                "xdg-open: not installed; the link is https://a.example"
            ),
            (.notStarted(program: "xdg-open", Failure("no memory")), "xdg-open cannot be started: no memory"),
            (
                .programFailed(program: "xdg-open", status: 3),
                "xdg-open failed with status 3; set BROWSER to your browser, or press 'y' to copy the link"
            ),
        ] as [(Failure, String)])
    func sharing(error: Failure, message: String) {
        #expect(Language.english(error) == message)
    }

    @Test(
        "The message for an unusable library contains the reason and, if possible, a hint",
        arguments: [
            (.cannotOpen(path: "/x", reason: "no memory"), "/x cannot be opened: no memory"),
            (.libraryFailed(reason: "disk full"), "the library failed: disk full"),
            (.locked(path: "/x"), "/x: locked by another program; try again after it has finished"),
            (.tooNew(path: "/x"), "/x was written by a newer gifplay; use that version, or another XDG_DATA_HOME"),
            (
                .damaged(path: "/x", reason: "bad page"),
                "/x is damaged: bad page; move it away to start a new library; "
                    + "'sqlite3 FILE .recover' may restore its content"
            ),
        ] as [(Failure, String)])
    func library(error: Failure, message: String) {
        #expect(error.message == message)
    }
}
