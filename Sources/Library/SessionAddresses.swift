import Base
import Catalog

/// The addresses that a source lends for a run and no longer: those of the files of GIFs that may not be kept.
///
/// With them a favourite of this run plays until its end; afterwards it is a title and a link.
final class SessionAddresses: Sendable {
    private let most: Int
    private let lent = Monitor<(renditions: [GIFKey: [Rendition]], order: [GIFKey])>(([:], []))

    init(most: Int = 2_000) { self.most = most }

    /// Remembers those of these references that may not be kept; the oldest give way.
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

    /// The reference with what this run knows of it.
    func filled(_ reference: GIFReference) -> GIFReference {
        guard reference.cachePolicy == .sessionOnly else { return reference }
        var filled = reference
        filled.renditions = lent.withLock { $0.renditions[reference.key] } ?? []
        return filled
    }
}
