import Application
import ArgumentParser

struct ResultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Play only the result with this number", valueName: "n"), transform: OptionValue.resultNumber
    )
    var pick: Int?

    @Flag(help: "Play a random result")
    var randomPick = false

    @Flag(help: "List the results, play nothing")
    var list = false

    @Flag(help: "With --list: print JSON, one object per line")
    var json = false

    @Option(help: ArgumentHelp("With --list: output format (default: table)", valueName: "format"))
    var format: ListFormat?

    func validate() throws {
        if !list, json || format != nil { throw ValidationError("\(json ? "--json" : "--format"): needs --list") }
        if json, let format, format != .json {
            throw ValidationError("--json: contradicts --format \(format.rawValue)")
        }
        if list, let chooser { throw ValidationError("\(chooser): cannot be combined with --list") }
        if pick != nil, randomPick { throw ValidationError("--pick: cannot be combined with --random-pick") }
    }

    /// The name of the option that chooses among results, if one was given.
    var chooser: String? { pick != nil ? "--pick" : randomPick ? "--random-pick" : nil }

    var choice: ResultChoice {
        if let pick { return .number(pick) }
        return randomPick ? .any : .first
    }
}

enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case url
}
