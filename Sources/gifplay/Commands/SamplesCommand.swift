import Application
import ArgumentParser
import Catalog

/// Prints the versions of gifplay and its libraries, as `--version` does.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print the versions of gifplay, giflib and libcurl")

    func run() { for line in ProgramVersion.text.split(separator: "\n") { printLine(String(line)) } }
}

struct SamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "samples", abstract: "List the built-in GIFs")

    func run() { Self.lines.forEach(printLine) }

    static var lines: [String] { TextTable.lines(Sample.all.map { [$0.title, $0.tags.joined(separator: " ")] }) }
}
