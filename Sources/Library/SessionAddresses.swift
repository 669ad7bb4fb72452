import Base
import Catalog

/// Keeps in memory the file addresses of GIFs whose source does not allow storing them.
///
/// A favourite of such a source plays until this run ends; afterwards only its title and link remain.
final class SessionAddresses: Sendable {
    private let limit: Int
    private let known = Monitor<(renditions: [GIFKey: [Rendition]], order: [GIFKey])>(([:], []))

    init(limit: Int = 2_000) { self.limit = limit }

    /// Adds the addresses of the references whose source forbids storing them. Discards the oldest above the limit.
    func record(_ references: [GIFReference]) {
        known.withLock { known in
            for reference in references where reference.cachePolicy == .sessionOnly && !reference.renditions.isEmpty {
                if known.renditions.updateValue(reference.renditions, forKey: reference.key) == nil {
                    known.order.append(reference.key)
                }
            }
            let surplus = max(0, known.order.count - limit)
            for key in known.order.prefix(surplus) { known.renditions[key] = nil }
            known.order.removeFirst(surplus)
        }
    }

    /// Adds the addresses known in this run to a reference that was stored without them.
    func addingAddresses(to reference: GIFReference) -> GIFReference {
        guard reference.cachePolicy == .sessionOnly else { return reference }
        var filled = reference
        filled.renditions = known.withLock { $0.renditions[reference.key] } ?? []
        return filled
    }
}
