import Testing

@testable import Application

@Suite struct UsageMessageTests {
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
            (
                "The value 'x' is invalid for '--every <time>'",
                "--every x: invalid value; 'gifplay play --help' lists the options"
            ),
            ("Missing expected argument '<file> ...'", "<file> ...: missing; 'gifplay play --help' lists the options"),
            ("--json: needs --list", "--json: needs --list"), ("Unknown option '--x", "Unknown option '--x"),
        ])
    func usage(parserMessage: String, message: String) {
        let help = "Error: …\nUsage: gifplay play [<options>]\n  See 'gifplay play --help' for more information."
        #expect(UsageMessage.text(parserMessage, help: help) == message)
    }

    @Test("If the help text contains no command name, the hint refers to the program's own help")
    func program() {
        #expect(
            UsageMessage.text("Unknown option '--x'", help: "Usage: gifplay")
                == "--x: unknown option; 'gifplay --help' lists the options")
    }
}
