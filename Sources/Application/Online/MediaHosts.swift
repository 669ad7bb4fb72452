import Base
import Fetching

/// Which hosts of media are left alone for a while, and why.
public final class MediaHosts: Sendable {
    /// How long a host is left alone after a refusal, a server error or a stall.
    public static let coolDown = Duration.seconds(60)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let failed = Monitor<[String: (until: ContinuousClock.Instant, reason: String)]>([:])

    public init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Why the host of this address is left alone now; nil if it may be asked.
    public func reason(_ url: String) -> String? {
        let present = now()
        return failed.withLock { failed in
            let host = AddressName.authority(url)
            guard let known = failed[host], known.until > present else {
                failed[host] = nil
                return nil
            }
            return known.reason
        }
    }

    /// Notes a failure, if it says something about the host.
    public func note(_ error: FetchError, of url: String) {
        switch error {
        case .status(403, _), .status(429, _), .status(500..., _), .transport(.timedOut), .transport(.unreachable):
            leaveAlone(url, Sentences.describe(error))
        default: break
        }
    }

    /// Notes that a host sent nothing while another one did.
    public func noteStall(of url: String) {
        leaveAlone(url, "\(AddressName.host(url)) sent nothing")
    }

    private func leaveAlone(_ url: String, _ reason: String) {
        let until = now() + Self.coolDown
        failed.withLock { $0[AddressName.authority(url)] = (until, reason) }
    }
}
