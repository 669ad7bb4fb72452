import Foundation
import Testing

/// Tests that every test named in docs/SECURITY.md exists.
@Suite(.ownThreads) struct SecurityDocumentTests {
    @Test("Each promise in docs/SECURITY.md names a test, and each named test exists")
    func promises() throws {
        let tests = Binary.package.appendingPathComponent("Tests")
        let document = try String(
            contentsOf: Binary.package.appendingPathComponent("docs/SECURITY.md"), encoding: .utf8)
        let sources = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".swift") }
        func source(_ suffix: String) throws -> String {
            guard let path = sources.first(where: { $0.hasSuffix(suffix) }) else { return "" }
            return try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
        }
        var promises = 0
        for line in document.split(separator: "\n") where line.hasPrefix("| ") && !line.hasPrefix("| promise") {
            let evidence = line.split(separator: "|").last ?? ""
            let names = evidence.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
                String($0.element)
            }
            #expect(!names.isEmpty, "\(line)")
            var suite = ""
            for name in names where name != "scripts/lint" {
                let parts = name.components(separatedBy: ".")
                if !parts[0].isEmpty { suite = parts[0].hasSuffix(".swift") ? parts[0] : "/\(parts[0]).swift" }
                #expect(try source(suite).contains("func \(parts[1])("), "\(name)")
            }
            promises += 1
        }
        #expect(promises > 40)
    }
}
