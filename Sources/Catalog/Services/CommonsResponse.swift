/// MediaWiki's response to a search with `prop=imageinfo`, in `formatversion=2`.
struct CommonsResponse: Decodable {
    var pages: [Page]
    /// Empty if this is the last page.
    var continuation: [String: String]
    var failure: Failure?
    /// Whether the response is a listing. A missing `query` member is allowed, because a listing without hits has none.
    var isListing: Bool

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        let query = body.value(NamedMembers.self, "query")?.object
        pages = query?.list(Page.self, "pages") ?? []
        continuation = [:]
        let following = body.value(NamedMembers.self, "continue")?.object
        for name in following?.names ?? [] { continuation[name] = following?.text(name) }
        // Errors have one of two formats, depending on `errorformat`. In both cases, the HTTP status is 200.
        failure = body.list(Failure.self, "error").first ?? body.list(Failure.self, "errors").first
        isListing = body.has("query") || body.has("batchcomplete") || body.has("continue")
    }

    struct Failure: Decodable {
        var code: String
        var message: String

        init(from decoder: any Decoder) throws {
            let error = try LenientObject(decoder)
            code = error.text("code", limit: 60) ?? ""
            message = error.text("info", limit: 200) ?? error.text("text", limit: 200) ?? ""
        }
    }

    /// The wiki page of one file.
    struct Page: Decodable {
        var id: String?
        var title: String?
        /// The rank of the page among the hits. MediaWiki returns the pages in a different order.
        var index: Int?
        var image: Image?

        init(from decoder: any Decoder) throws {
            let page = try LenientObject(decoder)
            let name = page.text("title")
            id = page.text("pageid") ?? name
            title = name.map(Self.bare)
            index = page.integer("index")
            image = page.list(Image.self, "imageinfo").first
        }

        /// Returns `Dancing cat` for `File:Dancing cat.gif`.
        static func bare(_ name: String) -> String {
            let file = name.hasPrefix("File:") ? name.dropFirst(5) : name[...]
            return String(file.lowercased().hasSuffix(".gif") ? file.dropLast(4) : file)
        }
    }
}

extension CommonsResponse {
    /// One element of `imageinfo`. For a hidden or missing file, the element is almost empty.
    struct Image: Decodable {
        var isAnimatedGIF: Bool
        var original: Rendition?
        var thumbnail: Rendition?
        var page: String?
        var artist: String?
        var licence: String?
        var licenceURL: String?
        var objectName: String?
        var description: String?
        /// The upload time of this version of the file, in seconds since 1970.
        var posted: Int?

        init(from decoder: any Decoder) throws {
            let info = try LenientObject(decoder)
            let frames = info.list(Metadatum.self, "metadata").first { $0.name == "frameCount" }?.number
            let isGIF = info.text("mime").map { $0 == "image/gif" } ?? true
            // Without a frame count, a `duration` shows at least two frames. It exists only if it is above zero.
            isAnimatedGIF = isGIF && (frames.map { $0 > 1 } ?? info.has("duration"))
            original = info.address("url").map { url in
                Rendition(
                    url: url, width: info.size("width"), height: info.size("height"), bytes: info.size("size"),
                    frames: frames)
            }
            thumbnail = Self.thumbnail(info, beside: original?.url)
            page = info.address("descriptionurl")
            posted = PostedTime.seconds(info.text("timestamp"))
            let details = info.value(NamedMembers.self, "extmetadata")?.object
            artist = details?.value(NamedMembers.self, "Artist")?.object.html("value", limit: 120)
            licence = details?.value(NamedMembers.self, "LicenseShortName")?.object.html("value", limit: 60)
            licenceURL = details?.value(NamedMembers.self, "LicenseUrl")?.object.address("value")
            objectName = details?.value(NamedMembers.self, "ObjectName")?.object.html("value")
            description = details?.value(NamedMembers.self, "ImageDescription")?.object.html("value", limit: 2_000)
        }

        /// Returns the thumbnail if it is not the original file. The thumbnail might be a still, because Wikimedia
        /// keeps only one frame in thumbnails of very large files.
        private static func thumbnail(_ info: LenientObject, beside original: String?) -> Rendition? {
            guard let url = info.address("thumburl"), url != original, !info.has("thumberror") else { return nil }
            return Rendition(
                url: url, width: info.size("thumbwidth"), height: info.size("thumbheight"), mayBeStill: true)
        }
    }

    /// A metadata entry with a name and a value of any type.
    struct Metadatum: Decodable {
        var name: String?
        var number: Int?

        init(from decoder: any Decoder) throws {
            let entry = try LenientObject(decoder)
            name = entry.text("name")
            number = entry.integer("value")
        }
    }
}
