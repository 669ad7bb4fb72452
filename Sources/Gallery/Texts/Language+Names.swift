import Base
import Catalog

extension Language {
    /// Returns the name of a feed. The feed `trending(source: nil)` is named "Built-in" if all of its items are built-in
    /// samples.
    /// - Parameters:
    ///   - items: the items of the feed.
    ///   - title: returns the display name of a source.
    func name(of feed: Feed, listing items: [GIFReference], title: (String) -> String) -> String {
        switch feed {
        case .trending(nil):
            !items.isEmpty && items.allSatisfy { $0.cachePolicy == .embedded }
                ? self(en: "Built-in", de: "Eingebaut") : self(en: "Trending", de: "Beliebt")
        case .trending(.some(let source)): title(source)
        case .search(let text): self(en: "“\(SafeText.line(text))”", de: "„\(SafeText.line(text))“")
        case .favourites: self(en: "★ Favourites", de: "★ Favoriten")
        case .history: self(en: "History", de: "Verlauf")
        case .community(let name): "r/" + SafeText.line(name)
        }
    }

    var untitled: String { self(en: "untitled", de: "ohne Titel") }
}
