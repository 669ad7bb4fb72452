@testable import Application

/// The settings of these options of `play`.
func playbackSettings(_ options: [String]) throws -> Settings {
    try Settings(given: Invocation(options))
}

extension PlayCommand {
    static func parse(_ arguments: [String]) throws -> PlayCommand { try PlayCommand(Invocation(arguments)) }
}

extension BrowseCommand {
    static func parse(_ arguments: [String]) throws -> BrowseCommand {
        try BrowseCommand(Invocation(["browse"] + arguments))
    }
}

extension RecordCommand {
    static func parse(_ arguments: [String]) throws -> RecordCommand {
        try RecordCommand(Invocation(["record"] + arguments))
    }
}
