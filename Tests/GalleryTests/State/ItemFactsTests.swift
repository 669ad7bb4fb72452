import Base
import Catalog
import Pixels
import Testing

@testable import Gallery

@Suite("Facts about GIFs") struct ItemFactsTests {
    @Test("Facts about random GIFs outside the listing do not accumulate; favourites and dismissals stay known")
    func prune() {
        var facts = ItemFacts()
        let listed = GIFKey(provider: "commons", id: "listed")
        for number in 0..<20_000 {
            let key = number == 0 ? listed : GIFKey(provider: "commons", id: "\(number)")
            facts.sizes[key] = PixelSize(width: 2, height: 1)
            facts.failures[key] = .outage
            facts.loading.insert(key)
            facts.set(number % 10_000 == 1 ? \.isDismissed : \.isViewed, to: true, of: key)
            facts.prune(keeping: [listed])
        }
        #expect(max(facts.sizes.count, facts.failures.count, facts.loading.count, facts.marks.count) < 3_000)
        #expect(facts.sizes[listed] != nil && facts.marks(of: listed).isViewed)
        #expect(facts.marks.values.count { $0.isDismissed } == 2)
    }
}
