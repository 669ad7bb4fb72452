import CTerminal
import Glibc

/// The socket of the tmux server or of the GNU Screen session in which this process runs.
///
/// Both multiplexers set its execute permission while a client is attached. The kernel reports the change, so that
/// gifplay need not start a process repeatedly to notice it.
final class MultiplexerSocket {
    /// Becomes readable when a client was attached or detached.
    let descriptor: Int32
    private let path: String
    /// Whether a client is attached; true if it is unknown.
    private(set) var hasClients = true

    /// Returns nil outside multiplexers.
    /// - Parameter variable: returns the value of an environment variable.
    convenience init?(_ variable: (String) -> String?) {
        var paths: [String] = []
        if let name = variable("STY"), !name.isEmpty {
            // A terminal emulator that was started inside GNU Screen inherits STY, but sets TERM.
            guard variable("TERM")?.hasPrefix("screen") == true else { return nil }
            let user = variable("USER") ?? variable("LOGNAME") ?? ""
            paths = [variable("SCREENDIR") ?? "", "/run/screen/S-\(user)", "/tmp/screens/S-\(user)"]
                .map { "\($0)/\(name)" }
        } else if let path = variable("TMUX")?.split(separator: ",").first {
            paths = [String(path)]
        }
        guard let path = paths.first(where: { access($0, F_OK) == 0 }) else { return nil }
        self.init(path: path)
    }

    init?(path: String) {
        self.path = path
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_ATTRIB)) >= 0 else { return nil }
        update()
    }

    deinit { close(descriptor) }

    /// Reads the events of ``descriptor``, and updates ``hasClients``.
    func update() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { _ = read(descriptor, $0.baseAddress, $0.count) }
        var information = stat()
        hasClients = stat(path, &information) != 0 || information.st_mode & S_IXUSR != 0
    }
}
