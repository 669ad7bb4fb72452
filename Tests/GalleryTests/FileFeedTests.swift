import Base
import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Gallery of a folder") struct FileFeedTests {
    private func gallery(_ count: Int = 40, total: Int? = nil) -> Session {
        var session = Session(.files(matching: "")) { options in
            options.feeds = [.files(matching: "")]
            options.sourceTitles = ["file": "Pictures"]
        }
        session.open(files(0..<count), next: total == nil ? nil : .page(1), total: total)
        return session
    }

    private func files(_ numbers: Range<Int>) -> [GIFReference] {
        numbers.map { GIFReference.file("/home/ada/Pictures/\(100 + $0).gif") }
    }

    private func feeds(_ effects: [GalleryEffect]) -> [Feed] {
        effects.compactMap { if case .load(let feed, _, _, _) = $0 { feed } else { nil } }
    }

    @Test("The screen names the folder, the files and the folder of the selected file, without marks for unseen GIFs")
    func screen() {
        let session = gallery(total: 300)
        #expect(session.lines[0].hasPrefix("/  filter by name") && session.lines[1].hasPrefix("[Pictures]"))
        #expect(session.text.contains("100.gif") && !session.text.contains("•"))
        #expect(session.status.hasPrefix("100.gif · /home/ada/Pictures ") && session.status.hasSuffix("  1 of 300"))
    }

    @Test("In the filter, the hint of Enter says filter; in a search it says search")
    func filterHint() {
        var session = gallery()
        session.press(.character("/"))
        #expect(session.status.contains("Enter filter") && !session.status.contains("search"))
        var search = Session(.search(query: "cats"), showing: [.some("1")], next: nil)
        search.press(.character("/"))
        #expect(search.status.contains("Enter search"))
    }

    @Test("A filter without a match names no key that is not for files")
    func noMatch() {
        var session = gallery()
        session.type("/zzz")
        session.answer(.success(ResultPage(items: [])))
        #expect(session.text.contains("no file name contains “zzz”") && !session.text.contains("Tab"))
        #expect(session.status.contains("Esc back  Enter filter"))
    }

    @Test("'r' and ',' keep the selected file, and leave the keys to the gallery even if no file or folder is left")
    func refreshedFolder() {
        for key in ["r", ","] as [Character] {
            var session = gallery()
            session.press(.right, .right, .character(key))
            session.answer(.success(ResultPage(items: [])))
            #expect(session.state.mode == .browsing && session.state.grid.items.isEmpty)
            session = gallery()
            session.press(.right, .right, .character(key))
            session.answer(.failure(Failure("/pics: No such file or directory")))
            session.wait(milliseconds: 4_000)
            #expect(session.state.mode == .browsing && session.status.contains("No such file"))
        }
        var session = gallery()
        session.press(.right, .right, .character("r"))
        session.answer(.success(ResultPage(items: files(0..<2) + files(3..<40))))
        #expect(session.selected == files(3..<4)[0].id)
    }

    @Test(
        "'G' goes to the last of all files, page by page, in the grid and in the large view",
        arguments: [[], [.enter]] as [[Key]])
    func last(opening: [Key]) {
        var session = gallery(total: 120)
        for key in opening { session.press(key) }
        session.press(.character("G"))
        session.answer(.success(ResultPage(items: files(40..<80), next: .page(2), total: 120)))
        #expect(session.status.contains("80 of 120"))
        session.answer(.success(ResultPage(items: files(80..<120), total: 120)))
        #expect(session.status.contains("120 of 120") && session.text.contains("219.gif"))
        #expect(session.state.mode.isFull == !opening.isEmpty)
        session.press(.character("g"))
        #expect(session.status.contains(/\b1 of 120/))
    }

    @Test("What was playing is selected, also on a later page of files, until the user presses a key")
    func playedFile() {
        for key in [nil, Key.right] {
            var session = Session(.files(matching: ""))
            session.state.soughtItem = files(75..<76).first
            session.open(files(0..<40), next: .page(1), total: 120)
            if let key { session.press(key) }
            session.answer(.success(ResultPage(items: files(40..<80), next: .page(2), total: 120)))
            #expect((session.selected == "/home/ada/Pictures/175.gif") == (key == nil))
        }
    }

    @Test("What was playing is selected in a feed of a source, to which it is added if need be")
    func playedItem() {
        for (id, listed) in [("2", ["1", "2"]), ("x", ["1", "2", "x"])] {
            for feed in [Feed.trending(source: nil), .search(query: "cats"), .trending(source: "samples")] {
                var session = Session(feed)
                session.state.soughtItem = .some(id)
                session.open([.some("1"), .some("2")])
                #expect(session.selected == id && session.state.grid.items.map(\.id).sorted() == listed, "\(feed)")
            }
        }
    }

    @Test("Another key ends the way to the last file")
    func lastInterrupted() {
        var session = gallery(total: 120)
        session.press(.character("G"), .character("g"))
        session.answer(.success(ResultPage(items: files(40..<80), next: .page(2), total: 120)))
        #expect(session.status.contains(/\b1 of 120/))
    }

    @Test("'G' goes to the last search result if the sources report a small total, otherwise to the last loaded one")
    func lastResult() {
        for (total, isSought) in [(50, true), (50_000, false), (nil, false)] as [(Int?, Bool)] {
            var session = Session(.search(query: "cats"), showing: GIFReference.many(20), next: .page(1), total: total)
            session.press(.character("G"))
            session.answer(.success(ResultPage(items: GIFReference.many(20, from: 20), next: .page(2), total: total)))
            #expect(session.status.contains(isSought ? " 40 of" : " 20 of"), "\(session.status)")
        }
    }

    @Test("Only visible files are requested")
    func requests() {
        var session = gallery()
        #expect(session.shown.allSatisfy { $0.purpose != .prefetch } && session.shown.count < 15)
        #expect(session.status.contains("y copy  o folder"))
        session.press(.enter)
        #expect(session.shown.allSatisfy { $0.purpose != .prefetch })
    }

    @Test(
        "'y' copies the path and 'o' opens the folder; keys without a meaning for files say so",
        arguments: [[], [.enter]] as [[Key]])
    func keys(opening: [Key]) {
        let file = GIFReference.file("/home/ada/Pictures/100.gif")
        for (letter, effect) in [
            ("y", .act(.copyLink, [file])), ("Y", .act(.copyAddress, [file])), ("c", .act(.copyFile, [file])),
            ("o", .act(.open, [file])),
        ]
            as [(Character, GalleryEffect)]
        {
            var session = gallery()
            for key in opening { session.press(key) }
            session.press(.character(letter))
            #expect(session.effects == [effect])
        }
        for (letter, message) in [
            ("s", "this file is already on this machine"), ("f", "only for GIFs of a source"),
            ("d", "only for GIFs of a source"),
        ] as [(Character, String)] {
            var session = gallery()
            for key in opening { session.press(key) }
            session.press(.character(letter))
            #expect(session.effects.isEmpty && session.notice.contains(message) && !session.text.contains("★"))
        }
    }

    @Test("A query filters the files at once, from its first letter on; an empty one shows all again")
    func filter() {
        var session = gallery()
        session.press(.character("/"))
        session.type("7")
        #expect(feeds(session.effects) == [.files(matching: "7")])
        session.answer(.success(ResultPage(items: [], total: 0)))
        #expect(session.text.contains("no file name contains “7”") && session.lines[1].contains("[“7”]  Pictures"))
        session.press(.backspace)
        #expect(session.lines[1].hasPrefix("[Pictures]") && session.text.contains("100.gif"))
    }

    @Test("'r' reads the folder again and keeps the selected file")
    func refresh() {
        var session = gallery()
        session.press(.end, .character("r"))
        let isReadAgain = session.effects.contains {
            if case .load(.files(""), page: nil, _, isRetry: true) = $0 { true } else { false }
        }
        #expect(isReadAgain)
        session.answer(.success(ResultPage(items: files(-5..<40), total: 45)))
        #expect(session.status.hasSuffix("45 of 45"))
        session.press(.character("r"))
        session.answer(.success(ResultPage(items: files(0..<3), total: 3)))
        #expect(session.status.hasSuffix(" 3 of 3"))
        session.press(.character("r"))
        session.answer(.success(ResultPage(items: [], total: 0)))
        #expect(session.text.contains("no GIFs in Pictures"))
    }

    @Test("The list of keys contains only keys that have a meaning for files")
    func help() {
        var session = gallery()
        session.press(.character("?"))
        #expect(session.text.contains("copy the path") && session.text.contains("open the folder"))
        #expect(!session.text.contains("favourite") && !session.text.contains("save"))
    }
}
