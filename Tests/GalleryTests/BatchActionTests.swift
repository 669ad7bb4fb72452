import Base
import Catalog
import Library
import Pixels
import Playback
import Testing

@testable import Gallery

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
        var session = Session()
        session.open([.some("0"), .some("1")])
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
        var session = Session()
        session.open([.some("0"), .some("1")])
        session.press(.character("t"), .character("o"))
        #expect(session.effects.suffix(1) == [.act(.open, [.some("1")])])
    }

    @Test("The message about several GIFs has their number and names none of them")
    func counts() async {
        let several = GIFReference.many(3)
        func messages(_ action: ItemAction, failing: Set<String> = []) async -> [GalleryEvent] {
            let inbox = Inbox(wake: {})
            let services = GalleryServices(
                listings: NoListings(), media: SomeMedia(failing: failing), desktop: Folder(), store: nil,
                seconds: { 0 })
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
        var session = Session()
        session.open(several)
        session.press(.character("t"), .character("t"), .character("f"))
        #expect(session.status.contains("2 added to favourites"))
    }
}

private struct NoListings: ListingSource {
    func page(of feed: Feed, after page: PageToken?) throws(Failure) -> ResultPage { ResultPage(items: []) }
    func endCooldowns() {}
    func suggestions(for prefix: String) -> [String] { [] }
}

private struct SomeMedia: MediaSource {
    let failing: Set<String>

    func bytes(
        of reference: GIFReference, filling size: PixelSize, isOriginal: Bool,
        arrived: @escaping @Sendable (PartialFile) -> Void
    ) throws(Failure) -> [UInt8] {
        if failing.contains(reference.id) { throw .noAddress }
        return []
    }
}

/// A desktop over ssh.
private struct Folder: DesktopActions {
    func save(_ bytes: [UInt8], of reference: GIFReference) -> SavedFile.Outcome {
        SavedFile.Outcome(path: "/a/\(reference.id).gif", isNew: true)
    }
    func copy(_ text: String) -> (sequence: String, failed: [String])? { (text, []) }
    func copyFiles(_ paths: [String]) -> Clipboard.FileOutcome { .isRemote }
    func open(_ address: String, isFolder: Bool) {}
}
