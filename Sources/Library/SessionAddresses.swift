import Base
import Catalog

/// Keeps in memory the file addresses of GIFs whose source does not allow storing them.
///
/// A favourite of such a source plays until this run ends; afterwards only its title and link remain.
final class SessionAddresses: Sendable {
    private let most: Int
    private let lent = Monitor<(renditions: [GIFKey: [Rendition]], order: [GIFKey])>(([:], []))

    init(most: Int = 2_000) { self.most = most }

    /// Keeps the addresses of those references that must not be stored, and discards the oldest beyond the limit.
    func note(_ references: [GIFReference]) {
        lent.withLock { lent in
            for reference in references where reference.cachePolicy == .sessionOnly && !reference.renditions.isEmpty {
                if lent.renditions.updateValue(reference.renditions, forKey: reference.key) == nil {
                    lent.order.append(reference.key)
                }
            }
            let surplus = max(0, lent.order.count - most)
            for key in lent.order.prefix(surplus) { lent.renditions[key] = nil }
            lent.order.removeFirst(surplus)
        }
    }

    /// Adds the addresses known in this run to a reference that was stored without them.
    func filled(_ reference: GIFReference) -> GIFReference {
        guard reference.cachePolicy == .sessionOnly else { return reference }
        var filled = reference
        filled.renditions = lent.withLock { $0.renditions[reference.key] } ?? []
        return filled
    }
}
