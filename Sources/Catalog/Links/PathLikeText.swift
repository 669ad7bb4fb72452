/// Finds what looks like a path in a text that is otherwise a query.
enum PathLikeText {
    /// The endings of other files, which nobody means for a search. Endings that are words, such as `js` and `go`, are
    /// missing.
    static let fileEndings = QueryWords.set(
        """
        7z apk avi bak bash bat bmp bz2 cfg cmd conf cpp crt css csv db deb dll dmg doc docx eml env exe flac gz hpp
        htm html ico ics ini ipynb iso java json jsx kdbx key kt lock log mkv mp3 msg odp ods odt ogg old p12 part pdf
        pem php ppt pptx ps1 psd pub py rar rb rpm rst rtf sh sql sqlite svg swift tar tex tgz tif tiff tmp toml ts
        tsv tsx txt vcf wav xls xlsx xml xz yaml yml zip zsh zst md rs age asc crdownload dat
        diff dump enc epub gpg img jar orig ovpn patch pfx pyc rej srt swp torrent
        """)

    /// Folders with names as short as the parts of `and/or`.
    private static let shortFolders: Set = [
        "bin", "dev", "etc", "lib", "mnt", "opt", "src", "sys", "tmp", "usr", "var",
    ]

    /// Returns the first word that looks like the path or the name of a file, such as `/home/me/x` or `main.py:10` in
    /// a message that was pasted. No service must get it. Parts of up to three characters, as in `and/or`, are no path.
    static func word(in text: Substring) -> Substring? {
        let words = text.split { $0.isWhitespace || "\"'“”‘’«»„`()[]{}<>=|,;".contains($0) }
        return words.first { word in
            if TypedAddress.isChatCommand(word) { return false }
            if word.contains(where: { "/\\".contains($0) }) {
                let parts = word.split { "/\\".contains($0) }
                let isLong = { (part: Substring) in part.count > 3 && part.contains { $0.isLetter } }
                return word.contains("~/") || parts.contains { isLong($0) || shortFolders.contains(String($0)) }
            }
            // Compilers write `main.c:10`.
            let place = word.split(separator: ":").prefix(2)
            if place.count == 2, place[0].contains("."), place[0].last?.isLetter == true,
                place[1].allSatisfy(\.isNumber)
            {
                return true
            }
            // In `**main.py**`, `host:report.pdf` and `report.pdf.gpg`, each part behind a dot is compared.
            return word.split { "?#:~&*".contains($0) }.contains { name in
                let parts = name.split(separator: ".", omittingEmptySubsequences: false)
                return parts.dropFirst().contains { part in
                    let ending = part.prefix { $0.isLetter || $0.isNumber }.lowercased()
                    return fileEndings.contains(ending)
                        || parts[0].contains(where: \.isLetter) && TypedAddress.hasMediaEnding("x." + ending)
                }
            }
        }
    }
}
