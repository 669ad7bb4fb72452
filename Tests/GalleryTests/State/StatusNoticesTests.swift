import Base
import Catalog
import Playback
import Testing

@testable import Gallery

@Suite("Status notices")
struct StatusNoticesTests {
    private let start = Instant(nanoseconds: 0)
    private var end: Instant { start + StatusNotices.duration }

    @Test("A message is displayed until its deadline")
    func ends() {
        var notices = StatusNotices()
        #expect(notices.note == nil && notices.deadline == nil)
        notices.display(.saving, at: start)
        #expect(notices.note == .saving && notices.deadline == end)
        notices.update(at: Instant(nanoseconds: end.nanoseconds - 1))
        #expect(notices.note == .saving)
        notices.update(at: end)
        #expect(notices == StatusNotices())
    }

    @Test("A new message replaces the displayed message and is displayed for the full duration")
    func replaces() {
        var notices = StatusNotices()
        notices.display(.saving, at: start)
        notices.display(.first, at: start + Span.second)
        #expect(notices.note == .first && notices.deadline == end + Span.second)
    }

    @Test("A message disappears with the next key, and a message about a service follows it")
    func itemMessages() {
        let messages: [GalleryMessage] = [
            .saved(path: "/cat.gif"), .savingForbidden(source: "GIPHY"), .linkCopied, .opened, .favourite(true), .last,
        ]
        for message in messages {
            var session = Session(.search(query: "cat"))
            session.open(GIFReference.many(6))
            session.send(.reported(message), .reported(.keyRefused(variable: "KEY")))
            #expect(session.status.contains(Language.english.sentence(message)))
            session.send(.key(.left))
            #expect(session.status.contains("the key in KEY was refused"), "\(message)")
        }
        var session = Session(.search(query: "cat"))
        session.open(GIFReference.many(6))
        session.press(.enter, .character("f"), .character("n"))
        #expect(!session.text.contains("added to favourites"))
        session.press(.character("d"))
        #expect(session.text.contains("dismissed · u: undo"))
    }

    @Test("A message about a service waits until the displayed message ends")
    func waits() {
        var notices = StatusNotices()
        notices.display(.saving, at: start)
        notices.display(.contactRequired, at: start)
        notices.display(.keyRefused(variable: "KEY"), at: start)
        #expect(notices.note == .saving)
        notices.update(at: end)
        #expect(notices.note == .contactRequired && notices.deadline == end + StatusNotices.duration)
        notices.update(at: end + StatusNotices.duration)
        #expect(notices.note == .keyRefused(variable: "KEY"))
    }

    @Test("A message about a service is displayed immediately if there is no other message")
    func shownAtOnce() {
        var notices = StatusNotices()
        notices.display(.contactRequired, at: start)
        #expect(notices.note == .contactRequired)
    }
}
