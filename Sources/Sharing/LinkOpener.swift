import Catalog

public struct LinkOpener: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) {
        self.environment = environment
    }

    /// Opens a link with xdg-open and returns when xdg-open has ended. If xdg-open starts the browser in the
    /// foreground, this can take as long as the browser runs. The cancellation of the task ends neither.
    public func open(_ link: String) async throws(SharingError) {
        if let failure = try await start(link).ended() { throw failure }
    }

    /// - Throws: if the link is not a web address, if there is no display, or if xdg-open is missing. Without a
    ///   display, xdg-open would start a text browser in the player's terminal.
    public func start(_ link: String) throws(SharingError) -> RunningProgram {
        // The text must begin with a scheme, so that xdg-open cannot interpret it as an option.
        guard let url = WebAddress.checked(link), url.hasPrefix("http") || url.hasPrefix("HTTP") else {
            throw .notWebAddress
        }
        return try start(argument: url)
    }

    /// Opens a folder with xdg-open, as ``open(_:)`` opens a link.
    /// - Parameter path: absolute, so that xdg-open cannot interpret it as an option.
    public func openFolder(_ path: String) async throws(SharingError) {
        if let failure = try await start(argument: path).ended() { throw failure }
    }

    private func start(argument: String) throws(SharingError) -> RunningProgram {
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw .noDisplay(link: argument)
        }
        guard let program = ExternalProgram("xdg-open", [argument], environment: environment) else {
            throw .noProgram(tried: ["xdg-open"], link: argument)
        }
        return try program.start(input: "", environment: environment)
    }
}
