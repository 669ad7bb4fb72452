import FoundationEssentials
import Testing

@Suite("Inputs that fuzzing found")
struct KeptCaseTests {
    private static func cases(_ target: FuzzTarget, file: String = #filePath) -> [URL] {
        let root = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Tests/Fixtures/Fuzz/\(target.rawValue)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appending(path: $0) }
    }

    @Test("Every kept case keeps every promise", arguments: FuzzTarget.allCases)
    func kept(target: FuzzTarget) throws {
        let cases = Self.cases(target)
        #expect(!cases.isEmpty)
        for url in cases {
            let bytes = Array(try Data(contentsOf: url))
            #expect(throws: Never.self, "\(url.lastPathComponent)") { try target.check(bytes) }
        }
    }

    @Test("No bytes at all, and one, break nothing", arguments: FuzzTarget.allCases)
    func nearlyNothing(target: FuzzTarget) throws {
        try target.check([])
        for byte in UInt8.min...UInt8.max { try target.check([byte]) }
    }
}
