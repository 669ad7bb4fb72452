import Catalog
import Fetching

/// The outcomes of files, by their address.
extension SourceHealth {
    /// Returns the reason why the host of this address is in a cool-down; nil if it is not.
    func coolDownMessage(of url: String) -> String? {
        guard case .file(let message)? = coolDown(of: .host(AddressName.authority(url)))?.reason else { return nil }
        return message
    }

    /// Starts a cool-down if the error indicates a problem of the host: status 403, 429 or 5xx, a timeout, a very
    /// slow download or no connection.
    func recordFailure(_ error: FetchError, of url: String) {
        switch error {
        case .status(403, _), .status(429, _), .status(500..., _), .transport(.timedOut), .transport(.tooSlow),
            .transport(.unreachable):
            recordFailure(ofHost: AddressName.authority(url), ErrorMessages.describe(error))
        default: break
        }
    }

    /// Starts a cool-down of this address's host. Call this function if the host sent no data for a while and another
    /// file was loaded in the meantime.
    func recordStall(of url: String) {
        recordFailure(ofHost: AddressName.authority(url), "\(AddressName.host(url)) sent no data")
    }

    func recordSuccess(of url: String) { recordSuccess(of: .host(AddressName.authority(url))) }
}
