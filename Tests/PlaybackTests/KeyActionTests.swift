import Base
import Testing

@testable import Playback

@Suite("The action of a key")
struct KeyActionTests {
    @Test(
        "Each key has the expected action",
        arguments: [
            (Key.character("q"), KeyAction.end(.quit)), (.escape, .end(.quit)), (.character("/"), .end(.browse)),
            (.character("h"), .openHelp), (.character("y"), .link(.copy)), (.character("o"), .link(.open)),
            (.character("."), .stepForward), (.character(","), .stepBack),
            (.character("="), .changeSpeed(isFaster: true)), (.character("-"), .changeSpeed(isFaster: false)),
            (.left, .seek(-Span.second)), (.up, .seek(5 * Span.second)), (.down, .seek(-5 * Span.second)),
        ])
    func action(key: Key, action: KeyAction) {
        #expect(KeyAction(key) == action)
    }

    @Test("Other keys have no action", arguments: [Key.character("x"), .enter, .home, .control("c"), .other])
    func none(key: Key) {
        #expect(KeyAction(key) == nil)
    }

    @Test("Every character key that the help lists has an action")
    func help() {
        let rows = KeyHelp.groups(.english).flatMap(\.rows)
        let keys = rows.flatMap { $0.keys.split(separator: " ") }.filter { $0.count == 1 }
        for character in keys.compactMap(\.first) where !"←→↓↑".contains(character) {
            #expect(KeyAction(.character(character)) != nil, "\(character)")
        }
    }
}
