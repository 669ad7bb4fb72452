import Catalog

/// Shows a page in the user's web browser.
public struct LinkOpener: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) {
        self.environment = environment
    }

    /// Opens a link with xdg-open and returns when xdg-open has ended. If xdg-open starts the browser in the
    /// foreground, this can take as long as the browser runs.
    ///
    /// - Throws: if the link is not a web address, if there is no display, or if xdg-open is missing or fails. Without
    ///   a display, xdg-open would start a text browser in the player's terminal.
    public func open(_ link: String) async throws(SharingError) {
        // The text must begin with a scheme, so that xdg-open cannot interpret it as an option.
        guard let url = WebAddress.checked(link), url.hasPrefix("http") || url.hasPrefix("HTTP") else {
            throw .notWebAddress
        }
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw .noDisplay(link: url)
        }
        guard let program = ExternalProgram("xdg-open", [url], environment: environment) else {
            throw .noProgram(tried: ["xdg-open"], link: url)
        }
        // Use a detached task, because the cancellation of the current task would otherwise end xdg-open and the
        // browser.
        let failure = await Task.detached { [environment] () -> SharingError? in
            do throws(SharingError) {
                try await program.run(input: "", environment: environment)
                return nil
            } catch {
                return error
            }
        }.value
        if let failure { throw failure }
    }
}
