import Application
import ArgumentParser
import Catalog

/// Prints the version, as `--version` does.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version")

    func run() { printLine(Product.version) }
}

/// Lists the built-in samples.
struct SamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "samples", abstract: "List the built-in GIFs")

    func run() {
        let widest = Sample.all.map(\.title.count).max() ?? 0
        for sample in Sample.all {
            let title = sample.title + String(repeating: " ", count: widest - sample.title.count)
            printLine("\(title)  \(sample.tags.joined(separator: " "))")
        }
    }
}
