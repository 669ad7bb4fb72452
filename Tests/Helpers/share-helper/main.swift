import Base
import CSpawn
import Catalog
import Glibc
import Library

// save FOLDER TITLE COUNT [LIMIT]: saves COUNT bytes as a GIF and prints the path of the file or the error. LIMIT is
// the maximum file size in bytes; a write beyond this size fails.
let words = CommandLine.arguments
if words.count >= 5, words[1] == "save", let count = Int(words[4]) {
    if words.count > 5, let limit = Int(words[5]) {
        signal(SIGXFSZ, SIG_IGN)
        limit_files(0, limit)
    }
    do throws(Failure) {
        let bytes = [UInt8](repeating: 7, count: count)
        print(try SavedFile.write(bytes, title: words[3], key: GIFKey(provider: "test", id: "1"), in: words[2]).path)
    } catch {
        print(error)
    }
} else {
    print("usage: share-helper save FOLDER TITLE COUNT [LIMIT]")
}
