/// What MediaWiki answers to a search with `prop=imageinfo`, in formatversion 2.
struct CommonsAnswer: Decodable {
    var pages: [Page]
    /// Where the next page begins; a listing without hits has no `query` at all.
    var proceed: [String: String]
    var failure: Failure?
    var isListing: Bool

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        let query = body.value(NamedMembers.self, "query")?.object
        pages = query?.list(Page.self, "pages") ?? []
        proceed = [:]
        let following = body.value(NamedMembers.self, "continue")?.object
        for name in following?.names ?? [] { proceed[name] = following?.text(name) }
        // Two shapes, by the `errorformat` in force; both come with the status 200.
        failure = body.list(Failure.self, "error").first ?? body.list(Failure.self, "errors").first
        isListing = body.has("query") || body.has("batchcomplete") || body.has("continue")
    }

    /// What MediaWiki says instead of a listing.
    struct Failure: Decodable {
        var code: String
        var message: String

        init(from decoder: any Decoder) throws {
            let error = try LenientObject(decoder)
            code = error.text("code", limit: 60) ?? ""
            message = error.text("info", limit: 200) ?? error.text("text", limit: 200) ?? ""
        }
    }

    /// One file's page.
    struct Page: Decodable {
        var id: String?
        var title: String?
        /// The rank among the hits: the pages come in another order.
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

        /// `File:Dancing cat.gif` is titled `Dancing cat`.
        static func bare(_ name: String) -> String {
            let file = name.hasPrefix("File:") ? name.dropFirst(5) : name[...]
            return String(file.lowercased().hasSuffix(".gif") ? file.dropLast(4) : file)
        }
    }
}

extension CommonsAnswer {
    /// One `imageinfo`; of a hidden or missing file there is almost nothing in it.
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
        /// When this version of the file was uploaded.
        var posted: Int?

        init(from decoder: any Decoder) throws {
            let info = try LenientObject(decoder)
            let frames = info.list(Metadatum.self, "metadata").first { $0.name == "frameCount" }?.number
            let isGIF = info.text("mime").map { $0 == "image/gif" } ?? true
            // `duration` is only there where it is above zero, which takes a second frame.
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

        /// The thumbnail, if it is another file; the thumbnailer keeps one frame of what it finds too large.
        private static func thumbnail(_ info: LenientObject, beside original: String?) -> Rendition? {
            guard let url = info.address("thumburl"), url != original, !info.has("thumberror") else { return nil }
            return Rendition(
                url: url, width: info.size("thumbwidth"), height: info.size("thumbheight"), mayBeStill: true)
        }
    }

    /// A name with a value of any type.
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
