import Testing

/// Tests the files that scripts write from the option definitions.
@Suite(.ownThreads) struct ManualTests {
    @Test(
        "The man page gifplay(1) and the shell completions contain the present options",
        arguments: ["man", "completions"])
    func isUpToDate(script: String) throws {
        let path = Binary.package.appendingPathComponent("scripts/make/\(script)").path
        let result = try run(path, ["--check", "--gifplay", Binary.path])
        #expect(result.status == 0, "\(result.errors)")
    }
}
