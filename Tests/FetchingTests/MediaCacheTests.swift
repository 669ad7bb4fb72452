import Base
import Glibc
import TestServer
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(15))) struct MediaCacheTests {
    private let root: TemporaryDirectory
    private var path: String { root.path + "/gifplay/media" }

    init() throws { root = try TemporaryDirectory() }

    private func url(_ number: Int) -> String { "https://example.org/\(number)?key=secret" }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// Sets the time of an entry's last use to `seconds` ago.
    private func age(_ url: String, in cache: MediaCache, seconds: Int) throws {
        let name = try #require(try entryName(url))
        var times = [
            timespec(tv_sec: time(nil) - seconds, tv_nsec: 0), timespec(tv_sec: time(nil) - seconds, tv_nsec: 0),
        ]
        #expect(utimensat(AT_FDCWD, path + "/" + name, &times, 0) == 0)
    }

    /// Returns the file name of a URL's entry. To find the name, stores an entry in a separate temporary cache.
    private func entryName(_ url: String) throws -> String? {
        let other = try TemporaryDirectory()
        try MediaCache(directory: other.path).store([1], for: url)
        return other.names().first
    }

    // MARK: - Storing and reading

    @Test("A cached entry is returned only for its URL")
    func storing() throws {
        let cache = try MediaCache(directory: path)
        #expect(cache.read(url(1)) == nil)
        try cache.store(gif(), for: url(1))
        try cache.store([], for: url(2))
        #expect(cache.read(url(1)) == gif())
        #expect(cache.read(url(2)) == [])
        #expect(cache.read(url(3)) == nil)
        try cache.store(gif(seed: 9), for: url(1))
        #expect(try MediaCache(directory: path).read(url(1)) == gif(seed: 9))
        #expect(try cache.statistics() == .init(entries: 2, bytes: 100_096, limit: 512 << 20))
        try cache.clear()
        #expect(cache.read(url(1)) == nil)
        #expect(root.names(in: "gifplay/media").isEmpty)
    }

    @Test("When a cache is ended, it removes its unfinished entries and refuses new ones")
    func ending() throws {
        let cache = try MediaCache(directory: path)
        try cache.store(gif(), for: url(1))
        let late = try cache.writer(for: url(2))
        try gif().withUnsafeBytes { try late.append($0) }
        #expect(root.names(in: "gifplay/media").count == 2)
        cache.end()
        let name = try #require(try entryName(url(1)))
        #expect(root.names(in: "gifplay/media") == [name])
        #expect(throws: Failure.self) { try late.commit() }
        #expect(throws: Failure.self) { try cache.writer(for: url(3)) }
        #expect(cache.read(url(1)) == gif() && cache.read(url(2)) == nil)
        #expect(root.names(in: "gifplay/media").count == 1)
    }

    @Test("The names of cache files do not contain the URL, and only the user can read the files")
    func privacy() throws {
        let cache = try MediaCache(directory: path)
        try cache.store(gif(), for: url(1))
        let name = try #require(root.names(in: "gifplay/media").first)
        #expect(name.utf8.count == 64 && !name.contains("secret"))
        #expect(mode(path + "/" + name) == 0o600)
        #expect(mode(path) == 0o700 && mode(root.path + "/gifplay") == 0o700)
    }

    @Test("A directory that others can read is made private")
    func directoryMode() throws {
        mkdir(root.path + "/gifplay", 0o755)
        mkdir(path, 0o755)
        _ = try MediaCache(directory: path)
        #expect(mode(path) == 0o700)
    }

    @Test("The cache directory is below XDG_CACHE_HOME if this variable is set, otherwise below HOME")
    func cacheDirectory() {
        #expect(MediaCache.directory(environment: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/gifplay/media")
        #expect(MediaCache.directory(environment: ["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/gifplay/media")
        #expect(MediaCache.directory(environment: ["XDG_CACHE_HOME": ""]) == nil)
    }

    // MARK: - Corrupt and hostile entries

    @Test("An entry with a changed byte is removed and not returned", arguments: [0, 7, 8, 20, 47, 48, 5_000, 100_047])
    func changedByte(position: Int) throws {
        let cache = try MediaCache(directory: path)
        try cache.store(gif(), for: url(1))
        let name = try #require(root.names(in: "gifplay/media").first)
        let file = open(path + "/" + name, O_RDWR)
        var byte: UInt8 = 0
        pread(file, &byte, 1, position)
        byte ^= 0x40
        pwrite(file, &byte, 1, position)
        close(file)
        #expect(cache.read(url(1)) == nil)
        #expect(root.names(in: "gifplay/media").isEmpty)
    }

    @Test("An entry with a changed length is not returned", arguments: [0, 10, 48, 99_999, 200_000])
    func changedLength(length: Int) throws {
        let cache = try MediaCache(directory: path)
        try cache.store(gif(), for: url(1))
        let name = try #require(root.names(in: "gifplay/media").first)
        truncate(path + "/" + name, length)
        #expect(cache.read(url(1)) == nil)
    }

    @Test("A symbolic link in place of an entry is not read and is replaced by the next write")
    func symbolicLink() throws {
        let cache = try MediaCache(directory: path)
        try cache.store(gif(), for: url(1))
        let name = try #require(root.names(in: "gifplay/media").first)
        rename(path + "/" + name, root.path + "/elsewhere")
        symlink(root.path + "/elsewhere", path + "/" + name)
        #expect(cache.read(url(1)) == nil)
        #expect(try cache.statistics().entries == 0)
        // Storing the entry again replaces the link, but does not remove the file that the link pointed to.
        try cache.store(gif(seed: 9), for: url(1))
        #expect(cache.read(url(1)) == gif(seed: 9))
        #expect(root.names().contains("elsewhere"))
    }

    @Test("A cache directory that is a symbolic link is refused")
    func linkedDirectory() throws {
        mkdir(root.path + "/gifplay", 0o700)
        mkdir(root.path + "/elsewhere", 0o700)
        symlink(root.path + "/elsewhere", path)
        #expect(throws: Failure.unsafeCacheDirectory) { try MediaCache(directory: path) }
    }

    @Test("A FIFO in place of an entry does not block reading")
    func fifo() throws {
        let cache = try MediaCache(directory: path)
        let name = try #require(try entryName(url(1)))
        mkfifo(path + "/" + name, 0o600)
        #expect(cache.read(url(1)) == nil)
    }

    // MARK: - Size limit

    @Test("The least recently used entries are evicted, but never the entry that was just written")
    func eviction() throws {
        let cache = try MediaCache(directory: path, limit: 400_000)
        for number in 1...3 {
            try cache.store(gif(), for: url(number))
            try age(url(number), in: cache, seconds: 1_000 - number)
        }
        // Reading the oldest entry makes it the most recently used one.
        #expect(cache.read(url(1)) != nil)
        try cache.store(gif(150_000), for: url(4))
        #expect([1, 2, 3, 4].map { cache.read(url($0)) != nil } == [true, false, true, true])
        try cache.store(gif(399_000), for: url(5))
        #expect([1, 2, 3, 4, 5].map { cache.read(url($0)) != nil } == [false, false, false, false, true])
        #expect(try cache.statistics().bytes <= 400_000)
    }

    @Test("An entry larger than the cache is refused and evicts nothing")
    func oversizedEntry() throws {
        let cache = try MediaCache(directory: path, limit: 150_000)
        try cache.store(gif(), for: url(1))
        #expect(throws: Failure.tooLargeForCache(limit: 150_000)) { try cache.store(gif(150_000), for: url(2)) }
        #expect(cache.read(url(1)) == gif())
        #expect(root.names(in: "gifplay/media").count == 1)
    }

    @Test("An entry that is never committed leaves no file")
    func abandonedEntry() throws {
        let cache = try MediaCache(directory: path)
        do {
            let writer = try cache.writer(for: url(1))
            try gif().withUnsafeBytes { try writer.append($0) }
            #expect(root.names(in: "gifplay/media").count == 1)
        }
        #expect(root.names(in: "gifplay/media").isEmpty)
    }
}
