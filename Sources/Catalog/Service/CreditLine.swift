/// The parts of a GIF's attribution line. Some of them are omitted if the line is too narrow.
public struct CreditLine: Equatable, Sendable {
    /// The title; empty if the attribution does not contain it. If the line is too narrow, ``link`` is omitted first,
    /// and then the title is shortened.
    public var title = ""
    /// The part that the source's terms of use require: the service's attribution mark, or the author and the licence.
    public var credit: String
    /// The address of the page. If the line is too narrow, this part is omitted first.
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
