import Application
import ArgumentParser
import FoundationEssentials
import Sharing

/// Copies a link to the desktop clipboard or opens a page. The player starts this command and reads its exit status
/// and its error message.
///
/// The player itself does not link swift-subprocess, because the start of the player would then take 4 percent longer.
struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Copy or open a link for the player", shouldDisplay: false)

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
            _ = BackgroundValue { [link] in await clipboard.copy(link) }.wait()
        case .open:
            let opener = LinkOpener(environment: environment)
            do throws(SharingError) {
                try runBlocking { [link] () async throws(SharingError) in try await opener.open(link) }
            } catch {
                throw CommandError(ErrorMessages.describe(error))
            }
        }
    }
}
