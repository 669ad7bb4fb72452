import Base
import Catalog

/// The sentences for errors and events, short enough for a status line.
extension GalleryStrings {
    /// - Parameter title: returns the display name of a source.
    func sentence(_ error: CatalogError, title: (String) -> String) -> String {
        switch error {
        case .transport(let error): return sentence(error)
        case .refused(let status, _, let wait): return refusal(status, wait)
        case .notJSON: return notAListing
        case .api(_, let message, let wait): return waiting(serviceSays(message), wait)
        case .outage: return outage
        case .noKey(let variable): return keyRequired(variable)
        case .keyRefused(let variable, _): return keyRefused(variable)
        case .coolingDown(let seconds): return seconds > 0 ? waiting(coolingDown, seconds) : cooledDown
        case .nothingFound: return nothingToPlay
        case .notOffered: return notOffered
        case .foreignPage(let source): return foreignPage(title(source))
        case .outOfTime: return outOfTime
        case .unknownSource(let name, let known): return unknownSource(name, known.joined(separator: ", "))
        case .cancelled: return cancelled
        case .exhausted(let failures):
            guard let failure = Self.mostInformative(failures) else { return nothingHere }
            return title(failure.source) + ": " + sentence(failure.reason, title: title)
        }
    }

    /// Returns the most informative failure: the first error of a source that was queried, or else the first failure
    /// other than "nothing found", or else the first failure.
    private static func mostInformative(_ failures: [SourceFailure]) -> SourceFailure? {
        let broken = failures.first { failure in
            switch failure.reason {
            case .noKey, .notOffered, .nothingFound, .outOfTime, .cancelled, .foreignPage: false
            default: true
            }
        }
        return broken ?? failures.first { !$0.reason.meansNothingFound } ?? failures.first
    }

    private func sentence(_ error: HTTPError) -> String {
        switch error {
        case .unreachable(let host, _): unreachable(host)
        case .timedOut(let host, _), .tooSlow(let host, _): timedOut(host)
        case .tooLarge(let host, let limit): tooLarge(host, limit >> 20)
        case .redirectRefused(let host, _): redirectRefused(host)
        case .invalidURL: badAddress
        case .cancelled: cancelled
        }
    }

    private func refusal(_ status: Int, _ wait: Int?) -> String {
        switch status {
        case 429: waiting(tooManyRequests, wait)
        case 401, 403: forbidden(status)
        case 500...: waiting(outOfOrder(status), wait)
        default: refused(status)
        }
    }

    private func waiting(_ reason: String, _ seconds: Int?) -> String {
        guard let seconds, seconds > 0 else { return reason }
        return reason + "; " + retryTime(wait(seconds))
    }

    /// Returns the text for a waiting time. Rounds up, so that a retry after the displayed time is not too early.
    private func wait(_ seconds: Int) -> String {
        switch seconds {
        case ..<90: inSeconds(seconds)
        case ..<5400: inMinutes((seconds - 1) / 60 + 1)
        default: inHours((seconds - 1) / 3600 + 1)
        }
    }

    func sentence(_ message: StatusMessage) -> String {
        switch message {
        case .reported(let message): sentence(message)
        case .saving: saving
        case .favourite(let isFavourite): isFavourite ? favouriteAdded : favouriteRemoved
        case .dismissed(let count): dismissed(count)
        case .restored(let count): restored(count)
        case .nothingToUndo: nothingToUndo
        case .noPage: noPage
        case .first: firstItem
        case .last: lastItem
        }
    }

    private func sentence(_ message: GalleryMessage) -> String {
        switch message {
        case .saved(let path): saved(path)
        case .saveFailed(let error): saveFailed(sentence(error))
        case .fetchFailed(let error): saveFailed(sentence(error))
        case .savingForbidden(let source): savingForbidden(source)
        case .linkCopied: linkCopied
        case .addressCopied: addressCopied
        case .opening: opening
        case .opened: opened
        case .openFailed(let error): openFailed(sentence(error))
        case .storeFailed(.locked): storeLocked
        case .storeFailed(let error): storeFailed(sentence(error))
        case .keyRefused(let variable): keyRefused(variable)
        case .contactRequired: contactRequired
        }
    }

    func sentence(_ error: MediaError) -> String {
        switch error {
        case .cancelled: cancelled
        case .transport(let error): sentence(error)
        case .status(let status, let host): host + ": " + refused(status)
        case .notGIF(let host): notGIF(host)
        case .incomplete(let host): incompleteFile(host)
        case .tooLarge: fileTooLarge
        case .cacheFailed: cacheFailed
        case .noAddress: noAddress
        case .offline: notCached
        case .notAnimated: notAnimated
        }
    }

    private func sentence(_ error: DesktopActionError) -> String {
        switch error {
        case .noDownloadDirectory: noDownloadDirectory
        case .system(let path, let reason): "\(path): \(reason)"
        case .fileNameTaken(let name): fileNameTaken(name)
        case .notWebAddress: notWebAddress
        case .noDisplay(let link): noDisplay + "; " + linkToOpen(link)
        case .notInstalled(let programs, let link):
            notInstalled(programs.joined(separator: ", ")) + (link.map { "; " + linkToOpen($0) } ?? "")
        case .notStarted(let program, let reason): notStarted(program, reason)
        case .programFailed(let program, let status): programFailed(program, status)
        }
    }

    /// The `reason` of an error is not translated, because the database or the system always provides it in English.
    private func sentence(_ error: StoreError) -> String {
        switch error {
        case .cannotOpen(let path, let reason), .damaged(let path, let reason): "\(path): \(reason)"
        case .failed(let reason): reason
        case .locked: storeLocked
        case .tooNew(let path): storeTooNew(path)
        }
    }
}

extension GalleryStrings {
    /// Returns the name of a feed. The feed `trending(source: nil)` has the name ``builtIn`` if all of its items are
    /// built-in samples.
    /// - Parameters:
    ///   - items: the items of the feed.
    ///   - title: returns the display name of a source.
    func name(of feed: Feed, listing items: [GIFReference], title: (String) -> String) -> String {
        let isBuiltIn = !items.isEmpty && items.allSatisfy { $0.cachePolicy == .embedded }
        return feed == .trending(source: nil) && isBuiltIn ? builtIn : name(of: feed, title: title)
    }

    /// - Parameter title: returns the display name of a source.
    private func name(of feed: Feed, title: (String) -> String) -> String {
        switch feed {
        case .trending(nil): trending
        case .trending(.some(let source)): title(source)
        case .search(let text): quoted(SafeText.line(text))
        case .favourites: "★ " + favourites
        case .history: history
        case .community(let name): "r/" + SafeText.line(name)
        }
    }
}
