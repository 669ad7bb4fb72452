import Testing

@testable import Catalog

@Suite struct CreditLineTests {
    private func line(
        _ attribution: String, title: String = "A cat", author: String? = nil, licence: String? = nil
    ) -> CreditLine {
        var reference = reference("a")
        (reference.title, reference.author, reference.licence) = (title, author, licence)
        reference.attribution = attribution
        return reference.creditLine
    }

    @Test("A service's attribution mark becomes the credit of a GIF, and the page URL becomes the link")
    func serviceMark() {
        #expect(
            line("Powered By GIPHY · https://giphy.com/gifs/a")
                == CreditLine(credit: "Powered By GIPHY", link: "https://giphy.com/gifs/a"))
        #expect(line("Powered by KLIPY") == CreditLine(credit: "Powered by KLIPY"))
    }

    @Test("The credit of a licensed work consists of the author and the licence")
    func licensedWork() {
        #expect(
            line("A cat — Ada (CC BY 4.0) · https://example.org/a", author: "Ada", licence: "CC BY 4.0")
                == CreditLine(title: "A cat", credit: "Ada (CC BY 4.0)", link: "https://example.org/a"))
        #expect(
            line("\"A cat\" by Ada is licensed under CC BY 4.0.", author: "Ada", licence: "CC BY 4.0")
                == CreditLine(title: "A cat", credit: "Ada (CC BY 4.0)"))
    }

    @Test("If the licence is unknown, the credit is the attribution line without the title and the link")
    func noLicence() {
        #expect(line("A cat — Ada (CC0)") == CreditLine(title: "A cat", credit: "Ada (CC0)"))
        #expect(
            line("u/ada on r/cats · https://reddit.com/x", author: "ada")
                == CreditLine(credit: "u/ada on r/cats", link: "https://reddit.com/x"))
        #expect(line("GifCities · Internet Archive", title: "") == CreditLine(credit: "GifCities · Internet Archive"))
    }
}
