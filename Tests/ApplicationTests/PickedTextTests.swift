import Catalog
import Gallery
import Testing

@testable import Application

@Suite struct PickedTextTests {
    private let commons = GIFReference(
        provider: "commons", id: "1", title: "A [big] cat", pageURL: "https://example.org/wiki/Cat_(1)", author: "Ada",
        licence: "CC BY-SA 4.0", licenceURL: "https://example.org/by-sa",
        attribution: "A [big] cat — Ada (CC BY-SA 4.0) · https://example.org/wiki/Cat_(1)",
        renditions: [Rendition(url: "https://example.org/cat.gif")], cachePolicy: .persistent)

    @Test("The URL, the page and the path are printed alone")
    func plain() {
        #expect(PickedText.line(.url, of: commons, path: nil) == "https://example.org/cat.gif")
        #expect(PickedText.line(.page, of: commons, path: nil) == "https://example.org/wiki/Cat_(1)")
        #expect(PickedText.line(.file, of: commons, path: "/a/cat.gif") == "/a/cat.gif")
    }

    @Test("Markdown has the image, the linked title, the author and the licence")
    func markdown() {
        #expect(
            PickedText.line(.markdown, of: commons, path: nil)
                == "![A \\[big\\] cat](https://example.org/cat.gif) "
                + "[A \\[big\\] cat](<https://example.org/wiki/Cat_(1)>), Ada, [CC BY-SA 4.0](https://example.org/by-sa)"
        )
    }

    @Test("A file has its file: address, unless its path is asked for")
    func file() {
        let file = GIFReference.file("/my gifs/cat.gif")
        for part in [PickedPart.url, .page] {
            #expect(PickedText.line(part, of: file, path: file.path) == "file:///my%20gifs/cat.gif")
        }
        #expect(PickedText.line(.file, of: file, path: file.path) == "/my gifs/cat.gif")
    }

    @Test("A built-in GIF has the address of its saved copy")
    func builtIn() throws {
        let sample = GIFReference.sample(try #require(Sample.all.first))
        let (path, url) = ("/my gifs/Dancing-cat.gif", "file:///my%20gifs/Dancing-cat.gif")
        for part in [PickedPart.url, .page] { #expect(PickedText.line(part, of: sample, path: path) == url) }
        #expect(PickedText.line(.file, of: sample, path: path) == path)
        #expect(PickedText.line(.markdown, of: sample, path: path) == "![Dancing cat](\(url)) Dancing cat, MIT")
    }

    @Test("Markdown has the mark that the source requires, and for a file only the image")
    func marks() {
        var giphy = commons
        (giphy.licence, giphy.author, giphy.title, giphy.pageURL) = (nil, nil, "Cat", "https://giphy.com/1")
        giphy.provider = "giphy"
        #expect(
            PickedText.line(.markdown, of: giphy, path: nil)
                == "![Cat](https://example.org/cat.gif) [Powered By GIPHY](https://giphy.com/1)")
        let file = GIFReference.file("/my gifs/cat.gif")
        #expect(PickedText.line(.markdown, of: file, path: file.path) == "![cat.gif](file:///my%20gifs/cat.gif)")
    }
}
