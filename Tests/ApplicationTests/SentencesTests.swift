import Catalog
import Testing

@testable import Application
@testable import GIFDecode

@Suite struct SentencesTests {
    @Test("A query without results suggests a word that is one slip away, and none that is further")
    func nothingFound() {
        #expect(Sentences.nothingFound("dancign") == "nothing found for 'dancign'; did you mean dancing?")
        let far = "nothing found for 'such thing at all'; 'gifplay samples' lists the built-in samples"
        #expect(Sentences.nothingFound("such thing at all") == far)
    }

    @Test("Without a network the error is one line that names no host")
    func noNetwork() {
        let failures = ["commons", "gifcities", "openverse"].map {
            SourceFailure(source: $0, reason: .transport(.unreachable(host: "\($0).org", reason: "no route to host")))
        }
        #expect(
            Sentences.nothingFound("zebra", failures: failures)
                == "no network: none of 3 services could be reached; no built-in sample matches 'zebra'")
        #expect(
            Sentences.nothingFound("zebra", failures: [failures[0]])
                == "no network: the service could not be reached; no built-in sample matches 'zebra'")
    }

    @Test("Services that answered with errors are named once, with the reason in a few words")
    func refusals() {
        let failures = [
            SourceFailure(source: "commons", reason: .refused(status: 403, message: "long", retryAfterSeconds: nil)),
            SourceFailure(
                source: "gifcities", reason: .transport(.timedOut(host: "gifcities.org", milliseconds: 8000))),
        ]
        #expect(
            Sentences.nothingFound("zebra", failures: failures)
                == "nothing found for 'zebra' (commons: HTTP 403, gifcities: no answer); "
                + "'gifplay samples' lists the built-in samples")
    }

    @Test(
        "Damage is described by frames counted from 1",
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
        #expect(Sentences.damaged(damage, frames: frames) == clause)
    }

    @Test(
        "Messages of the parser become SUBJECT: PROBLEM; HINT",
        arguments: [
            ("The value 'x' is invalid for '--rating <level>': choose g or pg", "--rating x: choose g or pg"),
            (
                "The value 'a' is invalid for '--fidelity <level>'. Please provide one of 'exact', 'standard' and 'low'.",
                "--fidelity a: choose exact, standard or low"
            ),
            ("Unknown option '--x'", "--x: unknown option; 'gifplay play --help' lists the options"),
            ("Unknown option '--sise'. Did you mean '--size'?", "--sise: unknown option; did you mean --size?"),
            ("Missing value for '--size <n>'", "--size: needs a value; 'gifplay play --help' lists the options"),
            ("Unexpected argument 'x'", "x: unexpected argument; 'gifplay play --help' describes the command"),
            ("--json: only with --list", "--json: only with --list"),
        ])
    func usage(message: String, sentence: String) {
        let help = "Error: …\nUsage: gifplay play [<options>]\n  See 'gifplay play --help' for more information."
        #expect(UsageError.sentence(message, help: help) == sentence)
    }

    @Test("A swap of two letters is one slip")
    func editDistance() {
        #expect(EditDistance.between("brwose", "browse") == 1)
        #expect(EditDistance.between("librarry", "library") == 1)
        #expect(EditDistance.between("", "cat") == 3 && EditDistance.between("cat", "cat") == 0)
        #expect(EditDistance.between("kitten", "sitting") == 3)
    }
}
