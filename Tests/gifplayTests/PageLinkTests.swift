import Base
import Playback
import Testing

@testable import gifplay

@Suite struct PageLinkTests {
    @Test("A GIF without a page has no link to copy or to open", arguments: [LinkAction.copy, .open])
    func noPage(action: LinkAction) {
        let link = PageLink(address: nil, language: .english) { _ in Issue.record("an outcome is reported") }
        #expect(link.perform(action) == LinkResult(note: "this GIF has no page"))
    }

    @Test(
        "Without a display, no browser is started, and the note contains the link",
        arguments: [[:], ["DISPLAY": ""]] as [[String: String]])
    func noDisplay(environment: [String: String]) {
        let link = PageLink(address: "https://a.example/b", language: .english) { _ in
            Issue.record("an outcome is reported")
        }
        #expect(
            link.result(of: .open, environment: environment)
                == LinkResult(note: "no display for a browser; the link is https://a.example/b"))
    }
}
