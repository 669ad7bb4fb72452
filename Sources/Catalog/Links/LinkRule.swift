import Glibc

/// What a link to a page, or to another format of a GIF, leads to.
public enum LinkTarget: Equatable, Sendable {
    /// The addresses of the GIF, to try in order.
    case files([String])
    /// A page that names the GIF.
    case page(String)
    /// The slug of a GIF of KLIPY, whose API needs a key.
    case klipy(slug: String)
    /// Why there is no GIF.
    case refusal(String)

    /// Different templates can lead to the same file.
    fileprivate func map(_ fill: (String) -> String) -> LinkTarget {
        switch self {
        case .files(let templates):
            .files(templates.map(fill).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        case .page(let template): .page(fill(template))
        case .klipy(let template): .klipy(slug: fill(template))
        case .refusal: self
        }
    }
}

/// One row of the table of links: which addresses of a host have a known GIF, and where.
///
/// The facts are from the section "Page links" of APIS.md. A comment names their confidence there: C for the code of
/// clients, D for documentation, M for a measurement, R for a conclusion. Links without a row are tried as they are, and
/// the page that they lead to is scanned.
public struct LinkRule: Sendable {
    /// With its subdomains; "" for any host.
    let domain: String
    /// An extended POSIX expression for the path with query and fragment. Its letters match in either case.
    let pattern: String
    /// Of templates, in which `$1` is a capture, `%1` a percent-decoded one, `$h` the host, and `$w` the host of a wiki
    /// without its mobile form. A template that begins with `//` gets the scheme of the link.
    let target: LinkTarget
    /// The capture that contains the title; 0 if none does.
    let title: Int
    /// Whether the target is an address that the link contains, which can have a row of its own.
    let isWrapper: Bool

    private init(_ domain: String, _ pattern: String, _ target: LinkTarget, title: Int = 0) {
        (self.domain, self.pattern, self.target, self.title, isWrapper) = (domain, pattern, target, title, false)
    }

    private init(_ domain: String, _ pattern: String, inner: String) {
        (self.domain, self.pattern, target, title, isWrapper) = (domain, pattern, .files([inner]), 0, true)
    }

    /// An optional language before the path; two captures.
    private static let language = "^(/[a-z]{2}([-_][a-z]{2,4})?)?"
    /// In bytes. The cost of an expression can grow faster than the address.
    private static let maximumLength = 2_000
    /// The number of links, each inside another, that are followed.
    private static let maximumWrappers = 4
    private static let onlyVideos = " has only videos, which gifplay does not play"

    static let rows: [LinkRule] = [
        // GIPHY [C]. Not every file exists in both places.
        .init(
            "giphy.com", language + "/(gifs|stickers|embed|clips)/([^/?#]*-)?([a-z0-9]{3,})([/?#.]|$)",
            .files(["//i.giphy.com/$5.gif", "//i.giphy.com/media/$5/giphy.gif"]), title: 4),
        .init(
            "giphy.com",
            "^/media/(v1\\.[^/]+/)?([a-z0-9]{3,})(/?|/[^/?#]*(\\.(webp|mp4|webm|png|jpe?g)|_s(till)?\\.gif))([?#]|$)",
            .files(["//i.giphy.com/$2.gif", "//i.giphy.com/media/$2/giphy.gif"])),
        .init(
            "i.giphy.com", "^/([a-z0-9]{3,})(\\.(webp|mp4|webm))?([?#]|$)",
            .files(["//i.giphy.com/$1.gif", "//i.giphy.com/media/$1/giphy.gif"])),
        // Tenor [C]: the page of a view names its GIF. The last letters of a file's code are its format.
        .init("tenor.com", language + "/embed/([0-9]+)", .page("//tenor.com/view/$3")),
        .init(
            "tenor.com", "^(/.*AAAA)[a-z]{1,2}/([^/?#]*)\\.(webp|mp4|webm|png|jpe?g)([?#]|$)",
            .files(["//$h$1C/$2.gif"])),
        // imgur [C]: identifiers have 5 or 7 characters. A size can follow, as `_d` or a letter, for a still.
        .init(
            "imgur.com", "^/(a|gallery|album)/",
            .refusal("imgur shows albums only to registered programs; paste the link of a single GIF")),
        .init(
            "imgur.com",
            "^/((t|r|topic)/[^/]+/)?([^/?#]*-)?([a-z0-9]{5}|[a-z0-9]{7})(_d|[sbtmlh])?(\\.(gifv?|mp4|webm|webp|png|jpe?g))?([?#]|$)",
            .files(["//i.imgur.com/$4.gif"]), title: 3),
        // Wikimedia [D]. A file that only one Wikipedia has needs the path of that wiki.
        wiki("#/?(media|mediaviewer)/([^:%]+(%[0-9a-f]{2})*)+(:|%3A)([^?#]+)", 5),
        wiki(
            "(^/wiki/|^/zh(-[a-z]+)?/|[?&]title=)[^:/?#&]+(:|%3A)([^/?#&]+\\.(gif|webp|a?png|jpe?g|svg|web[mp]|og[gv]))([?#&]|$)",
            4),
        .init("upload.wikimedia.org", "^(/[^?#]*)/thumb(/[^?#]*\\.gif)/[^/]*$", .files(["//$h$1$2"])),
        // GitHub [D].
        .init("github.com", "^/([^/]+/[^/]+)/blob/([^?#]+)", .files(["//github.com/$1/raw/$2"])),
        // Dropbox [D].
        .init("dropbox.com", "^/[^#]*[?&](dl|raw)=1([&#].*)?$", .files(["//$h$0"])),
        .init("dropbox.com", "^(/[^?#]*\\?([^#]*&)?)dl=0((&[^#]*)?)(#|$)", .files(["//$h$1dl=1$3"])),
        .init("dropbox.com", "^(/(s|scl)/[^?#]+)(\\?([^#]*))?(#|$)", .files(["//$h$1?dl=1&$4"])),
        // Google Drive [C, 2026-04].
        .init(
            "google.com", "^/(file/(u/[0-9]+/)?d/|(open|uc|thumbnail)\\?([^#]*&)?id=)([-_a-z0-9]+)",
            .files(["//drive.usercontent.google.com/download?id=$5&export=download&confirm=t"])),
        // Reddit: preview [C], feed of a post [M], the address in it [R].
        .init("v.redd.it", "", .refusal("v.redd.it" + onlyVideos)),
        .init("preview.redd.it", "^/([^/?#]*-v[0-9]-)?([a-z0-9_]+\\.gif)", .files(["//i.redd.it/$2"])),
        // Any change of a signed query makes it invalid.
        .init("external-preview.redd.it", "^[^?#]*\\.gif\\?.*", .files(["//$h$0"])),
        .init(
            "reddit.com", "^(/(r|u|user)/[^/]+)?/(comments|gallery)/([a-z0-9]+)",
            .page("//www.reddit.com/comments/$4/.rss")),
        .init("redd.it", "^/([a-z0-9]+)/?([?#]|$)", .page("//www.reddit.com/comments/$1/.rss")),
        // Discord [C]: a copy of a file elsewhere, and a custom emoji.
        .init("discordapp.net", "^/external/[^/]+/(%3F[^/]*/)?(https?)/([^?#]+)", inner: "$2://$3"),
        .init("discordapp.com", "^(/emojis/[0-9]+)\\.(webp|png|avif)", .files(["//$h$1.gif"])),
        // Tumblr [C][M].
        .init("media.tumblr.com", "^(.*)\\.gifv([?#]|$)", .files(["//$h$1.gif"])),
        // KLIPY [C]: pages are closed to programs.
        .init("klipy.com", language + "/(gifs|stickers|clips|memes)/([^/?#]+)", .klipy(slug: "$4")),
        // Videos [C][D].
        .init("redgifs.com", "", .refusal("redgifs.com" + onlyVideos)),
        .init("gfycat.com", "", .refusal("gfycat.com was closed in 2023")),
        .init("bsky.app", "^/profile/", .refusal("Bluesky" + onlyVideos)),
        .init("x.com", "/status/", .refusal("X" + onlyVideos)),
        .init("twitter.com", "/status/", .refusal("X" + onlyVideos)),
        .init(
            "", "^/(web/|deck/)?(@[^/?#]+|users/[^/]+/statuses)/[0-9]{9,}([/?#]|$)", .refusal("Mastodon" + onlyVideos)),
        // Links that contain another in their path; `inner` finds those in a query or a fragment.
        .init("", "^/v3/__(https?):/*([^#]*)__;([-_a-z0-9]*)", inner: "$1://$p"),
        .init("search.yahoo.com", "/RU=(https?%3A[^/]+)/", inner: "%1"),
        // Another format of a GIF [C: Discord].
        .init(
            "", "^([^?#]*\\.gif\\?([^#]*&)?)format=(webp|a?png|p?jpe?g|mp4|avif)(&([^#]*)|#|$)",
            .files(["//$h$1$5", "//$h$0"])),
    ]

    /// A page of a file, whose name is capture `name`, at any of Wikimedia's wikis.
    private static func wiki(_ pattern: String, _ name: Int) -> LinkRule {
        let path = "/wiki/Special:FilePath/$\(name)"
        return .init(
            "wiki", pattern, .files(["//commons.wikimedia.org" + path, "//$w" + path]),
            title: name)
    }

    private static let wikis = [
        "wikipedia.org", "wikimedia.org", "wiktionary.org", "wikibooks.org", "wikinews.org", "wikiquote.org",
        "wikisource.org", "wikiversity.org", "wikivoyage.org", "wikidata.org", "mediawiki.org",
    ]

    private func isFor(_ host: String) -> Bool {
        domain == "wiki"
            ? Self.wikis.contains { WebAddress.isHost(host, in: $0) }
            : domain.isEmpty || WebAddress.isHost(host, in: domain)
    }

    // MARK: - Applying the table

    /// Returns what is known about an http or https address; nil if it has no row.
    public static func target(of address: String) -> (target: LinkTarget, title: String?)? {
        target(of: address, wrappers: maximumWrappers)
    }

    private static func target(of address: String, wrappers: Int) -> (target: LinkTarget, title: String?)? {
        guard let colon = address.firstRange(of: "://") else { return nil }
        let rest = address[colon.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = (authority.split(separator: "@").last ?? "").prefix { $0 != ":" }.lowercased()
        let path = String(rest[authority.endIndex...])
        guard path.utf8.count <= maximumLength else { return nil }
        for row in rows where row.isFor(host) && !(row.isWrapper && wrappers == 0) {
            guard let captures = captures(of: row.pattern, in: path) else { continue }
            let fill = Template(
                captures: captures, scheme: String(address[..<colon.lowerBound]).lowercased(), host: String(authority))
            let target = row.target.map(fill.callAsFunction)
            if row.isWrapper, case .files(let urls) = target {
                return Self.target(of: urls[0], wrappers: wrappers - 1) ?? (.files(urls), nil)
            }
            return (target, row.title > 0 ? title(captures[row.title]) : nil)
        }
        // A wrapper of pictures that is a GIF itself is played as it is.
        guard wrappers > 0, WebAddress.fileExtension(address) != "gif", let inner = inner(of: path) else { return nil }
        return Self.target(of: inner, wrappers: wrappers - 1) ?? (.files([inner]), nil)
    }

    /// The parameters in which redirectors name a page. They are general knowledge, except for those of Discord.
    private static let parameters: Set<String> = [
        "mediaurl", "media_url", "imgurl", "img_url", "imageurl", "image_url", "url", "u", "q", "uddg", "to", "target",
        "img",
        "image", "src", "file", "gif", "z", "a", "",
    ]
    /// The parameters that name the page on which a link was found.
    private static let origins: Set<String> = ["ref", "referer", "referrer", "imgrefurl", "from", "origin", "callback"]

    /// The address in a query or a fragment, as in the links of search engines, chats and mail filters: that of a GIF in
    /// any parameter, or else that of a page in a known parameter of a short path.
    ///
    /// The rule is general knowledge, without documentation: t.umblr.com (`z=`), href.li (all of the query), Gmail's
    /// pictures (the fragment), Bing (base64 behind `a1`), Proofpoint's version 2 (`-3A` for `%3A`, `_` for a slash).
    private static func inner(of path: String) -> String? {
        let own = path.prefix { !"?#".contains($0) }
        let rest = path[own.endIndex...].dropFirst()
        let addresses = rest.split { "&#".contains($0) }.compactMap { field -> (name: String, url: String)? in
            let isBare = field.prefix(4).lowercased() == "http"
            if isBare, field.contains("://") { return ("", String(rest[field.startIndex...])) }
            let name = isBare ? "" : field.prefix { $0 != "=" }
            return address(in: isBare ? field : field[name.endIndex...].dropFirst()).map { (name.lowercased(), $0) }
        }.filter { !origins.contains($0.name) }
        let isShort = own.split(separator: "/").count < 3
        return
            (addresses.first { WebAddress.fileExtension($0.url) == "gif" }
            ?? addresses.first { parameters.contains($0.name) && (isShort || $0.url.lowercased().contains(".gif")) })?
            .url
    }

    /// The address that a value contains in one of the encodings of redirectors.
    private static func address(in value: Substring) -> String? {
        let base64 = value.drop { $0 == "a" || $0 == "1" }
        var text = String(value)
        if value.hasPrefix("http-3A__") || value.hasPrefix("https-3A__") {
            text = value.map { $0 == "-" ? "%" : $0 == "_" ? "/" : String($0) }.joined()
        } else if base64.hasPrefix("HR0c"), let bytes = TypedAddress.base64(Array("a".utf8) + base64.utf8) {
            text = String(decoding: bytes, as: UTF8.self)
        }
        guard text.prefix(4).lowercased() == "http" else { return nil }
        text = WebAddress.decoded(text)
        // A value can be encoded twice.
        if !text.contains("://") { text = WebAddress.decoded(text) }
        return TypedAddress.isWeb(text) ? WebAddress.encoded(text) : nil
    }

    /// Makes a title of a slug or of a file name; nil if nothing is left.
    private static func title(_ text: String) -> String? {
        let name = WebAddress.decoded(text)
        let stem = WebAddress.fileExtension(name).map { String(name.dropLast($0.count + 1)) } ?? name
        let words = stem.split { $0 == "-" || $0 == "_" || $0 == " " }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The whole match and its captures; nil without a match.
    private static func captures(of pattern: String, in path: String) -> [String]? {
        var expression = regex_t()
        guard regcomp(&expression, pattern, REG_EXTENDED | REG_ICASE) == 0 else { return nil }
        defer { regfree(&expression) }
        var matches = [regmatch_t](repeating: regmatch_t(), count: 10)
        guard regexec(&expression, path, matches.count, &matches, 0) == 0 else { return nil }
        let bytes = Array(path.utf8)
        return matches.map { match in
            match.rm_so < 0 ? "" : String(decoding: bytes[Int(match.rm_so)..<Int(match.rm_eo)], as: UTF8.self)
        }
    }
}

private struct Template {
    let captures: [String]
    let scheme: String
    let host: String

    func callAsFunction(_ template: String) -> String {
        var text = template.hasPrefix("//") ? scheme + ":" : ""
        var rest = template[...]
        while let character = rest.popFirst() {
            guard character == "$" || character == "%", let name = rest.popFirst() else {
                text.append(character)
                continue
            }
            switch name {
            case "h": text += host
            case "p": text += proofpoint
            case "w": text += host.split(separator: ".").filter { $0.lowercased() != "m" }.joined(separator: ".")
            default:
                let capture = name.wholeNumberValue.map { captures[$0] } ?? ""
                text +=
                    character == "$"
                    ? capture
                    : WebAddress.encoded(WebAddress.decoded(capture))
            }
        }
        return text
    }

    /// Puts back the characters that Proofpoint's version 3 has replaced, which base64 lists: `*` stands for one, `**A`
    /// for two, `**B` for three, and so on.
    private var proofpoint: String {
        func decoded(_ base64: String) -> [UInt8] { TypedAddress.base64(Array(base64.utf8)) ?? [] }
        var (replaced, text) = (String(decoding: decoded(captures[3]), as: UTF8.self).unicodeScalars[...], "")
        var rest = captures[2][...]
        while let character = rest.popFirst() {
            guard character == "*", !replaced.isEmpty else {
                text.append(character)
                continue
            }
            var count = 1
            if rest.first == "*", let code = decoded("AAA" + rest.dropFirst().prefix(1)).last {
                count = Int(code) + 2
                rest = rest.dropFirst(2)
            }
            text += WebAddress.encoded(String(replaced.prefix(count)))
            replaced = replaced.dropFirst(count)
        }
        return text
    }
}
