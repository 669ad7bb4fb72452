import Catalog
import Glibc
import Sharing

/// No file of this process may have more bytes; a write beyond fails.
func limitFiles(toBytes bytes: rlim_t) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

// save FOLDER TITLE COUNT [LIMIT]: saves that many bytes as a GIF and prints its path, or why not.
let words = CommandLine.arguments
if words.count >= 5, words[1] == "save", let count = Int(words[4]) {
    if words.count > 5, let limit = rlim_t(words[5]) { limitFiles(toBytes: limit) }
    do throws(SharingError) {
        let bytes = [UInt8](repeating: 7, count: count)
        print(try SavedFile.write(bytes, title: words[3], key: GIFKey(provider: "test", id: "1"), in: words[2]))
    } catch {
        print(error)
    }
} else {
    print("usage: share-helper save FOLDER TITLE COUNT [LIMIT]")
}
