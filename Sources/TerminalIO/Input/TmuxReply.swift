import Base
import Pixels
import Playback

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
    func updated(by reply: TmuxReply?, to queries: String) -> TerminalTraits {
        var traits = self
        if reply?.isFinal != false { traits.graphics.awaited?.remove(.tmux) }
        guard let reply else { return traits }
        if reply.hasDirectColors, queries.contains(ScreenSequences.colorQueries) { traits.colors.depth = .direct }
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
