import Pixels
import TestSupport
import Testing

@Suite("The loop extension")
struct LoopTests {
    private let head = GIFBuilder(width: 1, height: 1)

    private func loopCount(_ gif: GIFBuilder) throws -> Int? {
        let reader = gif.reader()
        _ = try reader.allFrames()
        return reader.summary.loopCount
    }

    @Test("A file without a loop extension has no loop count")
    func none() throws {
        #expect(try loopCount(head.image(width: 1, height: 1, [0]).trailer()) == nil)
    }

    @Test(
        "The loop extension is recognised by either of its application names", arguments: [0, 1, 3, 65535],
        ["NETSCAPE2.0", "ANIMEXTS1.0"])
    func counts(count: Int, name: String) throws {
        let gif = head.loop(count, application: name).image(width: 1, height: 1, [0]).trailer()
        #expect(try loopCount(gif) == count)
    }

    @Test("The loop count is read even if it follows the last image")
    func late() throws {
        #expect(try loopCount(head.image(width: 1, height: 1, [0]).loop(4).trailer()) == 4)
    }

    @Test("A loop extension without a complete count is ignored", arguments: [[], [[1]], [[1, 5]], [[2, 5, 0]]])
    func short(subBlocks: [[UInt8]]) throws {
        let reader = head.applicationExtension("NETSCAPE2.0", subBlocks).image(width: 1, height: 1, [0]).trailer()
            .reader()
        #expect(try reader.allFrames().count == 1)
        #expect(reader.summary.loopCount == nil)
        #expect(reader.summary.damage.isEmpty)
    }

    @Test("A sub-block that some encoders write before the loop count is skipped")
    func buffering() throws {
        let gif = head.applicationExtension("NETSCAPE2.0", [[2, 0, 0, 1, 0], [1, 9, 0]])
        #expect(try loopCount(gif.image(width: 1, height: 1, [0]).trailer()) == 9)
    }

    @Test("The extension of another application is ignored")
    func other() throws {
        let gif = head.applicationExtension("XMP DataXMP", [[1, 5, 0]]).image(width: 1, height: 1, [0])
        #expect(try loopCount(gif.trailer()) == nil)
    }
}
