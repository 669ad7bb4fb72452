import Catalog
import Foundation
import TestServer
import Testing

/// Types queries in the real program, with services that answer, or that never do.
@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct FindingTests {
    @Test("While no service answers, what this machine has is displayed, and the status line says who is asked")
    func silentService() throws {
        let server = try RawServer { connection, _ in connection.waitForHangUp() }
        let home = try BrowserHome()
        let tmux = try home.browse("", ["GIFPLAY_ENDPOINT_COMMONS": server.base], until: "Dancing cat")
        try tmux.type("/popcorn")
        try tmux.wait(for: "the built-in GIF") { try tmux.text().contains(" Popcorn") }
        #expect(try !tmux.text().contains("Dancing cat") && tmux.text().hasPrefix("/ popcorn"))
        try tmux.type(" ", until: "asking Wikimedia Commons, 1 s")
        #expect(try tmux.text().contains(" Popcorn"))
        try tmux.quit("C-c", status: 130)
    }

    @Test("The results of a service follow below, and each GIF is there once")
    func order() throws {
        let home = try BrowserHome()
        let viewed = ["Rare popcorn 1", "Rare popcorn 2"].enumerated().map { number, title in
            let file = Rendition(url: "\(home.site.site.base)/media/Rare_\(number).gif", width: 120, height: 90)
            return StoredLibrary.gif("r\(number)", title: title, files: [file])
        }
        try StoredLibrary.fill(home.folder.path("data"), viewed: viewed)
        let tmux = try home.browse(until: "Random 1")
        try tmux.type("/popcorn", until: "Octopus 1")
        let text = try tmux.text()
        let titles = [" Popcorn ", "Rare popcorn 2", "Rare popcorn 1", "Octopus 1 "]
        let positions = titles.compactMap { text.ranges(of: $0).first?.lowerBound }
        #expect(positions.count == titles.count && positions == positions.sorted(), "\(text)")
        #expect(text.ranges(of: "Rare popcorn 1").count == 1)
        try tmux.quit("C-c", status: 130)
    }

    @Test("Without a network, a viewed GIF is found by a word of its title")
    func offline() throws {
        let home = try BrowserHome(listens: false)
        try StoredLibrary.fill(
            home.folder.path("data"),
            viewed: [
                StoredLibrary.gif(
                    "q", title: "Zumba quokkas",
                    files: [Rendition(url: "http://127.0.0.1:1/q.gif", width: 120, height: 90)])
            ])
        let tmux = try home.browse("--offline", until: "Dancing cat")
        try tmux.type("/quokka", until: "Zumba quokkas")
        try tmux.quit("C-c", status: 130)
    }

    @Test("A picked built-in GIF is printed as the address of its saved copy", arguments: ["url", "page", "markdown"])
    func pickedSample(part: String) throws {
        let home = try BrowserHome()
        let tmux = try Tmux(columns: 160, rows: 30)
        try home.pick("--offline --print \(part) popcorn", in: tmux, until: "Enter choose")
        try tmux.wait(forText: "Popcorn")
        try tmux.press("Enter")
        let url = "file://\(home.downloads.path)/Popcorn.gif"
        try tmux.wait(forText: part == "markdown" ? "<![Popcorn](\(url)) Popcorn, MIT> 0" : "<\(url)> 0")
        let saved = try Data(contentsOf: home.downloads.appendingPathComponent("Popcorn.gif"))
        #expect(try saved == Data(Binary.bytes("popcorn")))
    }

    @Test("--feed plays favourites and history, newest first, and says why it plays nothing")
    func feeds() throws {
        let home = try BrowserHome()
        var environment = home.environment(["GIFPLAY_OFFLINE": "1"])
        environment["TERM"] = "xterm-256color"
        let empty = try PseudoTerminal(["--feed", "favourites"], environment: environment)
        try empty.read(until: "--feed favourites: there are none")
        #expect(try empty.finish() == 1)
        let samples = ["popcorn", "rocket"].compactMap { name in Sample.all.first { $0.name == name } }
        try StoredLibrary.fill(
            home.folder.path("data"), favourites: [.sample(samples[0])], viewed: [.sample(samples[1])])
        for (feed, title) in [
            ("favourites", "Popcorn"), ("history", "Rocket"), ("random", "built-in"), ("trending", "built-in"),
        ] {
            let terminal = try PseudoTerminal(["--feed", feed], environment: environment, until: title)
            terminal.send("q")
            #expect(try terminal.finish() == 0, "\(feed)")
        }
    }
}
