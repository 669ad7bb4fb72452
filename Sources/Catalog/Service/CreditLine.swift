/// The parts of a GIF's attribution, for lines that are too narrow for all of it.
public struct CreditLine: Equatable, Sendable {
    /// The title if the attribution contains it, else empty. It is shortened after ``link`` is omitted.
    public var title = ""
    /// The part that the terms require: the service's mark, or author and licence.
    public var credit: String
    /// The address of the page. It is omitted first.
    public var link = ""
}

extension GIFReference {
    public var creditLine: CreditLine {
        var text = attribution[...]
        var line = CreditLine(credit: "")
        if let start = attribution.firstRange(of: " · http") {
            text = attribution[..<start.lowerBound]
            line.link = String(attribution[start.lowerBound...].dropFirst(3))
        }
        if !title.isEmpty, text.contains(title) { line.title = title }
        if let licence {
            line.credit = AttributionFormat.line(nil, author, licence, nil)
        } else {
            if !line.title.isEmpty, text.hasPrefix(title) {
                text = text.dropFirst(title.count).drop { " —·".contains($0) }
            }
            line.credit = String(text)
        }
        return line
    }
}
