import Glibc

/// A home directory in /tmp for the tests. It is removed when the test runner exits.
///
/// Every process that tests start gets ``environment``, so that no process reads or writes the developer's own files.
public enum TestHome {
    /// The variables for HOME, the XDG base directories, the shells' history file, tmux's socket directory and the
    /// address sanitizer's options.
    public static let environment: [String: String] = {
        let home = path
        var environment = [
            "HOME": home, "HISTFILE": home + "/history", "ZDOTDIR": home, "TMUX_TMPDIR": home + "/tmux",
            "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data",
            "XDG_STATE_HOME": home + "/state", "XDG_RUNTIME_DIR": home + "/run",
            "XDG_DOWNLOAD_DIR": home + "/downloads",
        ]
        // The test process itself does not check for leaks at exit, but the programs that it starts do.
        if let options = getenv("GIFPLAY_ASAN_OPTIONS") { environment["ASAN_OPTIONS"] = String(cString: options) }
        return environment
    }()

    /// The path of the directory, which contains the subdirectories that programs expect to exist.
    public static let path: String = {
        guard let directory = try? TemporaryDirectory() else { return "/nonexistent" }
        for name in ["tmux", "run"] { mkdir(directory.path + "/" + name, 0o700) }
        retained = directory
        // Static values are never released, so the exit handler releases the directory.
        atexit { TestHome.retained = nil }
        return directory.path
    }()

    /// Access is not synchronized, because only the initializer of ``path`` and the exit handler write this value.
    nonisolated(unsafe) private static var retained: TemporaryDirectory?
}
