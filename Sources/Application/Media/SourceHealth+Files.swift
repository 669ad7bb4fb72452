import Catalog
import Fetching

extension SourceHealth {
    /// Nil if the host of this address is not in a cool-down.
    func coolDownMessage(of url: String) -> String? {
        guard case .file(let message)? = coolDown(of: .host(URLAuthority.text(url)))?.reason else { return nil }
        return message
    }

    /// Starts a cool-down if the error indicates a problem of the host, such as overload or no connection.
    func recordFailure(_ error: FetchError, of url: String) {
        switch error {
        case .status(403, _, _), .status(429, _, _), .status(500..., _, _), .transport(.timedOut), .transport(.tooSlow),
            .transport(.unreachable):
            recordFailure(ofHost: URLAuthority.text(url), ErrorMessages.describe(error))
        default: break
        }
    }

    /// Starts a cool-down of the host. Call this if it sent no data while another file was loaded.
    func recordStall(of url: String) {
        recordFailure(ofHost: URLAuthority.text(url), "\(URLAuthority.host(url)) sent no data")
    }

    func recordSuccess(of url: String) { recordSuccess(of: .host(URLAuthority.text(url))) }
}
