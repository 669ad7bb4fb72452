import Application
import ArgumentParser
import FoundationEssentials
import Sharing

/// What the player has done for it: copies a link to the desktop, or opens a page.
///
/// Here and not in the player, whose start swift-subprocess would make 4 percent longer.
struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Copies or opens a link for the player.", shouldDisplay: false)

    enum Action: String, ExpressibleByArgument {
        case copy
        case open
    }

    @Argument var action: Action
    @Argument var link: String

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        switch action {
        case .copy:
            let clipboard = Clipboard(environment: environment)
            _ = Pending { [link] in await clipboard.copy(link) }.wait()
        case .open:
            do throws(SharingError) { try wait(Opener(environment: environment)) } catch {
                throw Complaint(Sentences.describe(error))
            }
        }
    }

    private func wait(_ opener: Opener) throws(SharingError) {
        let ending = AsyncStream<Void>.makeStream()
        try opener.open(link) { _ in ending.continuation.finish() }
        Pending { for await _ in ending.stream {} }.wait()
    }
}
