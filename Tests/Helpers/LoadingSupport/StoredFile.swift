import Base
import Catalog

@testable import Application

extension ServiceSession {
    /// Stores a complete file in the media cache, as an older version did: without the server's response.
    public func store(_ bytes: [UInt8], as url: String) throws(Failure) {
        guard let cache else { throw Failure("there is no media cache") }
        try cache.write(StoredGIF(bytes: bytes, response: nil), for: url)
    }
}
