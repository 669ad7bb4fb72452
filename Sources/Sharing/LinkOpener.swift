import Catalog

public struct LinkOpener: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Opens a link with xdg-open and returns when xdg-open has ended. If xdg-open starts the browser in the
    /// foreground, this can take as long as the browser runs. The cancellation of the task ends neither.
    /// - Parameter isFolder: whether `link` is the absolute path of a folder.
    public func open(_ link: String, isFolder: Bool = false) async throws(SharingError) {
        if let failure = try await start(link, isFolder: isFolder).ended() { throw failure }
    }

    /// - Throws: if the link is not a web address, if there is no display, or if xdg-open is missing. Without a
    ///   display, xdg-open would start a text browser in the player's terminal.
    public func start(_ link: String, isFolder: Bool = false) throws(SharingError) -> RunningProgram {
        // The text must begin with a scheme or a slash, so that xdg-open cannot interpret it as an option.
        let starts = isFolder ? ["/"] : ["http", "HTTP"]
        guard let url = isFolder ? link : WebAddress.checked(link), starts.contains(where: { url.hasPrefix($0) }) else {
            throw .notWebAddress
        }
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw .noDisplay(link: url)
        }
        guard let program = ExternalProgram("xdg-open", [url], environment: environment) else {
            throw .noProgram(tried: ["xdg-open"], link: url)
        }
        return try program.start(input: "", environment: environment)
    }
}
