/// A response that is a page instead of a GIF.
public struct DownloadedPage: Sendable {
    /// In bytes, after decompression.
    static let limit = 512 << 10

    /// The address after redirects.
    public let address: String
    /// Whether addresses in the page may point to this machine or its network.
    public let mayLeadToLocal: Bool
    public internal(set) var body: [UInt8] = []
    /// Whether the page is longer than what is read of it.
    public var isCut: Bool { body.count == Self.limit }
    /// Whether the server says that it is a page.
    let isHTML: Bool

    init(_ head: ResponseHead) {
        (address, mayLeadToLocal) = (head.address, head.mayLeadToLocal)
        let type = head.headers["content-type"]?.lowercased() ?? ""
        isHTML = type.contains("html")
    }
}
