import Base
import Catalog

/// Shows random GIFs while there is no input.
struct Screensaver: Equatable, Sendable {
    private enum Phase: Equatable, Sendable {
        /// The screensaver cannot start, for example because the search field is not empty or the full view is open.
        case off
        case due(at: Instant)
        /// A random GIF was requested and has not arrived yet. `shown` is the previous one, which keeps playing.
        case loading(ticket: Int, shown: GIFReference?)
        case showing(GIFReference, until: Instant)
    }

    private var phase = Phase.off
    /// Random GIFs that arrived after the screensaver had stopped. They are shown first when it starts again.
    private var unshown: [GIFReference] = []

    /// Nil if the screensaver is not playing.
    var shown: GIFReference? {
        switch phase {
        case .off, .due: nil
        case .loading(_, let shown): shown
        case .showing(let reference, _): reference
        }
    }

    var deadline: Instant? {
        switch phase {
        case .off, .loading: nil
        case .due(let moment), .showing(_, let moment): moment
        }
    }

    /// Schedules the start at `moment`, unless the screensaver is already scheduled or playing.
    mutating func schedule(at moment: Instant) { if phase == .off { phase = .due(at: moment) } }

    mutating func stop() -> [GalleryEffect] {
        defer { phase = .off }
        guard case .loading(let ticket, _) = phase else { return [] }
        return [.cancel(ticket: ticket)]
    }

    /// Shows the next random GIF until `end` if it is due and has arrived, or else requests one.
    mutating func update(at now: Instant, until end: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        guard let deadline, deadline <= now else { return [] }
        if !unshown.isEmpty {
            phase = .showing(unshown.removeFirst(), until: end)
            return []
        }
        let ticket = tickets.next()
        phase = .loading(ticket: ticket, shown: shown)
        return [.loadRandom(ticket: ticket)]
    }

    /// Goes on to the next GIF at once. The present one keeps playing until that has arrived.
    mutating func skip(at now: Instant, _ tickets: inout Tickets) -> [GalleryEffect] {
        guard case .showing(let reference, _) = phase else { return [] }
        phase = .showing(reference, until: now)
        return update(at: now, until: now, &tickets)
    }

    /// Shows the requested GIF until `end`. If the request failed, schedules the next request for `end`. Until then,
    /// the previous GIF keeps playing, if there is one.
    mutating func receive(_ result: Result<GIFReference, CatalogError>, ticket: Int, until end: Instant) {
        guard case .loading(ticket, let shown) = phase else {
            if case .success(let reference) = result { unshown.append(reference) }
            return
        }
        switch result {
        case .success(let reference): phase = .showing(reference, until: end)
        case .failure: phase = shown.map { .showing($0, until: end) } ?? .due(at: end)
        }
    }
}
