import Base
import Catalog
import Pixels
import Playback
import Testing

@testable import Gallery

/// Types random words after `/` in every view, while services answer at once, late or never.
@Suite("Typed words")
struct TypedWordsTests {
    enum View: CaseIterable, CustomTestStringConvertible {
        case grid, large, help, favourites, emptyResults, files, fromPlayer

        var testDescription: String { "\(self)" }
    }

    @Test("500 random words after '/' are text and run no command", arguments: View.allCases, [false, true])
    func words(view: View, isSlow: Bool) {
        var random = SeededGenerator(seed: isSlow ? 7 : 3)
        let letters = Array("abcdefghijklmnopqrstuvwxyzDGYQ0123456789?.,+-=/äß猫 ")
        for _ in 0..<500 {
            let word = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "q"
            }
            var session = session(view)
            let typed = view == .fromPlayer ? word : ["/"] + word
            let before = session.all.count
            for character in typed {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    session.wait(milliseconds: Int64.random(in: 0...1_500, using: &random))
                    if !isSlow {
                        session.answer(
                            .success(ResultPage(items: Bool.random(using: &random) ? GIFReference.many(9) : [])))
                    }
                }
                session.press(.character(character))
            }
            #expect(session.all.dropFirst(before).allSatisfy { $0.isHarmless }, "\(view) \(String(word))")
            #expect(session.state.mode == .typing && session.state.search.field.text == word, "\(view) \(String(word))")
        }
    }

    private func session(_ view: View) -> Session {
        let feed: Feed = view == .files ? .files(matching: "") : view == .emptyResults ? .search(query: "x") : .random
        var session = Session(feed) { $0.startsTyping = view == .fromPlayer }
        session.open(view == .emptyResults ? [] : GIFReference.many(9))
        switch view {
        case .grid, .files, .fromPlayer, .emptyResults: break
        case .large: session.press(.enter)
        case .help: session.press(.character("?"))
        case .favourites: session.press(.tab, .tab)
        }
        // An empty listing has opened the field already.
        if view == .emptyResults || view == .favourites { session.press(.escape) }
        return session
    }
}
