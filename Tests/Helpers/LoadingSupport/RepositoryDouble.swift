import Base
import Catalog

/// A repository that returns the given outcomes in order, one for each call. Further calls fail with
/// `Failure.nothingFound`.
public final class RepositoryDouble: GIFRepository {
    /// A call with its arguments.
    public enum Call: Equatable, Sendable {
        case search(SearchQuery, page: PageToken?)
        case trending(ListingPreferences, page: PageToken?)
        case random(ListingPreferences)
    }

    public let name: String
    private let outcomes: Monitor<[Result<ResultPage, Failure>]>
    private let recorded = Monitor<[Call]>([])
    private let isSilent: Bool

    /// - Parameter isSilent: whether a call returns only after its task is cancelled.
    public init(
        _ name: String = "commons", _ outcomes: [Result<ResultPage, Failure>] = [], isSilent: Bool = false
    ) {
        self.name = name
        self.isSilent = isSilent
        self.outcomes = Monitor(outcomes)
    }

    /// All received calls, in order.
    public var calls: [Call] { recorded.withLock { $0 } }

    public func search(_ query: SearchQuery, page: PageToken?) async throws(Failure) -> ResultPage {
        try await outcome(of: .search(query, page: page)).get()
    }

    public func trending(_ preferences: ListingPreferences, page: PageToken?) async throws(Failure) -> ResultPage {
        try await outcome(of: .trending(preferences, page: page)).get()
    }

    public func random(_ preferences: ListingPreferences) async throws(Failure) -> ResultPage {
        try await outcome(of: .random(preferences)).get()
    }

    private func outcome(of call: Call) async -> Result<ResultPage, Failure> {
        recorded.withLock { $0.append(call) }
        if isSilent { await waitUntilCancelled() }
        return outcomes.withLock { outcomes -> Result<ResultPage, Failure> in
            outcomes.isEmpty ? .failure(.nothingFound) : outcomes.removeFirst()
        }
    }
}
