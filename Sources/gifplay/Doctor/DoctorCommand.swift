import Application
import ArgumentParser
import Base
import Catalog
import FoundationEssentials

/// Checks everything that gifplay depends on, and prints a line for each check.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check terminal, libraries, configuration, stored files and sources",
        discussion: """
            Prints a line for each check: ok, warning or error, and what to do. Sends a test search to each source, \
            unless --offline is given. Prints no keys and changes nothing. Exits with status 1 if a line is an error.
            """)

    @Flag(help: "Print JSON, one object per line")
    var json = false

    @OptionGroup var services: ServiceOptions

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        var hasError = false
        func report(_ findings: [Finding]) {
            for finding in findings {
                if finding.status == .error { hasError = true }
                if json { JSONLine.printLine(finding) } else { printLine(finding.line) }
            }
        }
        report(TerminalChecks(environment: environment).findings)
        report(LibraryVersionChecks.findings)
        let (settings, configuration) = try ConfigurationCheck.settings(services, environment)
        report(configuration)
        report(StorageChecks(settings: settings, environment: environment).findings)
        report(SourceChecks(settings: settings, environment: environment).findings)
        if hasError { throw CommandError("") }
    }
}
