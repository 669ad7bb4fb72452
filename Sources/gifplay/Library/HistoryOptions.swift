import ArgumentParser

/// The option that limits what the gallery stores.
struct HistoryOptions: ParsableArguments {
    @Flag(help: "Store only favourites and dismissed GIFs")
    var noHistory = false
}
