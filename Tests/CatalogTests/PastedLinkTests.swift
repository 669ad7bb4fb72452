import Testing

@testable import Catalog

/// Texts as people paste them, and the link that plays.
@Suite struct PastedLinkTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var text: String
        var url: String
        var testDescription: String { text.debugDescription }
    }

    private static let gif = "https://h.test/a.gif"
    private static let other = "https://h.test/b.gif"
    private static let page = "https://p.test/x"

    /// All lead to `gif`.
    private static let wrapped: [String] = [
        // Chats.
        "<\(gif)|label>", "<\(gif)|h.test/a.gif>", "look <\(gif)|here> now", "||\(gif)||", "<\(gif)>", "&lt;\(gif)&gt;",
        "bob: \(gif)", "[12:30] bob: \(gif) lol", "\(gif) 😂", "😂\(gif)", "@bob \(gif)!", "> \(gif)", "• \(gif)",
        "- \(gif)", "*\(gif)*", "**\(gif)**", "_\(gif)_", "~~\(gif)~~", "`\(gif)`", "```\n\(gif)\n```",
        "\(gif)\n\nhaha", "(\(gif))", "(see \(gif)).", "this one (\(gif)) is great", "\(gif),", "\(gif).", "\(gif)…",
        "\(gif)?!", "‘\(gif)’", "„\(gif)“", "看\(gif)，哈哈", "\(gif)哈哈", "看：\(gif)。", "「\(gif)」", "URL: \(gif)",
        "url:\(gif)", "Re: Fwd: \(gif)",
        // Wikis and forums.
        "[x](\(gif))", "![](\(gif))", "![x](\(gif) \"title\")", "[![x](\(gif))](\(page))", "[![x](\(gif))][1]",
        "[1]: \(gif)", "[x]: <\(gif)>", "[\(gif)](\(gif))", "[[\(gif)][x]]", "[[\(gif)]]", "[[\(gif) x]]", "[\(gif) x]",
        "[[\(gif)|x]]", "{{gif|\(gif)}}", "{\(gif)}", "[img]\(gif)[/img]", "[IMG]\(gif)[/IMG]", "[img=9x9]\(gif)[/img]",
        "[url=\(page)][img]\(gif)[/img][/url]", "[url=\(gif)]x[/url]", "[url=\"\(gif)\"]x[/url]", "image::\(gif)[]",
        ".. image:: \(gif)", "`x <\(gif)>`_", "!\(gif)!", "\\includegraphics{\(gif)}", "\\url{\(gif)}",
        // Pages and programs.
        "<img src=\"\(gif)\">", "<img src='\(gif)'/>", "<IMG SRC=\(gif)>",
        "<img alt=\"a > b\" src=\"\(gif)\" width=\"9\">", "<a href=\"\(page)\"><img src=\"\(gif)\"></a>",
        "<a href=\"\(gif)\">x</a>", "&lt;img src=&quot;\(gif)&quot;&gt;",
        "<video><source src=\"https://h.test/a.mp4\"><img src=\"\(gif)\"></video>", "<img src=\"//h.test/a.gif\">",
        "<img srcset=\"\(gif) 1x, \(other) 2x\">", "background: url(\(gif));", "url('\(gif)')", "url( \"\(gif)\" )",
        "{\"url\":\"https:\\/\\/h.test\\/a.gif\",\"w\":9}", "'url': '\(gif)',", "url: \(gif)", "src=\(gif)",
        "url = \"\(gif)\"", "curl -LO '\(gif)'", "curl -LO \(gif)", "curl '\(gif)' -H 'referer: \(page)' --compressed",
        "wget -O x.gif \"\(gif)\"", "$ curl \(gif)", "gifplay \(gif)", "$ gifplay \(gif)", "iwr \(gif) -OutFile x",
        "view-source:\(gif)", "https\\:\\/\\/h.test\\/a.gif", "https://h.test/a\\.gif", "https%3A%2F%2Fh.test%2Fa.gif",
        "HTTPS%3a%2f%2fh.test/a.gif", "https://\(gif)", "HTTPS://h.test/a.gif", "https:/h.test/a.gif",
        "https:\\\\h.test\\a.gif",
        // Several links, line breaks and invisible characters.
        "\"\(gif), \(other)\"", "\(gif), \(other)", "\(gif),\(other)", "\(gif);\(other)", "\(gif)|\(other)",
        "\(gif)\n\(other)", "\(gif)\r\n\(other)\r\n", "\(page) \(gif)", "\(page)\n\(gif)", "from \(page): \(gif)",
        "https://h.te\nst/a.gif", "https://h.test/\na.gif", "https://h.test/\r\n  a.gif", "https://h.test/a.\ngif",
        "<https://h.test/\na.gif>", "\u{FEFF}\(gif)", "\(gif)\u{200B}", "https://h.test/\u{200B}a.gif",
        "\u{2068}\(gif)\u{2069}", "https://h.te\u{AD}st/a.gif", "\u{A0}\(gif)\u{A0}", "\t\(gif)\n",
        "\u{202A}\(gif)\u{202C}",
        // Cut, mistyped and disarmed schemes, and addresses with a space or an encoding too many.
        "ttps://h.test/a.gif", "htps://h.test/a.gif", "https//h.test/a.gif", "https;//h.test/a.gif",
        "hxxps://h.test/a.gif", "hxxps://h[.]test/a.gif", "look: ttps://h.test/a.gif", "https://h.test /a.gif",
        "\"https://h.test /a.gif\"", "https%253A%252F%252Fh.test%252Fa.gif", "https%253a%252f%252fh.test/a.gif",
        "https:\\x2F\\x2Fh.test\\x2Fa.gif", "\"https:\\x2f\\x2fh.test\\x2fa.gif\"",
        // Logs and options of other programs.
        "--2026-11-28 09:00:00--  \(gif)", "-- \(gif)", "-o cat.gif \(gif)", "-O \(gif)",
    ]

    static let rows: [Row] =
        wrapped.map { Row(text: $0, url: gif) } + [
            Row(text: "https://h.test/a.gif?x=1&amp;y=2", url: "https://h.test/a.gif?x=1&y=2"),
            Row(text: "<img src=\"https://h.test/a.gif?x=1&amp;amp;y=2\">", url: "https://h.test/a.gif?x=1&y=2"),
            Row(text: "\"https:\\/\\/h.test\\/a.gif?x=1\\u0026y=2\"", url: "https://h.test/a.gif?x=1&y=2"),
            Row(text: "https://h.test/a.gif\\?x\\=1\\&y\\=2", url: "https://h.test/a.gif?x=1&y=2"),
            Row(text: "https://h.test/a\\_b.gif", url: "https://h.test/a_b.gif"),
            Row(text: "https://h.test/a_(b).gif", url: "https://h.test/a_(b).gif"),
            Row(text: "(https://h.test/a_(b).gif)", url: "https://h.test/a_(b).gif"),
            Row(text: "[x](https://h.test/a_(b).gif)", url: "https://h.test/a_(b).gif"),
            Row(text: "https://h.test/it's.gif", url: "https://h.test/it's.gif"),
            Row(text: "https://h.test/a.gif?t[]=1", url: "https://h.test/a.gif?t[]=1"),
            Row(text: "https://u:p@h.test:8/a.gif#x", url: "https://u:p@h.test:8/a.gif#x"),
            Row(text: "https://h.test/a b.gif", url: "https://h.test/a%20b.gif"),
            Row(text: "<img src=\"https://h.test/a b.gif\">", url: "https://h.test/a%20b.gif"),
            Row(text: "look at https://p.test/x today", url: page),
            Row(text: "tenor.com/view/cat-gif-42", url: "https://tenor.com/view/cat-gif-42"),
            Row(text: "look at tenor.com/view/cat-gif-42 please", url: "https://tenor.com/view/cat-gif-42"),
            Row(text: "<i.imgur.com/AbCdEfG.gif|imgur>", url: "https://i.imgur.com/AbCdEfG.gif"),
            Row(text: "[img]i.imgur.com/AbCdEfG.gif[/img]", url: "https://i.imgur.com/AbCdEfG.gif"),
            Row(text: "curl -O i.imgur.com/AbCdEfG.gif", url: "https://i.imgur.com/AbCdEfG.gif"),
            Row(
                text: "https://p.test/x https://giphy.com/gifs/x-xT9IgG50Fb7Mi0prBC",
                url: "https://giphy.com/gifs/x-xT9IgG50Fb7Mi0prBC"),
            Row(text: "http://[::1]:8/a.gif", url: "http://[::1]:8/a.gif"),
            Row(text: "[::1]:8/a.gif", url: "http://[::1]:8/a.gif"),
            Row(text: "localhost:8/a.gif", url: "http://localhost:8/a.gif"),
            Row(text: "10.0.0.1/a.gif", url: "http://10.0.0.1/a.gif"),
            Row(
                text: "https://web.archive.org/web/2009/http://h.test/a.gif",
                url: "https://web.archive.org/web/2009/http://h.test/a.gif"),
        ]

    @Test("The first link to a GIF in a pasted text plays", arguments: rows)
    func link(row: Row) {
        #expect(TypedAddress(row.text) == .web(row.url))
    }

    /// Each with the first file of its GIF.
    private static let links: [(String, String)] = [
        ("https://www.google.com/imgres?imgurl=https://h.test/a.gif&imgrefurl=https://p.test/&h=9", gif),
        ("https://www.google.com/imgres?q=cat&imgurl=https%3A%2F%2Fh.test%2Fa.gif&tbnid=1", gif),
        ("https://www.google.de/url?sa=t&url=https%3A%2F%2Fh.test%2Fa.gif&usg=x", gif),
        ("https://www.google.com/url?q=https://h.test/a.gif&sa=D", gif),
        (
            "https://www.google.com/url?q=https%3A%2F%2Fgiphy.com%2Fgifs%2Fx-xT9IgG50Fb7Mi0prBC",
            "https://i.giphy.com/xT9IgG50Fb7Mi0prBC.gif"
        ),
        ("https://www.google.com/url?url=https://p.test/x", page),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fh.test%2Fa.gif&rut=1", gif),
        ("https://external-content.duckduckgo.com/iu/?u=https%3A%2F%2Fh.test%2Fa.gif&f=1", gif),
        (
            "https://www.bing.com/images/search?view=detailV2&mediaurl=https%3a%2f%2fh.test%2fa.gif&cdnurl=https%3a%2f%2ft.test",
            gif
        ),
        ("https://r.search.yahoo.com/_ylt=A/RV=2/RO=10/RU=https%3a%2f%2fh.test%2fa.gif/RK=2/RS=x", gif),
        ("https://yandex.com/images/search?pos=1&img_url=https%3A%2F%2Fh.test%2Fa.gif&rpt=simage", gif),
        ("https://slack-redir.net/link?url=https%3A%2F%2Fh.test%2Fa.gif", gif),
        ("https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.test%2Fa.gif&data=05%7C", gif),
        ("https://urldefense.com/v3/__https://h.test/a.gif__;!!abc$", gif),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fh.test%2Fa.gif&h=AT", gif),
        ("https://out.reddit.com/t3_a?url=https%3A%2F%2Fh.test%2Fa.gif&token=x", gif),
        ("https://www.reddit.com/media?URL=https%3A%2F%2Fh.test%2Fa.gif", gif),
        (
            "https://www.reddit.com/media?url=https%3A%2F%2Fpreview.redd.it%2Fabc.gif%3Fformat%3Dpng8",
            "https://i.redd.it/abc.gif"
        ),
        ("https://www.google.com/url?q=https%253A%252F%252Fh.test%252Fa.gif", gif),
        (
            "https://slack-redir.net/link?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fh.test%252Fa.gif",
            gif
        ),
        ("https://images-ext-1.discordapp.net/external/hAsH/https/h.test/a.gif?format=webp", gif),
        ("https://images-ext-1.discordapp.net/external/hAsH/%3Fx%3D1/https/h.test/a.gif", gif),
        (
            "https://media.discordapp.net/attachments/1/2/a.gif?ex=1&hm=2&=&format=webp&width=9",
            "https://media.discordapp.net/attachments/1/2/a.gif?ex=1&hm=2&=&width=9"
        ),
        (
            "https://media.discordapp.net/attachments/1/2/a.gif?format=webp&width=9",
            "https://media.discordapp.net/attachments/1/2/a.gif?width=9"
        ),
        (
            "https://cdn.discordapp.com/emojis/123.webp?size=48&animated=true",
            "https://cdn.discordapp.com/emojis/123.gif"
        ),
        ("https://i.imgur.com/AbCdEfGh.gif", "https://i.imgur.com/AbCdEfG.gif"),
        ("https://i.imgur.com/AbCdEt.gif", "https://i.imgur.com/AbCdE.gif"),
        ("https://i.imgur.com/AbCdEfG.gif", "https://i.imgur.com/AbCdEfG.gif"),
        ("https://i.imgur.com/AbCdEfGl.jpg", "https://i.imgur.com/AbCdEfG.gif"),
        ("https://media.giphy.com/media/xT9IgG50Fb7Mi0prBC/giphy_s.gif", "https://i.giphy.com/xT9IgG50Fb7Mi0prBC.gif"),
        (
            "https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/C.gif/220px-C.gif",
            "https://upload.wikimedia.org/wikipedia/commons/a/ab/C.gif"
        ),
    ]

    @Test("A link that contains another, or that names a still or another format, leads to its GIF", arguments: links)
    func target(link: String, gif: String) {
        guard case .files(let files)? = LinkRule.target(of: link)?.target else {
            Issue.record("\(String(describing: LinkRule.target(of: link)))")
            return
        }
        #expect(files.first == gif)
    }

    /// Each with the files to try.
    private static let queries: [(String, [String])] = [
        (
            "https://external-preview.redd.it/abc.gif?width=640&crop=smart&format=png8&s=5c0a",
            ["https://external-preview.redd.it/abc.gif?width=640&crop=smart&format=png8&s=5c0a"]
        ),
        (
            "https://external-preview.redd.it/abc.gif?format=mp4&s=5c0a",
            ["https://external-preview.redd.it/abc.gif?format=mp4&s=5c0a"]
        ),
        ("https://h.test/a.gif?format=webp&x=1", ["https://h.test/a.gif?x=1", "https://h.test/a.gif?format=webp&x=1"]),
        (
            "https://h.test/a.gif?y=2&format=webp&x=1",
            ["https://h.test/a.gif?y=2&x=1", "https://h.test/a.gif?y=2&format=webp&x=1"]
        ),
        ("https://h.test/a.gif?format=pngx", []), ("https://h.test/a.gif?format=webp2&x=1", []),
        ("https://h.test/a.gif?y=2&format=png8", []), ("https://h.test/a.gif?xformat=webp", []),
        ("https://www.dropbox.com/s/a/b.gif?dl=01", ["https://www.dropbox.com/s/a/b.gif?dl=1&dl=01"]),
        ("https://www.dropbox.com/s/a/b.gif?dl=10", ["https://www.dropbox.com/s/a/b.gif?dl=1&dl=10"]),
        ("https://www.dropbox.com/s/a/b.gif?dl=0", ["https://www.dropbox.com/s/a/b.gif?dl=1"]),
        ("https://www.dropbox.com/s/a/b.gif?dl=0&x=1", ["https://www.dropbox.com/s/a/b.gif?dl=1&x=1"]),
        ("https://i.imgur.com/AbCdEf1_d.webp?maxwidth=760&fidelity=grand", ["https://i.imgur.com/AbCdEf1.gif"]),
        ("https://i.imgur.com/AbCdE_d.gif", ["https://i.imgur.com/AbCdE.gif"]),
    ]

    @Test("Only a whole value is removed from a query, and nothing from a signed one", arguments: queries)
    func query(link: String, files: [String]) {
        #expect(LinkRule.target(of: link)?.target == (files.isEmpty ? nil : .files(files)))
    }

    @Test(
        "An address inside a link of another kind is not followed",
        arguments: [
            "https://h.test/a.gif?url=https://p.test/b.gif", "https://h.test/cat?ref=https://p.test/b.gif",
            "https://h.test/a/b/c?url=https://p.test/x", "https://h.test/?url=/local/a.gif",
        ])
    func noTarget(link: String) {
        #expect(LinkRule.target(of: link)?.target == nil)
    }

    @Test("Links inside links end after four")
    func nested() {
        var link = "https://h.test/x"
        for _ in 0..<9 { link = "https://s.test/r?url=" + WebAddress.component(link) }
        guard case .files(let files)? = LinkRule.target(of: link)?.target else {
            Issue.record("no target")
            return
        }
        #expect(files[0].hasPrefix("https://s.test/r?url="))
    }
}
