import Base
import Catalog
import Library
import Pixels
import Playback
import Testing

@testable import Gallery

@Suite("Marking, sorting and moving")
struct MarkingTests {
    private func folder(picker: PickedPart? = nil, order: FileOrder? = nil) -> Session {
        var session = Session(.files(matching: "")) {
            $0.feeds = [.files(matching: "")]
            ($0.picker, $0.order) = (picker, order)
        }
        session.open(Self.files)
        return session
    }

    private static let files = (0..<30).map { GIFReference.file("/home/ada/Pictures/\(100 + $0).gif") }

    private func marked(_ session: Session, _ keys: Key...) -> Session {
        var session = session
        for key in keys { session.press(key) }
        return session
    }

    @Test("'t' marks a file and goes to the next one; 'y' and Enter serve all marked files in the order of the listing")
    func files() {
        var session = marked(folder(picker: .file), .right, .right, .character("t"), .home, .character("t"))
        #expect(session.text.contains("✓ 100.gif") && session.text.contains("✓ 102.gif"))
        #expect(session.selected == Self.files[1].id && session.status.contains("2 marked"))
        session.press(.character("y"))
        #expect(session.effects == [.act(.copyLink, [Self.files[0], Self.files[2]])])
        session.press(.enter)
        #expect(session.effects == [.pick([Self.files[0], Self.files[2]])])
        session.press(.home, .character("t"), .character("y"))
        #expect(session.effects.suffix(1) == [.act(.copyLink, [Self.files[2]])])
    }

    @Test("'s', 'f' and 'd' touch no file, marked or not", arguments: ["s", "f", "d", "D"] as [Character])
    func untouched(key: Character) {
        for keys in [[], [Key.character("t"), .character("t")]] {
            var session = folder()
            for key in keys { session.press(key) }
            session.press(.character(key))
            #expect(session.effects.allSatisfy { $0.isShow } && session.state.grid.items.count == 30)
        }
    }

    @Test("Esc removes the marks before it leaves; marks stay when the folder is read again, except of missing files")
    func escape() {
        var session = marked(folder(), .character("t"), .character("t"), .character("r"))
        session.answer(.success(ResultPage(items: Array(Self.files.dropFirst()))))
        session.press(.character("y"))
        #expect(session.effects == [.act(.copyLink, [Self.files[1]])])
        session.press(.escape)
        #expect(session.effects.allSatisfy { $0.isShow } && !session.text.contains("✓"))
        session.press(.escape)
        #expect(session.effects == [.quit(signal: nil)])
    }

    @Test("For GIFs of a source, each action serves all marked ones, as far as it is possible with them")
    func services() {
        var session = Session(.search(query: "cats"), showing: [.some("0"), .some("g", source: "giphy"), .some("2")])
        session.press(.character("t"), .character("t"), .character("t"), .character("s"))
        #expect(session.effects.suffix(1) == [.act(.save, [.some("0"), .some("2")])])
        session.press(.character("f"))
        #expect(session.effects.count == 1 && session.text.ranges(of: "★ Title").count == 3)
        session.press(.character("d"))
        #expect(session.effects.contains(.setDismissed([.some("0"), .some("g", source: "giphy"), .some("2")], true)))
    }

    @Test("',' goes from name to newest to largest to name, queries again and selects the first file")
    func sorts() {
        var session = folder()
        session.press(.end)
        let orders: [(FileOrder, String)] = [
            (.time, "newest first"), (.size, "largest first"), (.name, "sorted by name"),
        ]
        for (order, message) in orders {
            session.press(.right, .character(","))
            #expect(session.effects.contains(.sort(order)) && session.status.contains(message))
            #expect(session.effects.contains { $0.isLoad(of: .files(matching: "")) && $0.isRetry })
            session.answer(.success(ResultPage(items: Self.files.reversed())))
            #expect(session.state.grid.isAtTop)
        }
        var sorted = folder(order: .time)
        sorted.press(.character(","))
        #expect(sorted.effects.first == .sort(.size))
    }

    @Test("Results of a source cannot be sorted, and their help does not name the key")
    func sortsOnlyFiles() {
        var session = Session(.search(query: "cats"), CellSize(columns: 120, rows: 60), showing: GIFReference.many(3))
        session.press(.character(","))
        #expect(session.effects.allSatisfy { $0.isShow } && session.status.contains(",: no command"))
        session.press(.character("?"))
        #expect(session.text.contains("mark for") && !session.text.contains("sort by name"))
    }

    @Test("'H', 'M' and 'L' select the first, the middle and the last tile that is completely visible")
    func screen() {
        var session = folder()
        session.press(.pageDown)
        for (key, index) in [("L", 11), ("M", 8), ("H", 6)] as [(Character, Int)] {
            session.press(.character(key))
            #expect(session.selected == Self.files[index].id, "\(key)")
        }
        session.send(.pointer(PointerEvent(.wheelDown, row: 5, column: 5)))
        session.press(.character("H"))
        #expect(session.selected == Self.files[9].id)
    }

    @Test("Ctrl-N and Ctrl-P select the next and the previous GIF, also while the user types")
    func next() {
        for way in [[], [Key.character("/")]] {
            var session = folder()
            for key in way { session.press(key) }
            session.press(.control("n"), .control("n"), .control("n"), .control("p"))
            #expect(session.state.grid.selected == Self.files[2] && session.state.mode.isTyping == !way.isEmpty)
        }
    }
}

@Suite("Marks and actions on several GIFs")
struct BatchActionTests {
    private static let files = (0..<9).map { GIFReference.file("/home/ada/Pictures/\(100 + $0).gif") }

    private func folder(_ files: [GIFReference] = files, picker: PickedPart? = .url) -> Session {
        var session = Session(.files(matching: "")) {
            $0.feeds = [.files(matching: "")]
            $0.picker = picker
        }
        session.open(files)
        return session
    }

    private let mug = GIFReference.file("/home/ada/Pictures/mugen.gif")

    @Test("Marks of a folder stay under a filter, and Enter takes those of both")
    func filter() {
        var session = folder(Self.files + [mug])
        session.press(.character("t"), .character("t"))
        session.type("/mugen")
        session.answer(.success(ResultPage(items: [mug])))
        session.press(.enter)
        #expect(session.status.contains("2 marked"))
        session.press(.character("t"), .enter)
        #expect(session.effects.suffix(1) == [.pick([Self.files[0], Self.files[1], mug])])
        session.press(.character("t"), .character("y"))
        #expect(session.effects.suffix(1) == [.act(.copyLink, [Self.files[0], Self.files[1]])])
    }

    @Test("Marks stay in other feeds and queries, until Esc removes them")
    func feeds() {
        var session = Session(showing: [.some("0"), .some("1")])
        session.press(.character("t"), .tab)
        session.type("/cat ")
        session.answer(.success(ResultPage(items: [.some("2")])))
        session.press(.escape, .character("t"), .character("s"))
        #expect(session.effects.suffix(1) == [.act(.save, [.some("0"), .some("2")])])
        session.press(.escape, .character("s"))
        #expect(session.effects.suffix(1) == [.act(.save, [.some("2")])])
    }

    @Test("A refresh removes only the marks of files that are gone")
    func gone() {
        var session = folder()
        session.press(.character("t"), .character("t"))
        session.type("/mugen")
        session.answer(.success(ResultPage(items: [mug])))
        session.press(.enter, .character("t"), .character("r"))
        session.answer(.success(ResultPage(items: [.file("/home/ada/Pictures/mugen2.gif")])))
        session.press(.character("y"))
        #expect(session.effects.suffix(1) == [.act(.copyLink, [Self.files[0], Self.files[1]])])
    }

    @Test("A picker neither marks nor takes a file whose name is not one line", arguments: ["\n", "\u{7F}", "\u{85}"])
    func controlCharacter(character: String) {
        let odd = GIFReference.file("/home/ada/a\(character)b.gif")
        var session = folder([odd] + Self.files)
        for key in [Key.character("t"), .enter] {
            session.press(key)
            #expect(session.status.contains("rename it first") && session.selected == odd.id)
            #expect(session.effects.allSatisfy { $0.isShow } && session.state.marked.isEmpty)
        }
        session = folder([odd], picker: nil)
        session.press(.character("t"), .character("y"))
        #expect(session.effects.suffix(1) == [.act(.copyLink, [odd])])
    }

    @Test("'o' opens the page of the selected GIF, whatever is marked")
    func open() {
        var session = Session(showing: [.some("0"), .some("1")])
        session.press(.character("t"), .character("o"))
        #expect(session.effects.suffix(1) == [.act(.open, [.some("1")])])
    }

    @Test("The message about several GIFs has their number and names none of them")
    func counts() async {
        let several = GIFReference.many(3)
        func messages(_ action: ItemAction, failing: Set<String> = []) async -> [GalleryEvent] {
            let inbox = Inbox(wake: {})
            let services = GalleryServices.doubles(
                media: ReadyMedia(failing: failing), desktop: DesktopDouble(fileOutcome: .isRemote))
            await GalleryTasks(services: services, inbox: inbox).items.perform(action, on: several)
            return inbox.take()
        }
        #expect(await messages(.save) == [.reported(.severalSaved(3, of: 3))])
        #expect(await messages(.save, failing: ["1"]).last == .reported(.severalSaved(2, of: 3)))
        let lost = GalleryEvent.reported(.fetchFailed(.noAddress))
        #expect(await messages(.save, failing: ["0", "1", "2"]) == [lost, lost, lost])
        let copied = GalleryMessage.pathCopiedInstead(path: "/a/0.gif", isRemote: true, count: 3)
        #expect(await messages(.copyFile) == [.reported(copied)])
        for (message, text) in [
            (.severalSaved(3, of: 3), "3 of 3 saved"), (.severalSaved(2, of: 3), "2 of 3 saved"),
            (copied, "over ssh, 3 paths copied"), (.favourite(true, count: 3), "3 added to favourites"),
        ] as [(GalleryMessage, String)] {
            #expect(Language.english.sentence(message) == text)
        }
        var session = Session(showing: several)
        session.press(.character("t"), .character("t"), .character("f"))
        #expect(session.status.contains("2 added to favourites"))
    }
}
