import Foundation

/// Private directories and a fake Commons on loopback, with the environment variables that make the gallery use them.
struct BrowserHome {
    let folder: TemporaryFolder
    let site: FakeCommons

    init(listens: Bool = true) throws {
        folder = try TemporaryFolder()
        site = try FakeCommons(listens: listens)
        let settings = folder.url.appendingPathComponent("config/gifplay")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        try Data("--sources commons\n".utf8).write(to: settings.appendingPathComponent("config"))
    }

    var downloads: URL { folder.url.appendingPathComponent("downloads") }

    func environment(_ additions: [String: String] = [:]) -> [String: String] {
        let own = [
            "XDG_DATA_HOME": folder.url.appendingPathComponent("data").path,
            "XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path,
            "XDG_CONFIG_HOME": folder.url.appendingPathComponent("config").path,
            "XDG_DOWNLOAD_DIR": downloads.path, "LANG": "C.UTF-8",
        ]
        return site.site.environment(own).merging(additions) { $1 }
    }

    /// Returns the shell command line that starts the gallery and prints the exit status.
    func shellCommand(_ arguments: String = "", _ additions: [String: String] = [:]) -> String {
        let assignments = environment(additions).sorted { $0.key < $1.key }.map { "\($0.key)='\($0.value)'" }
        return "env \(assignments.joined(separator: " ")) '\(Binary.path)' browse \(arguments); echo status=$?"
    }
}
