import Base
import Glibc

/// Asks tmux what the terminals of its clients support and, repeatedly, whether a client shows the pane of gifplay.
///
/// The focus that tmux reports is not sufficient: a visible pane beside the focused one has no focus. A query needs
/// about 3 ms of processor time, so it is sent when a client was attached or detached, and otherwise seldom.
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
    private var received: [UInt8] = []
    private let isPopup: Bool
    private let target: String
    /// The format of the reply's first line; see ``TmuxReply``.
    private let format: String
    /// The path of the terminal device. A reply of tmux is valid only if the pane has this device. Otherwise, this
    /// process runs, for example, in a terminal emulator that inherited tmux's variables.
    private let device: String
    private let socket: MultiplexerSocket?

    /// The time between two queries while the pane is visible.
    static let visibleInterval = 10 * Span.second
    /// The time between two queries while clients show other panes.
    static let hiddenInterval = 2 * Span.second
    /// The time between two queries while no client is attached. The socket reports the next one.
    static let detachedInterval = 60 * Span.second

    /// Returns nil outside tmux, and if there is nothing to ask.
    /// - Parameters:
    ///   - device: the path of the terminal device; nil if it is unknown.
    ///   - asksForFeatures: whether to ask at the start, because the terminal's colours or graphics are needed.
    ///   - asksSoon: whether to ask within two seconds, because the user might choose graphics later.
    ///   - socket: the socket of tmux; nil if it is unknown.
    ///   - variable: returns the value of an environment variable.
    init?(
        device: String?, at now: Instant, asksForFeatures: Bool, asksSoon: Bool = false,
        socket: MultiplexerSocket? = nil,
        _ variable: (String) -> String?
    ) {
        let (pane, server) = (variable("TMUX_PANE") ?? "", variable("TMUX") ?? "")
        // Inside GNU Screen, its own windows and not the pane determine whether this process is visible.
        guard let device, !server.isEmpty, variable("STY") == nil else { return nil }
        // A popup is no pane. It is always visible, and its session has the clients.
        isPopup = pane.isEmpty
        guard asksForFeatures || asksSoon || !isPopup else { return nil }
        target = isPopup ? "$" + (server.split(separator: ",").last ?? "") : pane
        format =
            isPopup
            ? "1 01 \(device) 0"
            : "#{window_active_clients} #{window_zoomed_flag}#{pane_active} #{pane_tty} #{allow-passthrough}"
        self.device = device
        self.socket = socket
        (awaitsOutput, repeatsForNames) = (asksForFeatures || socket?.hasClients == false, asksForFeatures)
        deadline = awaitsOutput ? nil : now + (asksSoon ? Self.hiddenInterval : Self.visibleInterval)
    }

    /// The descriptor that becomes readable when tmux replies; -1 if no reply is awaited.
    var descriptor: Int32 { query?.pipe ?? -1 }

    func noticeOutput(at now: Instant) {
        guard awaitsOutput else { return }
        awaitsOutput = false
        deadline = now
    }

    /// Makes the next query due now, because a client was attached or detached.
    func noticeClients(at now: Instant) {
        guard query != nil || deadline != nil else { return }
        cancel()
        deadline = now
    }

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

    /// Reads a part of the reply, for which it does not wait once the descriptor is readable.
    /// - Returns: whether the reply has ended.
    func hasReply() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        received += buffer.prefix(max(0, count))
        return count <= 0 || received.count > 64 << 10
    }

    /// Evaluates the reply. Returns nil if it is not valid, as before tmux 3.1; gifplay then assumes that the pane is visible
    /// and sends no further query.
    func readReply(at now: Instant) -> TmuxReply? {
        guard query != nil else { return nil }
        let text = String(decoding: received, as: UTF8.self)
        cancel()
        var reply = TmuxReply(text, device: device)
        isHidden = reply?.isShown == false
        if let reply, !isPopup {
            let hiddenInterval = socket?.hasClients == false ? Self.detachedInterval : Self.hiddenInterval
            deadline = now + (reply.isShown ? Self.visibleInterval : hiddenInterval)
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
        received = []
    }
}
