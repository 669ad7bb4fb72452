/// All texts of the gallery in one language. The compiler reports a missing text as an error.
///
/// To add a language, add a value of this type and a case of ``Language``.
struct GalleryStrings: Sendable {
    typealias OfText = @Sendable (String) -> String
    typealias OfCount = @Sendable (Int) -> String

    // Feeds.
    let trending: String
    let builtIn: String
    let favourites: String
    let history: String
    let quoted: OfText

    // The state of a listing.
    let loading: String
    let searching: OfText
    let nothingHere: String
    let nothingFound: OfText
    let suggestions: String
    let otherQueryHint: String
    let noNetwork: String
    let offlineHelp: String
    let offlineSamples: String
    let offlineMode: String
    let offlineModeSamples: String
    let samplesInstead: OfText
    /// The argument is the key that starts a retry.
    let retry: OfText
    let allDismissed: String
    let undoHelp: String
    let noFavourites: String
    let favouritesHelp: String
    let noHistory: String
    /// The arguments are the position of the selected GIF, the number of GIFs, and whether this number is the exact
    /// total.
    let position: @Sendable (Int, Int, Bool) -> String
    let newResults: String
    let moreComing: String
    let refreshing: String
    let end: String
    let asOf: OfText

    // Single GIFs.
    let untitled: String
    let loadingTile: String
    let failedTile: OfText
    let brokenTile: String
    let loadingOriginal: String
    let by: OfText
    let comments: OfCount
    let decimalMark: String

    // Ages.
    let justNow: String
    let minutesAgo: OfCount
    let hoursAgo: OfCount
    let today: String
    let yesterday: String
    let daysAgo: OfCount
    let weeksAgo: OfCount
    let monthsAgo: OfCount
    let yearsAgo: OfCount
    let inSeconds: OfCount
    let inMinutes: OfCount
    let inHours: OfCount

    // Key hints and the help. Each list of hints is ordered from the longest to the shortest.
    let fieldHint: String
    let typingHints: [String]
    let browsingHints: [String]
    let fullHints: [String]
    let anyKey: String
    let helpHeading: String
    let helpHeadingWithMore: String
    let help: [HelpEntry]

    // Results of actions.
    let saving: String
    let saved: OfText
    let saveFailed: OfText
    let savingForbidden: OfText
    let linkCopied: String
    let addressCopied: String
    let opening: String
    let opened: String
    let openFailed: OfText
    let storeFailed: OfText
    let storeLocked: String
    let contactRequired: String
    let favouriteAdded: String
    let favouriteRemoved: String
    let dismissed: OfCount
    let restored: OfCount
    let nothingToUndo: String
    let noPage: String
    let firstItem: String
    let lastItem: String

    // Reasons why an action failed.
    let noDownloadDirectory: String
    let fileNameTaken: OfText
    let notWebAddress: String
    let noDisplay: String
    let notInstalled: OfText
    let linkToOpen: OfText
    /// The arguments are the program and the system's message.
    let notStarted: @Sendable (String, String) -> String
    let programFailed: @Sendable (String, Int) -> String
    let storeTooNew: OfText

    // Reasons why a file of a GIF is not available.
    let notGIF: OfText
    let incompleteFile: OfText
    let fileTooLarge: String
    let cacheFailed: String
    let noAddress: String
    let notCached: String
    let notAnimated: String

    // Reasons why a source provided no listing.
    let unreachable: OfText
    let timedOut: OfText
    /// The arguments are the host and the size limit in MiB.
    let tooLarge: @Sendable (String, Int) -> String
    let redirectRefused: OfText
    let badAddress: String
    /// The argument is the HTTP status.
    let refused: OfCount
    let outOfOrder: OfCount
    let forbidden: OfCount
    let tooManyRequests: String
    let retryTime: OfText
    let notAListing: String
    let serviceSays: OfText
    let outage: String
    let keyRequired: OfText
    let keyRefused: OfText
    let coolingDown: String
    let cooledDown: String
    let nothingToPlay: String
    let notOffered: String
    let foreignPage: OfText
    let outOfTime: String
    let unknownSource: @Sendable (String, String) -> String
    let cancelled: String

    // The plain listing.
    let listed: OfCount
    let listedOf: @Sendable (Int, Int) -> String
    let moreAvailable: String

    /// A line of the help.
    struct HelpEntry: Sendable {
        let keys: String
        let meaning: String

        init(_ keys: String, _ meaning: String) {
            self.keys = keys
            self.meaning = meaning
        }
    }

    static func of(_ language: Language) -> GalleryStrings {
        switch language {
        case .english: .english
        case .german: .german
        }
    }
}
