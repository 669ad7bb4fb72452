import Base

/// The header Content-Disposition (RFC 6266).
package enum ContentDisposition {
    /// The file name without folders, from `filename*` or else from `filename`; nil if there is none.
    package static func fileName(_ header: String) -> String? {
        var names: [String: String] = [:]
        for field in fields(header) {
            guard let equals = field.firstIndex(of: "=") else { continue }
            let name = field[..<equals].filter { !$0.isWhitespace }.lowercased()
            names[name] = names[name] ?? String(field[field.index(after: equals)...])
        }
        // The charset, the language and the encoded name.
        let parts = names["filename*"]?.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false) ?? []
        let encoded = parts.count == 3 ? WebAddress.decodedBytes(parts[2]) : []
        let isLatin = parts.first?.lowercased() == "iso-8859-1"
        let extended =
            isLatin
            ? String(String.UnicodeScalarView(encoded.map { Unicode.Scalar($0) }))
            : String(decoding: encoded, as: UTF8.self)
        let name = extended.isEmpty ? names["filename"] ?? "" : extended
        let last = SafeText.line(String(name.split { "/\\".contains($0) }.last ?? ""))
        return last.isEmpty ? nil : last
    }

    /// The parts between semicolons, without quotes. A semicolon in quotes separates nothing.
    private static func fields(_ header: String) -> [String] {
        var (fields, isQuoted, isEscaped) = ([""], false, false)
        for character in header {
            switch character {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted:
                isEscaped = true
                continue
            case "\"":
                isQuoted.toggle()
                continue
            case ";" where !isQuoted:
                fields.append("")
                continue
            default: break
            }
            fields[fields.count - 1].append(character)
        }
        return fields
    }
}
