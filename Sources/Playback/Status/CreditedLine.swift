extension TerminalText {
    /// A title narrower than this says nothing.
    private static let narrowestTitle = 4
    /// The same for a detail.
    private static let narrowestDetail = 8

    /// Title, credit and detail in `room` cells. Too wide, the detail is shortened first and then left out, and after
    /// it the title; the credit stays as long as it fits alone.
    public static func credited(
        _ title: String, _ credit: String, _ detail: String, room: Int, separator: String = " · "
    ) -> String {
        var line = ""
        let titleRoom = credit.isEmpty ? room : room - width(credit) - width(separator)
        if !title.isEmpty, titleRoom >= min(narrowestTitle, width(title)) || credit.isEmpty {
            line = fitted(title, to: titleRoom) + (credit.isEmpty ? "" : separator)
        }
        line += fitted(credit, to: max(0, room - width(line)))
        let gap = line.isEmpty ? "" : " · "
        let detailRoom = room - width(line) - gap.count
        if !detail.isEmpty, detailRoom >= min(narrowestDetail, width(detail)) {
            line += gap + fitted(detail, to: detailRoom)
        }
        return line
    }
}
