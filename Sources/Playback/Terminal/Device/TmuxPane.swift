import Base
import CTerminal
import Glibc
import Pixels

/// Asks tmux what the terminals of its clients support and, repeatedly, whether a client shows the pane of gifplay.
///
/// The focus that tmux reports is not sufficient: a visible pane beside the focused one has no focus. A query needs
/// about 3 ms of processor time, so it is sent when a client was attached or detached, and otherwise seldom.
final class TmuxPane {
    /// Whether the pane is hidden, because no client shows its window or because another pane of the window is zoomed.
    private(set) var isHidden = false
    /// The time of the next query, or at which the awaited reply is late; nil if no query follows.
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
    /// The longest wait for a reply, after which a helper program counts as hung.
    static let timeout = 2 * Span.second
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
    /// - Returns: false if the query cannot be sent, or if the reply to the previous one is late.
    func update(at now: Instant) -> Bool {
        guard let deadline, now >= deadline else { return true }
        guard query == nil else {
            cancel()
            (isHidden, self.deadline) = (false, isPopup ? nil : now + Self.visibleInterval)
            return false
        }
        self.deadline = now + Self.timeout
        query = try? SpawnedProcess(
            [
                "tmux", "display-message", "-p", "-t", target, format, ";", "list-clients", "-t", target, "-F",
                "#{client_control_mode}|#{client_termfeatures}|#{client_termname}|#{client_termtype}",
            ], readsOutput: true)
        if query == nil { (isHidden, self.deadline) = (false, nil) }
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
        deadline = nil
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

/// The reply of tmux to the query of a ``TmuxPane``.
struct TmuxReply: Equatable {
    /// Whether a client shows the pane.
    let isShown: Bool
    /// Whether the option `allow-passthrough` is on.
    let passesThrough: Bool
    /// Whether the terminals of all clients show 24-bit colours.
    let hasDirectColors: Bool
    /// The graphics that the terminals of all clients show. tmux must pass through those other than sixels.
    let protocols: Set<GraphicsProtocol>
    /// Whether the terminals of all clients repeat the frames of a kitty image by themselves.
    let repeatsFrames: Bool
    /// Whether they also keep them without errors.
    let keepsFrames: Bool
    /// Whether the terminals of all clients have told tmux their names.
    let hasNames: Bool
    /// Whether no further reply about the features follows.
    var isFinal = true

    /// - Parameters:
    ///   - text: a line about the pane, then a line for each client.
    ///   - device: the terminal device of this process. Returns nil if the pane has another one.
    init?(
        _ text: String, device: String,
        terminfo: (String) -> TerminfoColors? = { TerminfoColors(terminal: $0) }
    ) {
        let lines = text.split(separator: "\n")
        let fields = lines.first?.split(separator: " ") ?? []
        guard (3...4).contains(fields.count), let count = Int(outside: fields[0]), fields[2] == device else {
            return nil
        }
        isShown = count > 0 && fields[1] != "10"
        passesThrough = ["1", "on", "all"].contains(fields.dropFirst(3).first ?? "")
        // A client in control mode draws nothing itself.
        let clients = lines.dropFirst().map { $0.split(separator: "|", omittingEmptySubsequences: false) }
            .filter { $0.count == 4 && $0[0] != "1" }
        let features = clients.map { Set($0[1].split(separator: ",")) }
        // tmux lists RGB if the capability Tc or its own option says so, but not if terminfo has RGB colours.
        let hasDirectColors =
            !clients.isEmpty
            && zip(clients, features).allSatisfy { client, features in
                features.contains("RGB") || terminfo(String(client[2]))?.isDirect == true
            }
        self.hasDirectColors = hasDirectColors
        hasNames = clients.allSatisfy { !$0[3].isEmpty }
        let programs = clients.map { TerminalProgram(String($0[3])) }
        repeatsFrames = programs.allSatisfy(\.repeatsFrames)
        keepsFrames = programs.allSatisfy(\.keepsFrames)
        protocols = Set(
            GraphicsProtocol.allCases.filter { each in
                switch each {
                case _ where clients.isEmpty: false
                // The colour of a placeholder is the number of a kitty image, so tmux must not change it.
                case .kitty: hasDirectColors && programs.allSatisfy { $0.shows(each, throughTmux: true) }
                case .iterm2: programs.allSatisfy { $0.shows(each, throughTmux: true) }
                case .sixel: features.allSatisfy { $0.contains("sixel") }
                }
            })
    }
}

extension TerminalTraits {
    /// Returns the traits of a terminal after tmux has replied; the reply is nil if it is not valid.
    func updated(by reply: TmuxReply?, to queries: TerminalQueries) -> TerminalTraits {
        var traits = self
        if reply?.isFinal != false { traits.graphics.awaited?.remove(.tmux) }
        guard let reply else { return traits }
        if reply.hasDirectColors, queries.detectsColors { traits.colors.depth = .direct }
        let passed = reply.protocols.subtracting([.sixel])
        traits.graphics.blocked = reply.passesThrough ? [] : passed
        traits.graphics.supported = reply.passesThrough ? passed : []
        traits.graphics.repeatsFrames = traits.graphics.supported.contains(.kitty) && reply.repeatsFrames
        traits.graphics.features.swapsFrames = reply.repeatsFrames
        traits.graphics.features.sendsWholeFrames = !reply.keepsFrames
        traits.graphics.reportSixel(.tmux, reply.protocols.contains(.sixel))
        return traits
    }
}

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
