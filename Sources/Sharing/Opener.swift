import Catalog

/// Shows a page in the user's browser.
public struct Opener: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) {
        self.environment = environment
    }

    /// Opens a link with xdg-open and returns when xdg-open has ended. That can take as long as the browser runs, if
    /// xdg-open starts the browser in the foreground.
    ///
    /// - Throws: also if there is no display, where xdg-open would start a text browser over our screen.
    public func open(_ link: String) async throws(SharingError) {
        // A text with a scheme at its beginning is not an option of xdg-open.
        guard let url = WebAddress.checked(link), url.hasPrefix("http") || url.hasPrefix("HTTP") else { throw .notWeb }
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw .noDisplay(link: url)
        }
        guard let program = Program("xdg-open", [url], environment: environment) else {
            throw .noProgram(tried: ["xdg-open"], link: url)
        }
        // A detached task, because a cancelled task would end xdg-open and the browser.
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
