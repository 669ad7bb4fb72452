import Base
import Catalog

/// Keeps file addresses in memory for GIFs whose source forbids storing those addresses.
///
/// A favourite from such a source can be played until this run ends. After that, only its metadata remains.
final class SessionAddresses: Sendable {
    private let limit: Int
    private let known = Monitor<(renditions: [GIFKey: [Rendition]], order: [GIFKey])>(([:], []))

    init(limit: Int = 2_000) { self.limit = limit }

    /// Remembers the file addresses that must not be stored on disk, because their source forbids it. Keeps those of at
    /// most `limit` GIFs; the oldest are discarded first.
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

    /// Returns the reference. If the library stored it without file addresses, adds the addresses that are known in
    /// this run.
    func addingAddresses(to reference: GIFReference) -> GIFReference {
        guard reference.cachePolicy == .sessionOnly else { return reference }
        var filled = reference
        filled.renditions = known.withLock { $0.renditions[reference.key] } ?? []
        return filled
    }
}
