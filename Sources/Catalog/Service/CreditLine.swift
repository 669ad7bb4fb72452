/// The parts of a GIF's attribution line. A narrow line omits some of them.
public struct CreditLine: Equatable, Sendable {
    /// The title; empty if the attribution does not contain it. A narrow line omits ``link`` first, then shortens the
    /// title.
    public var title = ""
    /// The part that the source's terms of use require: the service's mark, or author and licence.
    public var credit: String
    /// The address of the page. A narrow line omits this part first.
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
