import Testing

@testable import Catalog

@Suite("Credits of GIFs") struct SourceCreditTests {
    private func credit(
        _ provider: String, author: String? = "Ada", licence: String? = nil, community: String? = nil
    ) -> String {
        var reference = reference("a", provider: provider)
        (reference.author, reference.licence, reference.community) = (author, licence, community)
        reference.attribution = "Ann · https://example.org/a"
        return reference.credit
    }

    @Test("The mark of a service is the credit of its GIFs, whatever their authors")
    func mark() {
        #expect(credit("giphy") == "Powered By GIPHY" && credit("klipy") == "Powered by KLIPY")
        #expect(credit("gifcities") == "GifCities · Internet Archive")
        #expect(reference("a", provider: "giphy").sourceMark == "Powered By GIPHY")
        #expect(reference("a", provider: "gifcities").sourceMark == nil && reference("a").sourceMark == nil)
    }

    @Test("The credit of a licensed work consists of the author and the licence")
    func licensedWork() {
        for provider in ["commons", "openverse", "emoji"] {
            #expect(credit(provider, licence: "CC BY 4.0") == "Ada (CC BY 4.0)")
        }
        #expect(credit("commons", author: nil, licence: "CC0") == "(CC0)")
    }

    @Test("Without a licence, the credit is the author, with the site or the community that the source requires")
    func author() {
        #expect(credit("commons") == "Ada" && credit("commons", author: nil).isEmpty)
        #expect(credit("nekos") == "Ada (nekos.best)" && credit("nekos", author: nil) == "(nekos.best)")
        #expect(credit("r/cats", community: "r/cats") == "u/Ada on r/cats")
        #expect(credit("r/cats", author: nil, community: "r/cats") == "on r/cats")
    }

    @Test("The credit of another GIF is its own, or its attribution")
    func others() {
        #expect(credit("url") == "Ann · https://example.org/a")
        var cached = reference("a", provider: "cache")
        cached.ownCredit = "Ann (CC0)"
        #expect(cached.credit == "Ann (CC0)")
    }
}
