import Foundation
import Testing

@testable import Catalog

/// Pasted texts in which markup, escapes and other commands surround a link or a path, and links inside links.
@Suite struct PastedMarkupTests {
    private static let home = ProcessInfo.processInfo.environment["HOME"] ?? "$HOME"
    private static let gif = "https://h.test/a.gif"
    private static let page = "https://p.test/x"

    /// All lead to `gif`.
    static let tails: [String] = [
        // Shells.
        "\(gif);echo", "\(gif);echo hi", "\(gif);ls -l", "\(gif)&&ls", "\(gif) && ls", "\(gif)&& ls", "\(gif)&",
        "\(gif)|less", "\(gif)>x.gif", "\(gif)\\", "\(gif)\\\n", "curl \(gif) \\\n  -H 'x: y'", "curl \(gif)\\\n -o x",
        "curl https://h.test/\\\na.gif", "\(gif)\\n", "\(gif)\\n\\n", "\(gif)\\r\\n", "\(gif)\\t", "'\(gif)\\n'",
        "\(gif)\\nhaha", "echo -e '\(gif)\\nx'", "{\"text\":\"look\\n\(gif)\\nhaha\"}", "curl $'\(gif)'", "\(gif))\"",
        "curl ^\"\(gif)^\" ^\n  -H ^\"accept: */*^\"", "curl ^\"https://h.test/a^.gif^\"", "\(gif)^",
        "curl \(gif)^\n -o x", "curl ^\"https://h.test/^\na.gif^\"",
        // Escape sequences.
        "\u{1B}]8;;\(gif)\u{1B}\\label\u{1B}]8;;\u{1B}\\", "\u{1B}]8;;\(gif)\u{07}label\u{1B}]8;;\u{07}",
        "\u{1B}[4m\(gif)\u{1B}[0m", "\u{1B}]8;id=1;\(gif)\u{1B}\\x\u{1B}]8;;\u{1B}\\", "\(gif)\u{07}", "\(gif)\u{9B}0m",
        "]8;;\(gif)\\label]8;;\\", "\\e[4m\(gif)\\e[0m", "\(gif)\\033[0m",
        // Mails.
        "<img src=3D\"\(gif)\">", "<img src=3D\"https://h.t=\nest/a.gif\" width=3D\"9\">",
        "<img src=3D'https://h.test/a.=\r\ngif' alt=3D'x'>", "https://h.te=\nst/a.gif", "\(gif)=\n", "\(gif)=20",
        // Chats and sentences.
        "\(gif)**", "**\(gif)", "\(gif)*", "*\(gif)", "\(gif)_", "_\(gif)", "\(gif)__", "__\(gif)", "\(gif)~~",
        "\(gif)***", "\(gif)**.", "\(gif)**!", "\(gif)’s", "\(gif)'s", "\(gif)’s colours", "\(gif)'s colours",
        "\(gif)}", "\(gif)}}", "\(gif)})", "\(gif)*/", "\(gif)$", "\(gif)](x)", "\(gif))x", "\(gif),x", "\(gif)(x)",
        "\(gif)哈哈", "\(gif)}, {", "\(gif)\\\"", "\\\"\(gif)\\\"", "\(gif)\\u0022", "\(gif)\\\"}",
        // With a path. What comes first plays.
        "\(gif) /tmp/b.gif", "\(gif)\n/tmp/b.gif", "\(gif) ~/b.gif", "\(gif) and https://h.test/b.gif",
        "\(page) \(gif)", "\(gif) \(page)",
    ]

    /// Another GIF, from whose page a command asks for `gif`.
    private static let other = "https://p.test/b.gif"
    static let origins: [String] = [
        "curl -H 'Referer: \(other)' \(gif)", "curl -H \"referer: \(other)\" -H 'accept: */*' '\(gif)'",
        "curl -H 'referer:\(other)' \(gif)", "curl -e \(other) -o cat.gif \(gif)", "curl -e'\(other)' \(gif)",
        "curl --referer \(other) \(gif)", "wget --referer=\(other) \(gif)", "wget --referer=\"\(other)\" \"\(gif)\"",
        "curl ^\"\(gif)^\" ^\n  -H ^\"Referer: \(other)^\"", "curl -x http://10.0.0.1:8/b.gif \(gif)",
        "iwr -Headers @{\"Referer\"=\"\(other)\"} \(gif)", "{\"referrer\": \"\(other)\", \"url\": \"\(gif)\"}",
    ]

    @Test("The page from which a command asks is not what plays", arguments: origins)
    func origin(text: String) {
        #expect(TypedAddress(text) == .web(Self.gif))
    }

    @Test("If a text has only the page from which it asks, this plays")
    func onlyOrigin() {
        #expect(TypedAddress("Referer: \(Self.other)") == .web(Self.other))
    }

    @Test("What follows a GIF's address without belonging to it is cut off", arguments: tails)
    func tail(text: String) {
        #expect(TypedAddress(text) == .web(Self.gif))
    }

    static let others: [(String, String)] = [
        ("curl ^\"https://h.test/a.gif?x=1^&y=2^\"", "https://h.test/a.gif?x=1&y=2"),
        ("curl ^\"https://h.test/a^%^20b.gif^\"", "https://h.test/a%20b.gif"),
        ("https://h.test/a^b.gif", "https://h.test/a%5Eb.gif"),
        ("<img src=3D\"https://h.test/a.gif?x=3D1&amp;y=3D2\">", "https://h.test/a.gif?x=1&y=2"),
        ("https://h.test/a.gif?x=3D", "https://h.test/a.gif?x=3D"),
        ("https://h.test/a.gif?x=1;echo hi", "https://h.test/a.gif?x=1"),
        ("https://h.test/a.gif?x=1&&ls", "https://h.test/a.gif?x=1"),
        ("https://h.test/a.gif?x=1&&y=2", "https://h.test/a.gif?x=1&&y=2"),
        ("https://h.test/a.gif;v=2", "https://h.test/a.gif;v=2"),
        ("https://h.test/a.gif&v=2", "https://h.test/a.gif&v=2"),
        ("https://h.test/a.gif?x={1}", "https://h.test/a.gif?x=%7B1%7D"), ("\(page)}", page), ("\(page)**", page),
        ("\(page)&&ls", page), ("\(page);ls", page), ("\(page)’s", page), ("\(page)\\n", page),
        ("\(page)\u{1B}\\x", page), ("https://p.test/x_", "https://p.test/x_"), ("_\(page)_", page),
        ("https://p.test/McDonald's", "https://p.test/McDonald's"), ("https://h.test/a.gifv", "https://h.test/a.gifv"),
        ("https://h.test/a.gif/revision/latest", "https://h.test/a.gif/revision/latest"),
        ("https://h.test/a.gif@2x", "https://h.test/a.gif@2x"),
        ("https://h.test/a.gif.mp4", "https://h.test/a.gif.mp4"),
        ("\(page) /tmp/b.gif", page), ("\(page) https://p.test/y", page),
    ]

    @Test("What belongs to an address stays", arguments: others)
    func address(text: String, url: String) {
        #expect(TypedAddress(text) == .web(url))
    }

    static let paths: [(String, [String])] = [
        ("![c](./cat.gif)", ["./cat.gif"]), ("![c](cat.gif)", ["cat.gif"]), ("[c](../a/cat.gif)", ["../a/cat.gif"]),
        ("![](<my cat.gif>)", ["my cat.gif"]), ("![c](./cat.gif \"title\")", ["./cat.gif"]),
        ("[![c](./cat.gif)](./page.html)", ["./cat.gif"]), ("![cat.gif](/tmp/cat.gif)", ["/tmp/cat.gif"]),
        ("![c](~/cat.gif)", [home + "/cat.gif"]), ("![c](file:///tmp/my%20cat.gif)", ["/tmp/my cat.gif"]),
        ("![[cat.gif]]", ["cat.gif"]), ("[[file:cat.gif]]", ["cat.gif"]), ("[[file:cat.gif][c]]", ["cat.gif"]),
        ("[[./cat.gif][a cat]]", ["./cat.gif"]), ("{{cat.gif|x}}", ["cat.gif"]), ("[img]cat.gif[/img]", ["cat.gif"]),
        ("<img src=\"cat.gif\">", ["cat.gif"]), ("<img src='./cat.gif' />", ["./cat.gif"]),
        ("<img src=cat.gif>", ["cat.gif"]), ("<img alt=x src=cat.gif width=9>", ["cat.gif"]),
        ("<IMG SRC=\"/tmp/my cat.gif\">", ["/tmp/my cat.gif"]), ("<a href=\"cat.gif\">", ["cat.gif"]),
        ("url(cat.gif)", ["cat.gif"]), ("url('./cat.gif');", ["./cat.gif"]), ("{\"file\": \"cat.gif\"}", ["cat.gif"]),
        ("\\includegraphics{cat.gif}", ["cat.gif"]), ("open(\"cat.gif\")", ["cat.gif"]), ("file:cat.gif", ["cat.gif"]),
        ("file:./cat.gif", ["./cat.gif"]), ("FILE:my%20cat.gif", ["my cat.gif"]),
        ("file:~/cat.gif", [home + "/cat.gif"]), ("& '/tmp/cat.gif'", ["/tmp/cat.gif"]),
        ("& \"/tmp/my cat.gif\"", ["/tmp/my cat.gif"]), ("& './cat.gif'", ["./cat.gif"]),
        ("$'/tmp/cat.gif'", ["/tmp/cat.gif"]), ("$'/tmp/it\\'s.gif'", ["/tmp/it's.gif"]),
        ("$'/tmp/a\\tb\\\\c.gif'", ["/tmp/a\tb\\c.gif"]), ("$'/tmp/caf\\303\\251.gif'", ["/tmp/café.gif"]),
        ("'/tmp/a'$'\\n''b.gif'", ["/tmp/a\nb.gif"]), ("/tmp/a$'\\n'b.gif", ["/tmp/a\nb.gif"]),
        ("copy\nfile:///tmp/cat.gif", ["/tmp/cat.gif"]), ("copy file:///tmp/cat.gif", ["/tmp/cat.gif"]),
        ("cut\r\nfile:///tmp/my%20cat.gif\r\n", ["/tmp/my cat.gif"]),
        ("copy\nfile:///tmp/a.gif\nfile:///tmp/b.gif", ["/tmp/a.gif", "/tmp/b.gif"]),
        ("x-special/nautilus-clipboard\ncopy\nfile:///tmp/cat.gif\n", ["/tmp/cat.gif"]),
        ("x-special/gnome-copied-files copy file:///tmp/cat.gif", ["/tmp/cat.gif"]),
        ("look at file:///tmp/cat.gif", ["/tmp/cat.gif"]), ("< /tmp/cat.gif", ["/tmp/cat.gif"]),
        ("/tmp/cat.gif https://h.test/a.gif", ["/tmp/cat.gif"]), ("~/cat.gif\n\(gif)", [home + "/cat.gif"]),
        ("'/tmp/my cat.gif' \(page)", ["/tmp/my cat.gif"]), ("file:///tmp/a.gif \(gif)", ["/tmp/a.gif"]),
        ("/tmp/a.gif /tmp/b.gif \(gif)", ["/tmp/a.gif", "/tmp/b.gif"]), ("Saved to: /tmp/cat.gif", ["/tmp/cat.gif"]),
        ("open '/tmp/my cat.gif'", ["/tmp/my cat.gif"]), ("look at /tmp/cat.gif", ["/tmp/cat.gif"]),
        ("Saved: cat.gif", ["cat.gif"]), ("Saving to: ‘cat.gif’", ["cat.gif"]),
        ("a.gif /tmp/b.gif", ["a.gif", "/tmp/b.gif"]), ("/tmp/a: b.gif", ["/tmp/a: b.gif"]),
        ("/tmp/b\\c.gif", ["/tmp/b\\c.gif"]), ("/tmp/b\\ \\(c\\).gif", ["/tmp/b (c).gif"]),
        ("\u{1B}]8;;file:///tmp/my%20cat.gif\u{1B}\\cat.gif\u{1B}]8;;\u{1B}\\", ["/tmp/my cat.gif"]),
        (
            "\u{1B}]8;id=1;file://\(ProcessInfo.processInfo.hostName)/tmp/cat.gif\u{07}x\u{1B}]8;;\u{07}",
            ["/tmp/cat.gif"]
        ),
    ]

    @Test("The path inside the markup of a page, a wiki, a shell or a clipboard plays", arguments: paths)
    func path(text: String, paths: [String]) {
        #expect(TypedAddress(text) == .files(paths))
    }

    @Test(
        "A text without a path in its markup is a query",
        arguments: [
            "</3", "<3", "(cats)", "[cat](dog)", "<b>cat</b>", "& cats", "$'cats'", "file: cats", "copy cats", "^_^",
        ])
    func query(text: String) {
        #expect(TypedAddress(text) == nil)
        #expect(SearchQuery(text).text == text)
    }

    @Test("A percent-encoded path leads to the file if no file has the encoded name")
    func encodedPath() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/gifplay-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/My Pics", withIntermediateDirectories: true)
        for name in ["My Pics/cat.gif", "a%20b.gif", "a b.gif"] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data()))
        }
        #expect(TypedAddress("\(folder)/My%20Pics/cat.gif") == .files(["\(folder)/My Pics/cat.gif"]))
        #expect(TypedAddress("\(folder)/a%20b.gif") == .files(["\(folder)/a%20b.gif"]))
        #expect(TypedAddress("\(folder)/c%20d.gif") == .files(["\(folder)/c%20d.gif"]))
    }

    /// Each with the address inside.
    static let redirectors: [(String, String)] = [
        (
            "https://t.umblr.com/redirect?z=https%3A%2F%2Fh.test%2Fa.gif&t=MGY&b=t%3Ax&p=https%3A%2F%2Fp.test%2F&m=1",
            gif
        ),
        ("https://t.umblr.com/redirect?z=https%3A%2F%2Fp.test%2Fx&t=MGY", page),
        ("https://href.li/?https://h.test/a.gif", gif), ("https://href.li/?https%3A%2F%2Fh.test%2Fa.gif", gif),
        ("https://href.li/?https://p.test/x", page),
        ("https://href.li/?https://p.test/x?y=1&z=2", "https://p.test/x?y=1&z=2"),
        ("https://www.bing.com/ck/a?!&&p=0b5f&ptn=3&ver=2&hsh=4&fclid=1&u=a1aHR0cHM6Ly9oLnRlc3QvYS5naWY&ntb=1", gif),
        ("https://www.bing.com/ck/a?!&&p=0b5f&u=a1aHR0cHM6Ly9wLnRlc3QveA&ntb=1", page),
        ("https://urldefense.proofpoint.com/v2/url?u=https-3A__h.test_a.gif&d=DwMF&c=x&r=y&m=z&s=1&e=", gif),
        ("https://urldefense.proofpoint.com/v2/url?u=https-3A__p.test_x&d=DwMF", page),
        ("https://urldefense.proofpoint.com/v2/url?u=http-3A__h.test_a-2Db-5Fc.gif&d=D", "http://h.test/a-b_c.gif"),
        ("https://ci3.googleusercontent.com/meips/ADKq=s0-d-e1-ft#https://h.test/a.gif", gif),
        ("https://lh3.googleusercontent.com/proxy/x#https%3A%2F%2Fh.test%2Fa.gif", gif),
        ("https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fh.test%2fa.gif&c=E,1&typo=1", gif),
        ("https://vk.com/away.php?to=https%3A%2F%2Fh.test%2Fa.gif", gif),
        ("https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fh.test%2Fa.gif", gif),
        ("https://www.deviantart.com/users/outgoing?https://h.test/a.gif", gif),
        ("https://steamcommunity.com/linkfilter/?u=https%3A%2F%2Fh.test%2Fa.gif", gif),
        (
            "https://www.pinterest.com/pin/create/button/?url=https%3A%2F%2Fp.test%2Fx&media=https%3A%2F%2Fh.test%2Fa.gif",
            gif
        ),
        ("https://s.test/1/2/3/r?anything=https%3A%2F%2Fh.test%2Fa.gif", gif),
        ("https://s.test/r?x=aHR0cHM6Ly9oLnRlc3QvYS5naWY=", gif),
        ("https://urldefense.com/v3/__https://h.test/a*20b.gif__;JQ!!A!b$", "https://h.test/a%20b.gif"),
        ("https://urldefense.com/v3/__https://h.test/a.gif*x=1__;Pw!!A!b$", "https://h.test/a.gif?x=1"),
        ("https://urldefense.us/v3/__https://h.test/a.gif__;!!A!b$", gif),
        ("https://urldefense.us/v3/__https:/h.test/**A*.gif__;w6nDqcOp!!A!b$", "https://h.test/%C3%A9%C3%A9%C3%A9.gif"),
        ("https://urldefense.com/v3/__https://h.test/**B.gif__;JTIw!!A!b$", "https://h.test/%20.gif"),
        ("https://urldefense.com/v3/__https://h.test/a*b.gif__;!!A!b$", "https://h.test/a*b.gif"),
        ("https://s.test/r?imgrefurl=https%3A%2F%2Fh.test%2Fb.gif&x=https%3A%2F%2Fh.test%2Fa.gif", gif),
    ]

    @Test("A link of a redirector leads to the address inside", arguments: redirectors)
    func redirector(link: String, url: String) {
        guard case .files(let files)? = LinkRule.target(of: link)?.target else {
            Issue.record("\(String(describing: LinkRule.target(of: link)))")
            return
        }
        #expect(files.first == url)
        #expect(TypedAddress("\(link) ") == .web(link))
    }

    @Test(
        "A query or a fragment that is no address changes nothing",
        arguments: [
            "https://h.test/x?u=a1b2c3", "https://h.test/x?u=aHR0cA", "https://h.test/x?u=aHR0c!!",
            "https://h.test/x#http",
            "https://h.test/x?http", "https://h.test/x?u=http-3A", "https://h.test/x?u=ftp://p.test/b.gif",
            "https://h.test/x?callback=https%3A%2F%2Fp.test%2Fb.gif", "https://h.test/1/2/3?u=https%3A%2F%2Fp.test%2Fx",
        ])
    func noRedirector(link: String) {
        #expect(LinkRule.target(of: link)?.target == nil)
    }
}
