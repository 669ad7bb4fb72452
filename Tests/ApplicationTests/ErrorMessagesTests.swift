import Catalog
import Testing

@testable import Application
@testable import GIFDecode

@Suite struct ErrorMessagesTests {
    @Test("The error for a search without results suggests a similar word, or else the list of samples")
    func nothingFound() {
        #expect(ErrorMessages.nothingFound("dancign") == "nothing found for 'dancign'; did you mean dancing?")
        let far = "nothing found for 'such thing at all'; 'gifplay samples' lists the built-in samples"
        #expect(ErrorMessages.nothingFound("such thing at all") == far)
    }

    @Test("The error for a missing network names no host")
    func noNetwork() {
        let failures = ["commons", "gifcities", "openverse"].map {
            SourceFailure(source: $0, reason: .transport(.unreachable(host: "\($0).org", reason: "no route to host")))
        }
        #expect(
            ErrorMessages.nothingFound("zebra", failures: failures)
                == "no network: none of 3 services could be reached; no built-in sample matches 'zebra'")
        #expect(
            ErrorMessages.nothingFound("zebra", failures: [failures[0]])
                == "no network: the service could not be reached; no built-in sample matches 'zebra'")
    }

    @Test("The error names each failed service once, with a short reason")
    func refusals() {
        let failures = [
            SourceFailure(source: "commons", reason: .refused(status: 403, message: "long", retryAfterSeconds: nil)),
            SourceFailure(
                source: "gifcities", reason: .transport(.timedOut(host: "gifcities.org", milliseconds: 8000))),
        ]
        #expect(
            ErrorMessages.nothingFound("zebra", failures: failures)
                == "nothing found for 'zebra' (commons: HTTP 403, gifcities: timed out); "
                + "'gifplay samples' lists the built-in samples")
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
            ([Damage(frame: 4, kind: .overLimit(.frames(4)))], 4, nil), ([], 4, nil),
        ] as [([Damage], Int, String?)])
    func damage(damage: [Damage], frames: Int, clause: String?) {
        #expect(ErrorMessages.damaged(damage, frames: frames) == clause)
    }

    @Test(
        "Messages of the argument parser are rewritten as SUBJECT: PROBLEM; HINT",
        arguments: [
            ("The value 'x' is invalid for '--rating <level>': expected g or pg", "--rating x: expected g or pg"),
            (
                "The value 'a' is invalid for '--fidelity <level>'. Please provide one of 'exact', 'standard' and 'low'.",
                "--fidelity a: expected exact, standard or low"
            ),
            ("Unknown option '--x'", "--x: unknown option; 'gifplay play --help' lists the options"),
            ("Unknown option '--sise'. Did you mean '--size'?", "--sise: unknown option; did you mean --size?"),
            ("Missing value for '--size <n>'", "--size: needs a value; 'gifplay play --help' lists the options"),
            ("Unexpected argument 'x'", "x: unexpected argument; 'gifplay play --help' describes the command"),
            ("--json: needs --list", "--json: needs --list"),
        ])
    func usage(parserMessage: String, message: String) {
        let help = "Error: …\nUsage: gifplay play [<options>]\n  See 'gifplay play --help' for more information."
        #expect(UsageMessage.text(parserMessage, help: help) == message)
    }

    @Test("A swap of two letters counts as one edit")
    func editDistance() {
        #expect(EditDistance.between("brwose", "browse") == 1)
        #expect(EditDistance.between("librarry", "library") == 1)
        #expect(EditDistance.between("", "cat") == 3 && EditDistance.between("cat", "cat") == 0)
        #expect(EditDistance.between("kitten", "sitting") == 3)
    }
}
