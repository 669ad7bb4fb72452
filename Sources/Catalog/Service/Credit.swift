/// The line that names a work as its licence asks: title, author, licence, place.
enum Credit {
    /// `Title — Author (Licence) · address`, without what is not known.
    static func line(_ title: String?, _ author: String?, _ licence: String?, _ address: String?) -> String {
        let work = [title, author].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " — ")
        let named = [work, licence.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        return [named, address ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
