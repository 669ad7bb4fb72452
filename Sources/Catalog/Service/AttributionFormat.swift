/// Formats the attribution line that a licence requires. The line contains title, author, licence and address.
enum AttributionFormat {
    /// Returns `Title — Author (Licence) · address`. Omits unknown parts.
    static func line(_ title: String?, _ author: String?, _ licence: String?, _ address: String?) -> String {
        let work = [title, author].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " — ")
        let named = [work, licence.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        return [named, address ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
