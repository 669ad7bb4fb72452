import Application
import ArgumentParser
import Catalog
import Fetching

/// Shows the size of the media cache, or empties the cache.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Tells what the media cache holds, or empties it.")

    @Flag(help: "Remove everything.")
    var clear = false

    func run() throws {
        let settings = try OnlineSettings(try ServiceOptions.parse([]), size: (80, 48))
        guard let directory = settings.cacheDirectory else {
            throw Complaint("there is no place for the cache: neither XDG_CACHE_HOME nor HOME is set")
        }
        do throws(FetchError) {
            let cache = try MediaCache(directory: directory, limit: settings.cacheBytes)
            let before = try cache.statistics()
            let held = "\(before.entries) files, \(ByteSize.file(before.bytes))"
            guard clear else {
                return say("\(directory): \(held) of \(ByteSize.limit(before.limit))")
            }
            try cache.clear()
            say("\(directory): \(held) removed")
        } catch {
            throw Complaint("\(directory): \(Sentences.describe(error))")
        }
    }
}
