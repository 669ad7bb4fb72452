import Base
import Catalog
import Gallery
import Glibc
import Library
import Testing

@testable import Application

@Suite("Messages of the library and of desktop actions") struct LibraryMessagesTests {
    @Test(
        "The message for a failed desktop action contains the reason and, if possible, a hint",
        arguments: [
            (.notSaved(.system("open", EACCES), in: "/x"), "Permission denied (/x)"),
            (.noFreeName("cat.gif"), "cat.gif: this name and all numbered names are in use"),
            (.notWebAddress, "not an http or https URL"),
            (.noDisplay(link: "https://a.example"), "no display for a browser; the link is https://a.example"),
            (.noProgram(tried: ["wl-copy", "xclip"], link: nil), "wl-copy, xclip: not installed"),
            (
                .noProgram(tried: ["xdg-open"], link: "https://a.example"),
                "xdg-open: not installed; the link is https://a.example"
            ),
            (.notStarted(program: "xdg-open", Failure("no memory")), "xdg-open cannot be started: no memory"),
            (
                .programFailed(program: "xdg-open", status: 3),
                "xdg-open failed with status 3; set BROWSER to your browser, or press 'y' to copy the link"
            ),
        ] as [(Failure, String)])
    func sharing(error: Failure, message: String) {
        #expect(Language.english(error) == message)
    }

    @Test(
        "The message for an unusable library contains the reason and, if possible, a hint",
        arguments: [
            (.cannotOpen(path: "/x", reason: "no memory"), "/x cannot be opened: no memory"),
            (.libraryFailed(reason: "disk full"), "the library failed: disk full"),
            (.locked(path: "/x"), "/x: locked by another program; try again after it has finished"),
            (
                .tooNew(path: "/x"),
                "/x was written by a newer gifplay; use that version, or another XDG_DATA_HOME"
            ),
            (
                .damaged(path: "/x", reason: "bad page"),
                "/x is damaged: bad page; move it away to start a new library; "
                    + "'sqlite3 FILE .recover' may restore its content"
            ),
        ] as [(Failure, String)])
    func library(error: Failure, message: String) {
        #expect(error.message == message)
    }
}
