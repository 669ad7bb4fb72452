import Application
import ArgumentParser
import Catalog
import Fetching

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Show the size of the media cache, or empty it")

    @Flag(help: "Delete all cached files")
    var clear = false

    func run() throws {
        let settings = try Settings().services
        guard let directory = settings.cacheDirectory else {
            throw CommandError("no folder for the cache: neither XDG_CACHE_HOME nor HOME is set")
        }
        do throws(FetchError) {
            let cache = try MediaCache(existing: directory, limit: settings.cacheBytes)
            let before = try cache?.statistics()
            let held = "\(counted(before?.entries ?? 0, "file")), \(ByteSize.file(before?.bytes ?? 0))"
            guard clear else { return printLine("\(directory): \(held) of \(ByteSize.limit(settings.cacheBytes))") }
            try cache?.clear()
            printLine("\(directory): \(held) removed")
        } catch {
            throw CommandError("\(directory): \(ErrorMessages.describe(error))")
        }
    }
}
