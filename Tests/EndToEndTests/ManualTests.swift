import Foundation
import TestServer
import Testing

/// Tests that the man pages and docs/REFERENCE.md are complete and up to date.
@Suite(.ownThreads) struct ManualTests {
    private static func document(_ path: String) throws -> String {
        try String(contentsOf: Binary.package.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the long options in the help of a command.
    private static func options(_ command: [String]) throws -> Set<String> {
        let help = try runGifplay(command + ["--help"]).text
        let names = help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }
        return Set(names).subtracting(["--version", "--help"])
    }

    private static let commands = [
        ["play"], ["info"], ["sources"], ["cache"], ["browse"], ["library", "list"], ["library", "clear"],
        ["record"], ["doctor"],
    ]

    @Test("The man page gifplay(1) is up to date with its source and the option definitions")
    func isUpToDate() throws {
        let script = Binary.package.appendingPathComponent("scripts/make-man").path
        let result = try run(script, ["--check", "--gifplay", Binary.path])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("The shell completions are up to date with the option definitions")
    func completionsAreUpToDate() throws {
        let script = Binary.package.appendingPathComponent("scripts/make-completions").path
        let result = try run(script, ["--check", "--gifplay", Binary.path])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("The man page and docs/REFERENCE.md contain every option that the help lists", arguments: commands)
    func everyOption(command: [String]) throws {
        let page = try Self.document("docs/man/gifplay.1")
        let reference = try Self.document("docs/REFERENCE.md")
        let options = try Self.options(command)
        #expect(!options.isEmpty)
        for option in options {
            #expect(page.contains("Fl -\(option.dropFirst(2))"), "\(option) is not in the man page")
            let forms = ["`\(option)", " \(option)`", " \(option)\u{20}", "[\(option)]"]
            #expect(forms.contains { reference.contains($0) }, "\(option) is not in docs/REFERENCE.md")
        }
    }

    @Test("The man page gifplay(5) contains every setting that docs/REFERENCE.md lists")
    func everySetting() throws {
        let page = try Self.document("docs/man/gifplay.5")
        let reference = try Self.document("docs/REFERENCE.md")
        let section = try #require(reference.components(separatedBy: "## Configuration file").last)
        let table = try #require(section.components(separatedBy: "\nThe source names").first)
        let names = table.matches(of: /`([a-z][a-z-]+)`/).map { String($0.output.1) }
        #expect(names.contains("cache-size"))
        for name in names where name != "reddit" { #expect(page.contains(name), "\(name)") }
    }
}
