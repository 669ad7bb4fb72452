import Foundation

/// A result in the listings of the fake servers that stand in for Wikimedia Commons.
struct CommonsFile {
    var number: Int
    var title: String
    var url: String
    var thumbnail: String?
    var bytes = 23_000
    var width = 120
    var height = 90

    /// Returns the service's response for one page of results.
    /// - Parameter next: the number of results before the next page; nil for the last page.
    static func listing(_ files: [CommonsFile], next: Int? = nil) throws -> FakeSite.Reply {
        var listing: [String: Any] = ["batchcomplete": true]
        if !files.isEmpty { listing["query"] = ["pages": files.enumerated().map { $1.page(index: $0 + 1) }] }
        if let next { listing["continue"] = ["gsroffset": next, "continue": "gsroffset||"] as [String: Any] }
        return FakeSite.Reply(body: Array(try JSONSerialization.data(withJSONObject: listing)))
    }

    private func page(index: Int) -> [String: Any] {
        let file = "File:\(title).gif"
        var image: [String: Any] = [
            "timestamp": "2024-05-04T10:11:12Z", "size": bytes, "width": width, "height": height, "url": url,
            "descriptionurl": "https://commons.wikimedia.org/wiki/" + file.replacingOccurrences(of: " ", with: "_"),
            "mime": "image/gif", "mediatype": "BITMAP", "metadata": [["name": "frameCount", "value": 24]],
            "extmetadata": ["Artist": ["value": "Inkwell"], "LicenseShortName": ["value": "CC0"]],
        ]
        if let thumbnail {
            image.merge(["thumburl": thumbnail, "thumbwidth": 120, "thumbheight": 90]) { $1 }
        }
        return ["pageid": 7000 + number, "ns": 6, "title": file, "index": index, "imageinfo": [image]]
    }
}
