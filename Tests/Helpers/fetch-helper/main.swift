// A helper process for the tests of fetching and of the media cache. The tests kill this process, limit the size of its
// files, or set its environment. The process prints a line when it has reached the state that the test waits for.

import Base
import CSpawn
import Catalog
import Glibc

func printLine(_ line: String) {
    print(line)
    fflush(nil)
}

/// Returns content that depends on `number` and is long enough for an interruption in the middle.
func content(_ number: Int) -> [UInt8] {
    Array("GIF89a".utf8) + (0..<20_000 + number).map { UInt8(truncatingIfNeeded: $0 &* (number + 7)) }
}

/// Stores a complete cache entry.
func store(_ content: [UInt8], for url: String, in cache: MediaCache) throws(Failure) {
    let writer = try cache.writer(for: url)
    let result = content.withUnsafeBytes { bytes in
        Result { () throws(Failure) in try writer.append(bytes) }
    }
    try result.get()
    try writer.commit()
}

/// fill DIRECTORY COUNT: stores COUNT entries. Every process with this command stores the same entries.
func fill(_ directory: String, count: Int) throws {
    let cache = try MediaCache(directory: directory)
    for number in 0..<count { try store(content(number), for: "http://example.org/\(number)", in: cache) }
    printLine("filled")
}

/// begin DIRECTORY URL: begins a cache entry, does not commit it, and waits until the process is killed.
func begin(_ directory: String, _ url: String) throws {
    let cache = try MediaCache(directory: directory)
    let writer = try cache.writer(for: url)
    try content(1).withUnsafeBytes { try writer.append($0) }
    printLine("begun")
    while true { pause() }
}

/// store-limited DIRECTORY URL BYTES: tries to store an entry with a file size limit of BYTES.
func storeLimited(_ directory: String, _ url: String, bytes: Int) throws {
    signal(SIGXFSZ, SIG_IGN)
    limit_files(0, bytes)
    let cache = try MediaCache(directory: directory)
    do throws(Failure) {
        try store(content(1), for: url, in: cache)
        printLine("stored")
    } catch {
        printLine("\(error)")
    }
}

/// get URL [LIBRARY]: sends one request with the proxy and certificate variables of this process. LIBRARY is the
/// libcurl to load instead of the system's.
func get(_ url: String, library: String?) async {
    let names = ["http_proxy", "https_proxy", "no_proxy", "CURL_CA_BUNDLE"]
    let environment = Dictionary(
        uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } })
    var options = FetchOptions(userAgent: "fetch-helper/1", environment: environment)
    options.retry = .never
    options.library = library
    let client = CurlHTTPClient(options)
    do throws(Failure) {
        let response = try await client.get(HTTPRequest(url: url))
        printLine("\(response.status) \(String(decoding: response.body, as: UTF8.self))")
    } catch {
        printLine("\(error)")
    }
    client.close()
}

let arguments = CommandLine.arguments
switch arguments.count > 2 ? arguments[1] : "" {
case "fill": try fill(arguments[2], count: Int(arguments[3]) ?? 0)
case "begin": try begin(arguments[2], arguments[3])
case "store-limited": try storeLimited(arguments[2], arguments[3], bytes: Int(arguments[4]) ?? 0)
case "get": await get(arguments[2], library: arguments.count > 3 ? arguments[3] : nil)
default: printLine("unknown command")
}
