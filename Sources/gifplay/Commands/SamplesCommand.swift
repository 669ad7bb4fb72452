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

    static var lines: [String] {
        let widest = Sample.all.map(\.title.count).max() ?? 0
        return Sample.all.map { sample in
            let title = sample.title + String(repeating: " ", count: widest - sample.title.count)
            return "\(title)  \(sample.tags.joined(separator: " "))"
        }
    }
}
