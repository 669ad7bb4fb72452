import Foundation
import Testing

@testable import Catalog

/// Texts that name files, as people type them and as terminals and file managers paste and drop them.
@Suite struct TypedPathTests {
    private static let home = ProcessInfo.processInfo.environment["HOME"] ?? "$HOME"

    static let pathRows: [(String, [String])] = [
        ("/a/b.gif", ["/a/b.gif"]), ("/a/b c.gif", ["/a/b c.gif"]), ("/a/b\\ c.gif", ["/a/b c.gif"]),
        ("'/a/b c.gif'", ["/a/b c.gif"]), ("\"/a/b c.gif\"", ["/a/b c.gif"]), (" '/a/b c.gif' ", ["/a/b c.gif"]),
        ("'/a/it'\\''s.gif'", ["/a/it's.gif"]), ("/a/it\\'s\\ \\(1\\).gif", ["/a/it's (1).gif"]),
        ("/a/it's.gif", ["/a/it's.gif"]), ("'/a/b", ["'/a/b"]), ("/a/b.gif\n", ["/a/b.gif"]), ("/", ["/"]),
        ("/tmp", ["/tmp"]), ("/secret plans", ["/secret plans"]), ("~", [home]), ("~/b.gif", [home + "/b.gif"]),
        ("~/b c", [home + "/b c"]), ("'~/b c'", [home + "/b c"]), ("$HOME/b", [home + "/b"]),
        ("${HOME}/b", [home + "/b"]), ("./b", ["./b"]), ("../b", ["../b"]), ("..", [".."]), ("cats/", ["cats/"]),
        ("cat.gif", ["cat.gif"]), ("CAT.GIF", ["CAT.GIF"]), ("dancing cat.gif", ["dancing cat.gif"]),
        ("dancing\\ cat.gif", ["dancing cat.gif"]), ("'dancing cat.gif'", ["dancing cat.gif"]),
        ("a/cat.webp", ["a/cat.webp"]), ("cat.png", ["cat.png"]), ("cat.mp4", ["cat.mp4"]), ("cat.jpeg", ["cat.jpeg"]),
        ("cat.gifv", ["cat.gifv"]), ("file:///a/b%20c.gif", ["/a/b c.gif"]), ("FILE:/a/b.gif", ["/a/b.gif"]),
        ("<file:///a/b.gif>", ["/a/b.gif"]), ("file://localhost/a/b.gif", ["/a/b.gif"]), ("‘/a/b.gif’", ["/a/b.gif"]),
        ("/a.gif /b c.gif", ["/a.gif", "/b c.gif"]), ("'/a b.gif' '/c.gif'", ["/a b.gif", "/c.gif"]),
        ("/a\\ b.gif /c.gif ", ["/a b.gif", "/c.gif"]), ("\"/a b.gif\" ~/c.gif", ["/a b.gif", home + "/c.gif"]),
        ("file:///a%20b.gif\r\nfile:///c.gif\r\n", ["/a b.gif", "/c.gif"]), ("/a.gif\n/b.gif", ["/a.gif", "/b.gif"]),
        ("$ gifplay ~/cat.gif", [home + "/cat.gif"]), ("gifplay '/a b.gif'", ["/a b.gif"]),
        ("> /a/b.gif", ["/a/b.gif"]), ("\u{200B}/a/b.gif", ["/a/b.gif"]), ("cat.gif,", ["cat.gif"]),
        ("cat.gif.", ["cat.gif"]), ("cat.gif)", ["cat.gif"]), ("(cat.gif).", ["cat.gif"]), ("\"cat.gif\"", ["cat.gif"]),
        ("\"cat.gif\",", ["cat.gif"]), ("“cat.gif”,", ["cat.gif"]), ("/a/b.gif, /c.gif!", ["/a/b.gif", "/c.gif"]),
        ("file:///a/b.gif.", ["/a/b.gif"]), ("images/my_cat", ["images/my_cat"]), ("images/a.b/c", ["images/a.b/c"]),
        ("/giphy.gif", ["/giphy.gif"]), ("/shrugs", ["/shrugs"]), ("/gif/cat", ["/gif/cat"]),
    ]

    static let unusableTexts = [
        "C:\\Users\\me\\cat.gif", "\"C:\\Users\\me\\cat.gif\"", "'C:\\Users\\me\\my cat.gif'", "c:/Users/me/cat.gif",
        "C:\\", "\\\\server\\share\\cat.gif", "\"\\\\server\\share\\my cat.gif\"", "\\\\wsl$\\Debian\\home",
        "file://server/a.gif", "file:///C:/a.gif", "%USERPROFILE%\\cat.gif", "%APPDATA%\\my cats\\cat.gif",
        "..\\cat.gif", "~\\cat.gif", ".\\cats", "Pictures\\cat.gif", "%HOMEPATH%\\Desktop", "AC\\DC",
        "trash:///cat.gif", "ftp://h.test/a.gif", "smb://server/a.gif",
    ]

    static let queryTexts = [
        "cats", "dancing cat", "AC/DC", "24/7", "and/or", "what is love?", "mr.bean", "node.js", "e.g. cats",
        "data: cats", ".gif", "gif", "", "...", "¯\\_(ツ)_/¯", ":/", "\"dancing cat\"", "'dancing cat'", "it's me",
        "~hello~", "C: drive", "3:2", "$ dancing cat", "$100", "#1 dad", "100%", "> dancing", "gifplay", "file", "http",
        "https:", "booking.com funny", "d.h. nein", "M.A.S.H", "U.S. flag", "z.B.", "10/10", "he/she", "n/a",
        "ship it / lgtm", "yes/no", "w/o", "c/c++", "/shrug", "/tableflip", "/shrug no idea", "/giphy thumbs up",
        "/me waves", "/gif cat", "-1", "-_-", "- ship it", "*hugs*", "a*b", "x[ab].y", "\\o/", "- hat", "nice try, bob",
        "😂", "key=value", "me@work",
    ]

    @Test("A text that looks like a path is a path, whether it exists or not", arguments: pathRows)
    func paths(text: String, paths: [String]) {
        #expect(TypedAddress(text) == .files(paths))
    }

    @Test("A path of Windows or of another machine, and a URL of another scheme are errors", arguments: unusableTexts)
    func unusable(text: String) {
        guard case .unusable(let message)? = TypedAddress(text) else {
            Issue.record("\(String(describing: TypedAddress(text)))")
            return
        }
        #expect(message.contains(": not a"))
        #expect(message.hasPrefix(text.replacing(/["']/, with: "").prefix { $0 != ":" }))
    }

    static let pathLikeTexts = [
        ("cp ~/geheim/vertrag /mnt", "~/geheim/vertrag"), ("scp x jens@server:/export", "jens@server:/export"),
        ("cd /home/jens/geheim", "/home/jens/geheim"), ("Datei: /home/jens/Vertrag", "/home/jens/Vertrag"),
        ("• /home/jens", "/home/jens"), ("📎 /home/jens/geheim.pdf", "/home/jens/geheim.pdf"),
        ("export FOO=/home/jens", "/home/jens"), ("path = \"/home/jens\"", "/home/jens"),
        ("danke ~/geheim", "~/geheim"), ("bash: /home/jens/foo: No such file", "/home/jens/foo:"),
        ("diff --git a/src/geheim.c", "a/src/geheim.c"), ("jens@host:~/projekt", "jens@host:~/projekt"),
        ("Siehe P:\\Personal\\Kündigung.docx", "P:\\Personal\\Kündigung.docx"),
        ("cd C:\\Users\\jens", "C:\\Users\\jens"), ("nas:/export/geheim", "nas:/export/geheim"),
        ("[x](/home/jens/geheim)", "/home/jens/geheim"), ("cat.gif (1)", "cat.gif"), ("cat.gif 📎", "cat.gif"),
        ("cat.gif~", "cat.gif~"), ("cat.gif.part", "cat.gif.part"), ("Gehaltsliste.xlsx", "Gehaltsliste.xlsx"),
        ("Kündigung Meier.docx", "Meier.docx"), ("'notiz.txt'", "notiz.txt"), ("main.py:10", "main.py:10"),
        ("main.go:12", "main.go:12"), ("main.c:10: error", "main.c:10:"), ("foo.pl:5", "foo.pl:5"),
        ("notiz.txt:3", "notiz.txt:3"), ("README.md#install", "README.md#install"), ("Vertrag.pdf?", "Vertrag.pdf?"),
        ("backup.tar.gz", "backup.tar.gz"), ("var/log", "var/log"), ("**report.pdf**", "**report.pdf**"),
        ("*main.py*", "*main.py*"), ("my report (1).pdf", ".pdf"), ("report.pdf.gpg", "report.pdf.gpg"),
        ("host:report.pdf", "host:report.pdf"), ("app.log.1", "app.log.1"), ("cat.gif@2x", "cat.gif@2x"),
        ("#report.pdf#", "#report.pdf#"), (".env", ".env"), ("cats/dogs", "cats/dogs"), ("either/or", "either/or"),
        ("yes/no/maybe", "yes/no/maybe"),
    ]

    @Test(
        "A word that looks like a path makes the text an error, which names it and the option", arguments: pathLikeTexts
    )
    func pathLike(text: String, word: String) {
        guard case .unusable(let message)? = TypedAddress(text) else {
            Issue.record("\(String(describing: TypedAddress(text)))")
            return
        }
        #expect(message.hasPrefix("\(word): ") && message.contains("--search '"), "\(message)")
    }

    @Test("A name with a dot and a path is a file unless the domain at the top is known")
    func names() {
        for text in [
            "photos.old/cat.png", "Kunde.Meier/Vertrag", "my.folder/cat.gif", "org.kunde.projekt/Main", "setup.py/",
        ] {
            #expect(TypedAddress(text) == .files([text]))
        }
        for text in [
            "redd.it/a", "gph.is/1", "h.test/a.gif", "example.info/x", "www.h.berlin", "giphy.com", "a.de:80/x",
        ] {
            #expect(TypedAddress(text) == .web("https://" + text), "\(text)")
        }
        for text in ["cat.gif?", "cat.gif#1", "cat.gif?raw=true"] {
            if case .web? = TypedAddress(text) { Issue.record("\(text)") }
            #expect(TypedAddress(text) != nil)
        }
    }

    @Test("Any other text is a query", arguments: queryTexts)
    func queries(text: String) {
        #expect(TypedAddress(text) == nil)
    }

    @Test("What exists is a path, even if it looks like a link or a query with a slash")
    func existing() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/gifplay-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["two  spaces.gif", "it's.gif", "a \"b\".gif"] {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
            #expect(TypedAddress("\(folder)/\(name)") == .files(["\(folder)/\(name)"]))
        }
        // The working directory of the tests is the package.
        #expect(TypedAddress("Sources/Catalog") == .files(["Sources/Catalog"]))
        #expect(TypedAddress("Sources/missing") == .files(["Sources/missing"]))
        let name = "\(folder)/cat.gif,"
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
        #expect(TypedAddress(name) == .files([name]))
    }

    @Test(
        "The prompt and the name of the program are cut off a pasted command",
        arguments: [
            (["$", "gifplay", "dancing cat"], ["dancing cat"]), (["gifplay", "dancing", "cat"], ["dancing", "cat"]),
            (["$ gifplay \"dancing cat\""], ["dancing cat"]), (["% gifplay cat"], ["cat"]),
            (["# gifplay cat"], ["cat"]), (["> gifplay cat"], ["cat"]),
            (["❯ gifplay --pick 2 'big cat'"], ["--pick", "2", "big cat"]), (["❯", "cat"], ["cat"]),
            (["me@host:~$", "gifplay", "cat"], ["cat"]), (["me@host", "~", "%", "gifplay", "cat"], ["cat"]),
            (["gifplay", "browse", "cats"], ["browse", "cats"]), (["$ cat"], ["cat"]), (["gifplay"], ["gifplay"]),
            (["$"], ["$"]), (["play", "gifplay"], ["play", "gifplay"]),
            (["cat", "gifplay", "x"], ["cat", "gifplay", "x"]), ([], []), (["$100", "bill"], ["$100", "bill"]),
            (["- https://h.test/a.gif"], ["https://h.test/a.gif"]), (["- hat"], ["- hat"]),
            (["/giphy", "thumbs", "up"], ["thumbs", "up"]), (["/me waves"], ["waves"]),
            (["-- https://h.test/a.gif"], ["https://h.test/a.gif"]),
            (["-o x https://h.test/a"], ["o x https://h.test/a"]),
            (["--search=see https://h.test/a"], ["--search=see https://h.test/a"]), (["-o", "x"], ["-o", "x"]),
            (["/shrug", "why"], ["/shrug", "why"]), (["/shrug"], ["/shrug"]),
        ])
    func prompts(arguments: [String], expected: [String]) {
        #expect(ShellText.command(arguments) == expected)
    }

    @Test("A query is searched for without the prompt")
    func query() {
        #expect(SearchQuery("$ gifplay \"dancing cat\"").text == "dancing cat")
        #expect(SearchQuery("\"dancing cat\"").text == "\"dancing cat\"")
    }
}
