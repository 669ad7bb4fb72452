import Foundation
import TestServer
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct ReportedUseTests {
    private let folder: TemporaryFolder
    private let site: FakeSite

    init() throws {
        folder = try TemporaryFolder()
        site = try FakeSite { request, base in
            switch request.path {
            case _ where request.path.hasSuffix(".gif"): return try .gif("campfire")
            case "/giphy/gifs/search":
                let file = #""original":{"url":"\#(base)/tea.gif","width":"64","height":"48","frames":"9"}"#
                let pings = #""onload":{"url":"\#(base)/ping?p=1&a=SEEN"},"onsent":{"url":"\#(base)/ping?p=1&a=SENT"}"#
                let gif = #"{"id":"1","title":"Tea party","images":{\#(file)},"analytics":{\#(pings)}}"#
                return .text(#"{"data":[\#(gif)],"meta":{"status":200,"response_id":"x"}}"#)
            case "/klipy/test-key/gifs/search":
                let file = #""file":{"sm":{"gif":{"url":"\#(base)/snail.gif","width":64,"height":48}}}"#
                let item = #"{"id":2,"slug":"a-snail","title":"A snail","type":"gif",\#(file)}"#
                return .text(#"{"result":true,"data":{"data":[\#(item)],"current_page":1,"has_next":false}}"#)
            default: return .text("{}")
            }
        }
    }

    private func run(
        _ arguments: String, configuration: String, until text: String, _ body: (Tmux) throws -> Void
    ) throws {
        let environment = site.environment([
            "GIPHY_API_KEY": "test-key", "KLIPY_API_KEY": "test-key", "LANG": "C.UTF-8",
            "XDG_DATA_HOME": folder.path("data"), "XDG_CACHE_HOME": folder.path("cache"),
        ]).merging(try folder.configure(configuration)) { $1 }
        let tmux = try Tmux(columns: 100, rows: 30)
        try tmux.gifplay(arguments, environment, until: text)
        try body(tmux)
        try tmux.quit()
    }

    private func reports() -> [String] {
        site.server.requests.filter { $0.contains("/ping") || $0.hasPrefix("POST") }.map { head in
            let target = head.split(separator: " ").prefix(2).joined(separator: " ")
            return target.replacing(/[0-9a-f-]{36}/, with: "UUID").replacing(/ts=[0-9]{13}$/, with: "ts=TIME")
        }
    }

    @Test(
        "GIPHY is told of a GIF that the player shows and of a copied link, only with report-use",
        arguments: [true, false])
    func player(isOn: Bool) throws {
        let configuration = isOn ? "--report-use\n" : ""
        try run("--source giphy tea party", configuration: configuration, until: "Tea party") { tmux in
            try tmux.press("y", until: "link copied")
            if isOn { try tmux.wait(for: "the second report") { reports().count == 2 } }
        }
        let expected = ["SEEN", "SENT"].map { "GET /ping?p=1&a=\($0)&customer_id=UUID&ts=TIME" }
        #expect(reports().sorted() == (isOn ? expected : []))
        #expect(site.requestLines.contains { $0.contains("analytics") } == isOn)
    }

    @Test(
        "KLIPY is told of a GIF in the large view and of a copied link, only with report-use", arguments: [true, false])
    func gallery(isOn: Bool) throws {
        let configuration = "--\(isOn ? "" : "no-")report-use\n"
        try run("browse --source klipy a snail", configuration: configuration, until: "A snail") { tmux in
            try tmux.press("Enter", until: "klipy.com/gifs/a-snail")
            try tmux.press("y", until: "link copied")
            if isOn { try tmux.wait(for: "the second report") { reports().count == 2 } }
            try tmux.press("Escape", until: "/ search  ? keys")
        }
        let expected = ["share", "view"].map { "POST /klipy/test-key/gifs/\($0)/a-snail" }
        #expect(reports().sorted() == (isOn ? expected : []))
    }
}
