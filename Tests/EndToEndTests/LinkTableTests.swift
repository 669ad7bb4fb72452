import Foundation
import TestServer
import Testing

/// Plays each form of a link with the real program. A proxy on loopback stands in for all hosts, so that its log has every
/// request that leaves the program.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct LinkTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var link: String
        /// In order, each as METHOD and URL without "GET " and "http://".
        var requests: [String]
        /// Nil if the GIF plays.
        var message: String?

        init(_ link: String, _ requests: String..., message: String? = nil) {
            (self.link, self.requests, self.message) = (link, requests, message)
        }

        var testDescription: String { link }
    }

    /// The GIFs that exist.
    private static let gifs: Set<String> = [
        "i.giphy.com/xT9IgG50Fb7Mi0prBC.gif", "i.giphy.com/media/OnlyThere1/giphy.gif", "i.imgur.com/AbCdEfG.gif",
        "commons.wikimedia.org/wiki/Special:FilePath/Caf%C3%A9_cat.gif",
        "de.wikipedia.org/wiki/Special:FilePath/Nur_hier.gif", "github.com/o/r/raw/main/docs/a%20b.gif",
        "www.dropbox.com/s/abc/cat.gif?dl=1", "www.dropbox.com/scl/fi/abc/cat.gif?rlkey=k&dl=1",
        "www.dropbox.com/scl/fi/abc/cat.gif?dl=1&rlkey=k",
        "drive.usercontent.google.com/download?id=1AbC-_9&export=download&confirm=t", "i.redd.it/abc123.gif",
        "i.redd.it/k9xyz.gif", "64.media.tumblr.com/a1/b2/s500/c3.gif", "media1.tenor.com/m/CodeAAAAC/cat.gif",
        "media1.tenor.com/m/CodeAAAAd/cat.gif", "media.tenor.com/CodeAAAAC/x.gif", "cdn.test/a.gif",
        "cdn.test/deep/b.gif", "cdn.test/c%20d.gif", "cdn.test/caf%E9.gif",
    ]

    private static let tenor = """
        <html><script id="store-cache" type="text/x-cache">{"gifs":{"byId":{"42":{"results":[{"media_formats":\
        {"gif":{"url":"http:\\/\\/media1.tenor.com\\/m\\/CodeAAAAd\\/cat.gif"}}}]}}}}</script>
        <meta property="og:image" content="http://media1.tenor.com/m/Other/x.gif"></html>
        """
    private static let feed = """
        <?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>A cat : gifs</title><entry><content \
        type="html">&lt;a href=&quot;http://www.reddit.com/user/u&quot;&gt;u&lt;/a&gt; &lt;a \
        href=&quot;http://i.redd.it/k9xyz.gif&quot;&gt;[link]&lt;/a&gt;</content></entry></feed>
        """

    private static func page(_ head: String) -> FakeSite.Reply { .text("<!DOCTYPE html><html><head>\(head)</head>") }

    private static func meta(_ name: String, _ content: String) -> String {
        "<meta property=\"\(name)\" content=\"\(content)\">"
    }

    private static func redirect(_ url: String) -> FakeSite.Reply {
        .text("", status: 302, headers: "Location: \(url)\r\n")
    }

    /// The pages, by their URL.
    private static let pages: [String: FakeSite.Reply] = [
        "tenor.com/view/cat-gif-42": .text(tenor), "tenor.com/de/view/cat-gif-42": .text(tenor),
        "tenor.com/view/42": .text(tenor), "tenor.com/bXyZ.gif": .text(tenor),
        "gph.is/g/Zabc": redirect("http://giphy.com/gifs/x-xT9IgG50Fb7Mi0prBC"),
        "giphy.com/gifs/x-xT9IgG50Fb7Mi0prBC": page(""),
        "i.imgur.com/GoneGon.gif": redirect("http://i.imgur.com/removed.png"),
        "i.imgur.com/removed.png": .text("\u{89}PNG"),
        "www.reddit.com/comments/1abc/.rss": .text(feed),
        "www.reddit.com/comments/1vid/.rss": .text(
            feed.replacingOccurrences(of: "i.redd.it/k9xyz.gif", with: "v.redd.it/k9")),
        "www.reddit.com/r/gifs/s/Zz9": redirect("http://www.reddit.com/r/gifs/comments/1abc/a_cat/"),
        "www.reddit.com/r/gifs/comments/1abc/a_cat/": page(""),
        "p.test/og": page(meta("og:title", "A &amp; B") + meta("og:image", "//cdn.test/a.gif?x=1&amp;y=2")),
        "cdn.test/a.gif?x=1&y=2": redirect("http://cdn.test/a.gif"),
        "p.test/og-second": page(meta("og:image", "/still.jpg") + meta("og:image", "http://cdn.test/a.gif")),
        "p.test/og-type": page(
            meta("og:image", "http://cdn.test/still") + meta("og:image", "http://cdn.test/x?f")
                + meta("og:image:type", "image/gif")),
        "cdn.test/x?f": redirect("http://cdn.test/a.gif"),
        "p.test/secure": page(meta("og:image:secure_url", "http://cdn.test/a.gif")),
        "p.test/twitter": page("<META NAME='twitter:image' CONTENT='http://cdn.test/a.gif'>"),
        "p.test/link": page("<link href=http://cdn.test/a.gif rel='x image_src'>"),
        "p.test/video": page(meta("og:image", "http://cdn.test/s.jpg") + meta("og:video", "http://cdn.test/a.gif.mp4")),
        "p.test/img": page("<img src=logo.png><img alt='>' src='http://cdn.test/c d.gif'>"),
        "p.test/base": page("<base href='http://cdn.test/deep/'><img src='b.gif'>"),
        "p.test/comment": page(
            "<!-- <img src='no.gif'> --><script>'<img src=no2.gif>'</script><img src=http://cdn.test/a.gif>"),
        "p.test/rule": page(meta("og:image", "http://media2.giphy.com/media/xT9IgG50Fb7Mi0prBC/giphy.webp")),
        "p.test/latin": redirect("http://cdn.test/caf%E9.gif"),
        "p.test/nothing": page("<title>x</title><p>no picture"),
        "p.test/still": page(meta("og:image", "http://cdn.test/s.png")),
        "cdn.test/s.png": .text("\u{89}PNG"),
        "p.test/nested": page(meta("og:image", "http://p.test/og")),
        "p.test/video-only": .text("\0\0\0\u{18}ftypmp42isom"),
        "p.test/one": redirect("http://p.test/og"),
    ]

    private static let giphy = "i.giphy.com/xT9IgG50Fb7Mi0prBC.gif"
    private static let file = "commons.wikimedia.org/wiki/Special:FilePath/Caf%C3%A9_cat.gif"
    private static let drive = "drive.usercontent.google.com/download?id=1AbC-_9&export=download&confirm=t"
    private static let feedRequests = ["www.reddit.com/comments/1abc/.rss", "i.redd.it/k9xyz.gif"]

    static let rows: [Row] = [
        Row("http://giphy.com/gifs/funny-cat-xT9IgG50Fb7Mi0prBC", giphy),
        Row("http://giphy.com/gifs/xT9IgG50Fb7Mi0prBC", giphy),
        Row("http://giphy.com/stickers/a-b-xT9IgG50Fb7Mi0prBC?utm_source=x#y", giphy),
        Row("http://www.GIPHY.com/embed/xT9IgG50Fb7Mi0prBC/twitter/iframe", giphy),
        Row("http://giphy.com/de/gifs/x-xT9IgG50Fb7Mi0prBC/", giphy),
        Row("http://media3.giphy.com/media/v1.Y2lkPTc5/xT9IgG50Fb7Mi0prBC/giphy.webp?cid=1&ct=g", giphy),
        Row("http://media.giphy.com/media/xT9IgG50Fb7Mi0prBC/giphy.mp4", giphy),
        Row("http://i.giphy.com/xT9IgG50Fb7Mi0prBC.webp", giphy),
        Row("http://giphy.com/gifs/OnlyThere1", "i.giphy.com/OnlyThere1.gif", "i.giphy.com/media/OnlyThere1/giphy.gif"),
        Row("http://gph.is/g/Zabc", "gph.is/g/Zabc", "giphy.com/gifs/x-xT9IgG50Fb7Mi0prBC", giphy),
        Row("http://tenor.com/view/cat-gif-42", "tenor.com/view/cat-gif-42", "media1.tenor.com/m/CodeAAAAd/cat.gif"),
        Row(
            "http://tenor.com/de/view/cat-gif-42", "tenor.com/de/view/cat-gif-42",
            "media1.tenor.com/m/CodeAAAAd/cat.gif"),
        Row("http://tenor.com/embed/42", "tenor.com/view/42", "media1.tenor.com/m/CodeAAAAd/cat.gif"),
        Row("http://tenor.com/bXyZ.gif", "tenor.com/bXyZ.gif", "media1.tenor.com/m/CodeAAAAd/cat.gif"),
        Row("http://media1.tenor.com/m/CodeAAAAm/cat.webp", "media1.tenor.com/m/CodeAAAAC/cat.gif"),
        Row("http://media.tenor.com/CodeAAAAPo/x.mp4", "media.tenor.com/CodeAAAAC/x.gif"),
        Row("http://imgur.com/AbCdEfG", "i.imgur.com/AbCdEfG.gif"),
        Row("http://imgur.com/funny-cat-AbCdEfG", "i.imgur.com/AbCdEfG.gif"),
        Row("http://i.imgur.com/AbCdEfG.gifv", "i.imgur.com/AbCdEfG.gif"),
        Row("http://i.imgur.com/AbCdEfGh.mp4", "i.imgur.com/AbCdEfG.gif"),
        Row("http://m.imgur.com/r/cats/AbCdEfG", "i.imgur.com/AbCdEfG.gif"),
        Row("http://imgur.com/a/AbCdE", message: "imgur shows albums only to registered programs"),
        Row(
            "http://imgur.com/GoneGon", "i.imgur.com/GoneGon.gif", "i.imgur.com/removed.png",
            message: "imgur has removed this GIF"),
        Row("http://commons.wikimedia.org/wiki/File:Caf%C3%A9_cat.gif", file),
        Row("http://en.wikipedia.org/wiki/File:Café_cat.gif", file),
        Row("http://de.m.wikipedia.org/wiki/Katze#/media/Datei:Café_cat.gif", file),
        Row("http://ru.wikipedia.org/wiki/%D0%A4%D0%B0%D0%B9%D0%BB:Caf%C3%A9_cat.gif", file),
        Row("http://commons.m.wikimedia.org/w/index.php?title=File:Caf%C3%A9_cat.gif&uselang=de", file),
        Row(
            "http://de.wikipedia.org/wiki/Datei:Nur_hier.gif",
            "commons.wikimedia.org/wiki/Special:FilePath/Nur_hier.gif",
            "de.wikipedia.org/wiki/Special:FilePath/Nur_hier.gif"),
        Row("http://github.com/o/r/blob/main/docs/a%20b.gif?raw=true", "github.com/o/r/raw/main/docs/a%20b.gif"),
        Row("http://www.dropbox.com/s/abc/cat.gif?dl=0", "www.dropbox.com/s/abc/cat.gif?dl=1"),
        Row(
            "http://www.dropbox.com/scl/fi/abc/cat.gif?rlkey=k&dl=0", "www.dropbox.com/scl/fi/abc/cat.gif?rlkey=k&dl=1"),
        Row("http://www.dropbox.com/scl/fi/abc/cat.gif?rlkey=k", "www.dropbox.com/scl/fi/abc/cat.gif?dl=1&rlkey=k"),
        Row("http://drive.google.com/file/d/1AbC-_9/view?usp=sharing", drive),
        Row("http://drive.google.com/open?id=1AbC-_9", drive),
        Row("http://preview.redd.it/abc123.gif?width=640&format=mp4&s=f00", "i.redd.it/abc123.gif"),
        Row("http://www.reddit.com/media?url=http%3A%2F%2Fi.redd.it%2Fabc123.gif", "i.redd.it/abc123.gif"),
        Row("http://old.reddit.com/r/gifs/comments/1abc/a_cat/?share_id=x", feedRequests[0], feedRequests[1]),
        Row("http://redd.it/1abc", feedRequests[0], feedRequests[1]),
        Row(
            "http://www.reddit.com/r/gifs/s/Zz9", "www.reddit.com/r/gifs/s/Zz9",
            "www.reddit.com/r/gifs/comments/1abc/a_cat/",
            feedRequests[0], feedRequests[1]),
        Row(
            "http://reddit.com/comments/1vid", "www.reddit.com/comments/1vid/.rss", message: "v.redd.it has only videos"
        ),
        Row("http://64.media.tumblr.com/a1/b2/s500/c3.gifv", "64.media.tumblr.com/a1/b2/s500/c3.gif"),
        Row("http://klipy.com/gifs/dancing-cat", message: "needs a KLIPY key"),
        Row("http://v.redd.it/k9", message: "v.redd.it has only videos"),
        Row("http://www.redgifs.com/watch/x", message: "redgifs.com has only videos"),
        Row("http://mastodon.test/@user/109876543210987654", message: "Mastodon has only videos"),
        Row("http://p.test/og", "p.test/og", "cdn.test/a.gif?x=1&y=2", "cdn.test/a.gif"),
        Row("http://p.test/og-second", "p.test/og-second", "cdn.test/a.gif"),
        Row("http://p.test/og-type", "p.test/og-type", "cdn.test/x?f", "cdn.test/a.gif"),
        Row("http://p.test/secure", "p.test/secure", "cdn.test/a.gif"),
        Row("http://p.test/twitter", "p.test/twitter", "cdn.test/a.gif"),
        Row("http://p.test/link", "p.test/link", "cdn.test/a.gif"),
        Row("http://p.test/video", "p.test/video", "cdn.test/a.gif"),
        Row("http://p.test/img", "p.test/img", "cdn.test/c%20d.gif"),
        Row("http://p.test/base", "p.test/base", "cdn.test/deep/b.gif"),
        Row("http://p.test/comment", "p.test/comment", "cdn.test/a.gif"),
        Row("http://p.test/rule", "p.test/rule", giphy),
        Row("http://p.test/one", "p.test/one", "p.test/og", "cdn.test/a.gif?x=1&y=2", "cdn.test/a.gif"),
        Row(
            "http://p.test/nothing", "p.test/nothing",
            message: "this page shows no GIF (looked at og:image, twitter:image"),
        Row(
            "http://p.test/still", "p.test/still", "cdn.test/s.png",
            message: "this page shows no GIF (og:image: not a GIF"),
        Row(
            "http://t.umblr.com/redirect?z=http%3A%2F%2Fp.test%2Fnothing&t=x", "p.test/nothing",
            message: "http://t.umblr.com/redirect (leads to http://p.test/nothing): this page shows no GIF"),
        Row("http://p.test/nested", "p.test/nested", "p.test/og", message: "this page shows no GIF"),
        Row("http://p.test/video-only", "p.test/video-only", message: "not a GIF (MP4 video from p.test)"),
        // Forms of an address. PastedLinkTests has more.
        Row(" <http://cdn.test/a.gif>\n", "cdn.test/a.gif"),
        Row("http://cdn.test/c d.gif", "cdn.test/c%20d.gif"), Row("HTTP:\\\\cdn.test\\a.gif", "cdn.test/a.gif"),
        Row("look: http://cdn.test/a.gif!", "cdn.test/a.gif"),
        Row("http://b\u{FC}cher.test/x", "xn--bcher-kva.test/x", message: "answered 404"),
        Row("cdn.test/a.gif", "CONNECT cdn.test:443", message: "cannot be reached"),
        Row("//cdn.test/a.gif", "CONNECT cdn.test:443", message: "cannot be reached"),
        Row("giphy.com/gifs/x-xT9IgG50Fb7Mi0prBC", "CONNECT i.giphy.com:443", message: "cannot be reached"),
        Row("ftp://cdn.test/a.gif", message: "not an http:// or https:// URL"),
    ]

    /// A proxy with these pages and GIFs.
    static func site() throws -> FakeSite {
        try FakeSite { request, _ in
            let url = request.head.split(separator: " ")[1].replacingOccurrences(of: "http://", with: "")
            if let page = pages[url] { return page }
            return gifs.contains(url) ? try .gif("campfire") : .text("no such page", status: 404)
        }
    }

    private static let still = ["--size", "8x4"]
    private static let expected = Result { try runGifplay(still + [Binary.sample("campfire")]).output }

    static func environment(_ site: FakeSite) -> [String: String] {
        ["GIFPLAY_OFFLINE": "0", "http_proxy": site.base, "https_proxy": site.base]
    }

    static func requests(_ site: FakeSite) -> [String] {
        site.requestLines.map { line in
            let words = line.split(separator: " ").map(String.init)
            let url = words[1].replacingOccurrences(of: "http://", with: "")
            return words[0] == "GET" ? url : "\(words[0]) \(url)"
        }
    }

    @Test("Each form of a link leads to its GIF by exactly the expected requests, or to a message", arguments: rows)
    func link(row: Row) throws {
        let site = try Self.site()
        let expected = try Self.expected.get()
        let outcome = try runGifplay(Self.still + [row.link], environment: Self.environment(site))
        // A proxy that refuses is asked again.
        let requests = Self.requests(site).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(requests == row.requests)
        if let message = row.message {
            #expect(
                outcome.status == 1 && outcome.output.isEmpty && outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        } else {
            #expect(
                outcome.status == 0 && outcome.errors.isEmpty && outcome.output == expected, "\(outcome.errors)")
        }
    }
}
