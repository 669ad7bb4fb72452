import Catalog
import Pixels
import Playback

extension GalleryState {
    /// Takes in what happened and says what is to be done, in order.
    public mutating func update(_ event: GalleryEvent, at now: Instant) -> [GalleryEffect] {
        switch event {
        case .opened: [.recall(feed, ticket: 1), .load(feed, page: nil, ticket: 2)]
        case .key(.control("c")): [.quit(signal: 2)]
        case .key(.character("q")): [.quit(signal: nil)]
        default: []
        }
    }
}
