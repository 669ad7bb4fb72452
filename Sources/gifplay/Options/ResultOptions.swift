import Application
import ArgumentParser

/// Which of the results is taken, or how they are listed.
struct ResultOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Play the n-th result, not the first that can be played.", valueName: "n"))
    var pick: PickValue?

    @Flag(help: "Play any of the results.")
    var randomPick = false

    @Flag(help: "List the results and play none.")
    var list = false

    @Flag(help: "With --list: JSON, one object a line.")
    var json = false

    @Option(help: ArgumentHelp("With --list: table, json, or url for addresses alone.", valueName: "how"))
    var format: ListFormat?

    /// Which result is played.
    var choice: ResultChoice {
        if let pick { return .number(pick.number) }
        return randomPick ? .any : .first
    }
}

/// `1` and up.
struct PickValue: ExpressibleByArgument {
    let number: Int

    init?(argument: String) {
        guard let number = Int(argument), (1...10_000).contains(number) else { return nil }
        self.number = number
    }
}

/// How `--list` prints.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case url
}
