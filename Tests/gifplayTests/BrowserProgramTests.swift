import Testing

@testable import gifplay

@Suite("Browser program") struct BrowserProgramTests {
    @Test("The commands 'browse', 'library' and 'doctor' and their help run in gifplay-browser")
    func arguments() {
        #expect(BrowserProgram.arguments(for: ["browse", "cats"]) == ["browse", "cats"])
        #expect(BrowserProgram.arguments(for: ["doctor"]) == ["doctor"])
        #expect(BrowserProgram.arguments(for: ["help", "library"]) == ["library", "--help"])
        for arguments in [[], ["cats", "browse"], ["help"], ["help", "play"], ["help", "library", "list"]] {
            #expect(BrowserProgram.arguments(for: arguments) == nil)
        }
    }

    @Test("The prefix 'gifplay: ' and control characters are removed from error messages of gifplay-browser")
    func message() {
        #expect(BrowserProgram.message("gifplay: xdg-open failed with status 3\n") == "xdg-open failed with status 3")
        #expect(BrowserProgram.message("killed\u{1B}[2J\n") == "killed")
        #expect(BrowserProgram.message("") == "gifplay-browser failed")
    }
}
