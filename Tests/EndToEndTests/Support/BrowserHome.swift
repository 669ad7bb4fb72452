import Foundation

/// Private directories and a fake Commons on loopback, with the environment variables that make the gallery use them.
struct BrowserHome {
    let folder: TemporaryFolder
    let site: FakeCommons
    private let configuration: [String: String]

    init(listens: Bool = true) throws {
        folder = try TemporaryFolder()
        site = try FakeCommons(listens: listens)
        configuration = try folder.configure("--sources commons\n")
    }

    var downloads: URL { folder.url.appendingPathComponent("downloads") }

    func environment(_ additions: [String: String] = [:]) -> [String: String] {
        let own = [
            "XDG_DATA_HOME": folder.path("data"), "XDG_CACHE_HOME": folder.path("cache"),
            "XDG_DOWNLOAD_DIR": downloads.path, "LANG": "C.UTF-8",
        ]
        return site.site.environment(own).merging(configuration) { $1 }.merging(additions) { $1 }
    }

    /// Starts gifplay in a new tmux, and waits until the screen shows a text.
    func start(
        _ arguments: String, _ additions: [String: String] = [:], columns: Int = 100, rows: Int = 30, until text: String
    ) throws -> Tmux {
        let tmux = try Tmux(columns: columns, rows: rows)
        try tmux.gifplay(arguments, environment(additions), until: text)
        return tmux
    }

    func browse(
        _ arguments: String = "", _ additions: [String: String] = [:], columns: Int = 100, rows: Int = 30,
        until text: String
    ) throws -> Tmux {
        try start("browse " + arguments, additions, columns: columns, rows: rows, until: text)
    }

    /// Starts the gallery in a shell that then prints the chosen text in angle brackets, and the exit status.
    func pick(_ arguments: String, in tmux: Tmux, until text: String) throws {
        let command = Binary.shellCommand("browse " + arguments, environment())
        try tmux.shell("clear; x=$(\(command)); echo \"<$x> $?\"", until: text)
    }
}
