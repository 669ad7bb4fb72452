import Catalog
import Fetching

extension MediaError {
    init(_ error: FetchError) {
        switch error {
        case .transport(let error): self = .transport(error)
        case .status(let status, let host): self = .status(status, host: host)
        case .notGIF(_, let host): self = .notGIF(host: host)
        case .empty(let host), .cut(_, _, let host), .changed(let host): self = .incomplete(host: host)
        case .cache, .unsafeCacheDirectory, .tooLargeForCache: self = .cacheFailed
        }
    }
}
