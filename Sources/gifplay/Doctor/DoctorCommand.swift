import Application
import ArgumentParser
import Base
import Catalog
import Fetching
import FoundationEssentials
import GIFDecode
import Library

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check terminal, libraries, configuration, stored files and sources",
        discussion: """
            Prints a line for each check: ok, warning or error, and what to do. Sends a test search to each source, \
            unless --offline is given. Prints no keys and changes nothing. Exits with status 1 if a line is an error.
            """)

    @Flag(help: "Print JSON, one object per line")
    var json = false

    @Flag(help: "Draw a test picture in the best mode of the terminal")
    var picture = false

    @OptionGroup var services: ServiceOptions

    func validate() throws { if json, picture { throw ValidationError("--picture: cannot be combined with --json") } }

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
        if picture { try TerminalChecks(environment: environment).drawTestPicture() }
        if hasError { throw CommandError("") }
    }
}

/// One line of `gifplay doctor`.
struct Finding: Encodable, Sendable {
    enum Status: String, Encodable {
        case ok
        case warning
        case error
    }

    var status: Status
    /// Such as `terminal size`.
    var subject: String
    var text: String
    /// Nil if there is nothing to do.
    var advice: String?

    static func ok(_ subject: String, _ text: String) -> Finding { Finding(status: .ok, subject: subject, text: text) }

    static func warning(_ subject: String, _ text: String, _ advice: String) -> Finding {
        Finding(status: .warning, subject: subject, text: text, advice: advice)
    }

    static func error(_ subject: String, _ text: String, _ advice: String? = nil) -> Finding {
        Finding(status: .error, subject: subject, text: text, advice: advice)
    }

    var line: String {
        let gap = String(repeating: " ", count: 9 - status.rawValue.count)
        return "\(status.rawValue)\(gap)\(subject): \(text)\(advice.map { "; \($0)" } ?? "")"
    }
}

enum LibraryVersionChecks {
    static var findings: [Finding] {
        [
            .ok("gifplay", Product.version), .ok("giflib", GIFLibrary.version), curl,
            .ok("SQLite", LibraryHealth.sqliteVersion),
        ]
    }

    private static var curl: Finding {
        let library = CurlLibrary.load()
        guard let versions = library.versions else {
            return .error(
                "libcurl", library.problem ?? "cannot be loaded",
                "install the package libcurl4; without it, only local GIFs play")
        }
        return .ok("libcurl", versions.split(separator: "/", maxSplits: 1).last.map(String.init) ?? versions)
    }
}
