import Base
import Fetching

/// The media hosts in cool-down after a failure, with the reasons.
public final class MediaHosts: Sendable {
    /// The duration of each cool-down.
    public static let coolDown = Duration.seconds(60)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let coolDowns = Monitor<[String: (until: ContinuousClock.Instant, reason: String)]>([:])

    public init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Returns the reason why the host of this address is in cool-down; nil if it is not in cool-down.
    public func coolDownReason(of url: String) -> String? {
        let present = now()
        return coolDowns.withLock { coolDowns in
            let host = AddressName.authority(url)
            guard let known = coolDowns[host], known.until > present else {
                coolDowns[host] = nil
                return nil
            }
            return known.reason
        }
    }

    /// Starts a cool-down if the error indicates a problem of the host: status 403, 429 or 5xx, a timeout, a very
    /// slow download or no connection.
    public func recordFailure(_ error: FetchError, of url: String) {
        switch error {
        case .status(403, _), .status(429, _), .status(500..., _), .transport(.timedOut), .transport(.tooSlow),
            .transport(.unreachable):
            startCoolDown(of: url, ErrorMessages.describe(error))
        default: break
        }
    }

    /// Starts a cool-down of this address's host. Call this function if the host sent no data for a while and another
    /// file was loaded in the meantime.
    public func recordStall(of url: String) {
        startCoolDown(of: url, "\(AddressName.host(url)) sent no data")
    }

    private func startCoolDown(of url: String, _ reason: String) {
        let until = now() + Self.coolDown
        coolDowns.withLock { $0[AddressName.authority(url)] = (until, reason) }
    }
}
