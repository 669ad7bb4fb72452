import FoundationEssentials
import Testing

@Suite("Fuzz targets with recorded and short inputs")
struct RecordedInputTests {
    private static func cases(_ target: FuzzTarget, file: String = #filePath) -> [URL] {
        let root = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Tests/Fixtures/Fuzz/\(target.rawValue)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appending(path: $0) }
    }

    @Test("Each fuzz target has recorded inputs, and finds no defect with any of them", arguments: FuzzTarget.allCases)
    func recordedInputs(target: FuzzTarget) throws {
        let cases = Self.cases(target)
        #expect(!cases.isEmpty)
        for url in cases {
            let bytes = Array(try Data(contentsOf: url))
            #expect(throws: Never.self, "\(url.lastPathComponent)") { try target.check(bytes) }
        }
    }

    @Test("The empty input and all one-byte inputs pass the checks of each fuzz target", arguments: FuzzTarget.allCases)
    func shortInputs(target: FuzzTarget) throws {
        try target.check([])
        for byte in UInt8.min...UInt8.max { try target.check([byte]) }
    }
}
