import Base
import Glibc

/// Asks tmux what the terminals of its clients support and, repeatedly, whether a client shows the pane of gifplay.
///
/// The focus that tmux reports is not sufficient: a visible pane beside the focused one has no focus.
final class TmuxPane {
    /// Whether the pane is hidden, because no client shows its window or because another pane of the window is zoomed.
    private(set) var isHidden = false
    /// The time of the next query; nil while a reply is awaited, and if no query follows.
    private(set) var deadline: Instant?
    /// Whether the first query follows the first output, so that it does not delay it.
    private var awaitsOutput: Bool
    /// Whether to ask again soon if tmux does not know the names of the terminals yet, because it has just started.
    private var repeatsForNames: Bool
    private var query: SpawnedProcess?
    private let target: String
    /// The format of the reply's first line; see ``TmuxReply``.
    private let format: String
    /// The path of the terminal device. A reply of tmux is valid only if the pane has this device. Otherwise, this
    /// process runs, for example, in a terminal emulator that inherited tmux's variables.
    private let device: String
    private let watchesVisibility: Bool

    /// The time between two queries while the pane is visible. A query needs about 2 ms of processor time.
    static let visibleInterval = 10 * Span.second
    static let hiddenInterval = 2 * Span.second

    /// Returns nil outside tmux, and if there is nothing to ask.
    /// - Parameters:
    ///   - device: the path of the terminal device; nil if it is unknown.
    ///   - asksForFeatures: whether to ask at the start, because the terminal's colours or graphics are needed.
    ///   - watchesVisibility: whether to ask repeatedly.
    ///   - variable: returns the value of an environment variable.
    init?(
        device: String?, at now: Instant, asksForFeatures: Bool, watchesVisibility: Bool,
        _ variable: (String) -> String?
    ) {
        let (pane, server) = (variable("TMUX_PANE") ?? "", variable("TMUX") ?? "")
        // Inside GNU Screen, its own windows and not the pane determine whether this process is visible.
        guard let device, !server.isEmpty, variable("STY") == nil else { return nil }
        // A popup is no pane. It is always visible, and its session has the clients.
        let isPopup = pane.isEmpty
        guard asksForFeatures || watchesVisibility && !isPopup else { return nil }
        target = isPopup ? "$" + (server.split(separator: ",").last ?? "") : pane
        format =
            isPopup
            ? "1 01 \(device) 0"
            : "#{window_active_clients} #{window_zoomed_flag}#{pane_active} #{pane_tty} #{allow-passthrough}"
        self.device = device
        self.watchesVisibility = watchesVisibility && !isPopup
        (awaitsOutput, repeatsForNames) = (asksForFeatures, asksForFeatures)
        deadline = asksForFeatures ? nil : now + Self.visibleInterval
    }

    /// The descriptor that becomes readable when tmux replies; -1 if no reply is awaited.
    var descriptor: Int32 { query?.pipe ?? -1 }

    func noticeOutput(at now: Instant) {
        guard awaitsOutput else { return }
        awaitsOutput = false
        deadline = now
    }

    /// If the pane counts as hidden, makes a query due now, because a key suggests that the user sees the pane.
    func noticeKey(at now: Instant) { if isHidden, deadline != nil { deadline = now } }

    /// Sends a query to tmux if ``deadline`` has passed.
    /// - Returns: false if the query cannot be sent.
    func update(at now: Instant) -> Bool {
        guard let deadline, now >= deadline else { return true }
        self.deadline = nil
        query = try? SpawnedProcess(
            [
                "tmux", "display-message", "-p", "-t", target, format, ";", "list-clients", "-t", target, "-F",
                "#{client_control_mode}|#{client_termfeatures}|#{client_termname}|#{client_termtype}",
            ], readsOutput: true)
        if query == nil { isHidden = false }
        return query != nil
    }

    /// Reads the reply. Returns nil if it is not valid, as before tmux 3.1; gifplay then assumes that the pane is visible
    /// and sends no further query.
    func readReply(at now: Instant) -> TmuxReply? {
        guard let query else { return nil }
        let text = String(decoding: (try? FileSystem.read(query.pipe, limit: 64 << 10)) ?? [], as: UTF8.self)
        cancel()
        var reply = TmuxReply(text, device: device)
        isHidden = watchesVisibility && reply?.isShown == false
        if watchesVisibility, let reply {
            deadline = now + (reply.isShown ? Self.visibleInterval : Self.hiddenInterval)
        }
        if reply?.hasNames == false, repeatsForNames {
            reply?.isFinal = false
            deadline = now + Span.second
        }
        repeatsForNames = false
        return reply
    }

    func cancel() {
        guard let query else { return }
        close(query.pipe)
        kill(query.id, SIGKILL)
        query.wait()
        self.query = nil
    }
}
