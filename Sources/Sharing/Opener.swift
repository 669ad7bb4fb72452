import Catalog

/// Shows a page in the user's browser.
public struct Opener: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) {
        self.environment = environment
    }

    /// Hands a link to xdg-open and returns at once; how that fares is told to `ended`.
    ///
    /// - Throws: without a display the link to show instead, since xdg-open would start a browser of
    ///   text over our screen.
    public func open(
        _ link: String, ended: @escaping @Sendable (SharingError?) -> Void = { _ in }
    ) throws(SharingError) {
        // With a scheme at its beginning it is no option of the program's either.
        guard let url = WebAddress.checked(link), url.hasPrefix("http") || url.hasPrefix("HTTP") else { throw .notWeb }
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else {
            throw .noDisplay(link: url)
        }
        guard let program = Program("xdg-open", [url], environment: environment) else {
            throw .noProgram(tried: ["xdg-open"], link: url)
        }
        // Of nobody's task: a browser that it starts may run for hours, and longer than we do.
        Task.detached { [environment] in
            do throws(SharingError) {
                try await program.run(input: "", environment: environment)
                ended(nil)
            } catch {
                ended(error)
            }
        }
    }
}
