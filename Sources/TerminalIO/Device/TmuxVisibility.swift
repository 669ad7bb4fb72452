import Base
import Glibc

/// Finds out whether a client of tmux shows the pane of this process, by asking tmux from time to time.
///
/// The focus that tmux reports is not sufficient: a visible pane beside the focused one has no focus.
final class TmuxVisibility {
    /// Whether the pane is hidden, because no client shows its window or because another pane of the window is zoomed.
    private(set) var isHidden = false
    /// The time of the next query; nil while a reply is awaited, and if no valid reply can be expected.
    private(set) var deadline: Instant?
    private var query: SpawnedProcess?
    private let pane: String
    /// The path of the terminal device. A reply of tmux is valid only if the pane has this device. If the devices
    /// differ, this process runs, for example, in a terminal emulator that was started in the pane and inherited tmux's
    /// variables.
    private let device: String

    /// The time between two queries while the pane is visible. A query needs about 2 ms of processor time.
    static let visibleInterval = 10 * Span.second
    static let hiddenInterval = 2 * Span.second

    /// Returns nil outside tmux.
    /// - Parameters:
    ///   - device: the path of the terminal device.
    ///   - variable: returns the value of an environment variable.
    init?(device: String, at now: Instant, _ variable: (String) -> String?) {
        self.device = device
        pane = variable("TMUX_PANE") ?? ""
        // Inside GNU Screen, the pane does not determine whether this process is visible, because GNU Screen has
        // windows of its own.
        guard !pane.isEmpty, variable("TMUX")?.isEmpty == false, variable("STY") == nil else { return nil }
        deadline = now + Self.visibleInterval
    }

    /// The descriptor that becomes readable when tmux replies; -1 if no reply is awaited.
    var descriptor: Int32 { query?.pipe ?? -1 }

    /// If the pane counts as hidden, makes a query due now, because a key suggests that the user sees the pane.
    func noticeKey(at now: Instant) {
        if isHidden, deadline != nil { deadline = now }
    }

    /// Sends a query to tmux if ``deadline`` has passed.
    func update(at now: Instant) {
        guard let deadline, now >= deadline else { return }
        self.deadline = nil
        let format = "#{window_active_clients} #{window_zoomed_flag}#{pane_active} #{pane_tty}"
        query = try? SpawnedProcess(["tmux", "display-message", "-p", "-t", pane, format], readsOutput: true)
        if query == nil { isHidden = false }
    }

    /// Reads the reply. Without a valid reply, for example from tmux before version 3.1, the pane counts as visible and
    /// tmux is not asked again.
    func readReply(at now: Instant) {
        guard let query else { return }
        let reply = String(decoding: (try? FileSystem.read(query.pipe, limit: 1000)) ?? [], as: UTF8.self)
        cancel()
        let isShown = isShown(reply)
        isHidden = isShown == false
        deadline = isShown.map { now + ($0 ? Self.visibleInterval : Self.hiddenInterval) }
    }

    func cancel() {
        guard let query else { return }
        close(query.pipe)
        kill(query.id, SIGKILL)
        query.wait()
        self.query = nil
    }

    /// Returns whether the reply means that the pane is visible; nil if the reply is not valid.
    func isShown(_ reply: String) -> Bool? {
        let fields = reply.split { $0 == " " || $0 == "\n" }
        guard fields.count == 3, let clients = Int(fields[0]), fields[2] == device else { return nil }
        return clients > 0 && fields[1] != "10"
    }
}
