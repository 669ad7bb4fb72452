import Catalog
import Sharing

// save FOLDER TITLE COUNT: saves that many bytes as a GIF and prints its path, or why not.
let words = CommandLine.arguments
if words.count == 5, words[1] == "save", let count = Int(words[4]) {
    do throws(SharingError) {
        let bytes = [UInt8](repeating: 7, count: count)
        print(try SavedFile.write(bytes, title: words[3], key: GIFKey(provider: "test", id: "1"), in: words[2]))
    } catch {
        print(error)
    }
} else {
    print("usage: share-helper save FOLDER TITLE COUNT")
}
