import Foundation
import Testing

/// Tests the files that scripts/make/options writes from the table of options.
@Suite(.ownThreads) struct ManualTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Binary.package.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(
        "The man page gifplay(1) and the shell completions are those of the program",
        arguments: [
            ("man", "docs/man/gifplay.1"), ("complete-bash", "share/bash-completion/completions/gifplay"),
            ("complete-zsh", "share/zsh/site-functions/_gifplay"),
            ("complete-fish", "share/fish/vendor_completions.d/gifplay.fish"),
        ])
    func isUpToDate(kind: String, path: String) throws {
        let result = try runGifplay(["--generate", kind])
        let file = try text(path)
        #expect(result.status == 0 && result.text == file, "run scripts/make/options")
    }

    @Test(
        "docs/REFERENCE.md contains the tables of the present options, and gifplay(5) the present settings of sources")
    func reference() throws {
        let tables = try runGifplay(["--generate", "reference"]).text
        #expect(tables.contains("| `-s`, `--size SIZE` |"), "\(tables.prefix(2_000))")
        let reference = try text("docs/REFERENCE.md")
        #expect(reference.contains(tables), "run scripts/make/options")
        let page = try text("docs/man/gifplay.5")
        for option in [
            "sources", "key", "endpoint", "contact", "report-use", "reddit", "reddit-feed-user", "cache-size",
        ] {
            #expect(page.contains("Fl -\(option)"), "\(option)")
        }
    }

    @Test("An unknown kind of text is refused")
    func unknownKind() throws {
        let result = try runGifplay(["--generate", "woman"])
        #expect(result.status == 2)
        #expect(result.errors.contains("expected man, complete-bash, complete-zsh, complete-fish or reference"))
    }
}
