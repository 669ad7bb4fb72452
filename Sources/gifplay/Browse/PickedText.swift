import Base
import Catalog
import Gallery

/// The line that a picker prints for the picked GIF.
enum PickedText {
    /// - Parameter path: the path of the GIF's file on this machine; nil if it has none.
    static func line(_ part: PickedPart, of reference: GIFReference, path: String?) -> String {
        switch part {
        case .url: reference.text(copiedBy: .copyAddress) ?? ""
        case .page: reference.text(copiedBy: .copyLink) ?? ""
        case .file: path ?? ""
        case .markdown: markdown(reference)
        }
    }

    /// An image, and the credit that the source requires: author and licence, or the source's own mark.
    private static func markdown(_ reference: GIFReference) -> String {
        let image = "!" + link(reference.title, reference.text(copiedBy: .copyAddress))
        guard reference.path == nil else { return image }
        guard let licence = reference.licence else {
            let credit = reference.creditLine.credit
            return credit.isEmpty ? image : "\(image) \(link(credit, reference.pageURL))"
        }
        let parts = [
            link(reference.title, reference.pageURL), reference.author.map { escaped($0) } ?? "",
            link(licence, reference.licenceURL),
        ]
        return "\(image) \(parts.filter { !$0.isEmpty }.joined(separator: ", "))"
    }

    private static func link(_ text: String, _ address: String?) -> String {
        guard let address else { return escaped(text) }
        // In angle brackets, an address can contain spaces and brackets.
        let target = address.contains { " ()<>\\".contains($0) } ? "<" + escaped(address, "<>\\") + ">" : address
        return "[\(escaped(text))](\(target))"
    }

    private static func escaped(_ text: String, _ special: String = "\\`*_[]<>") -> String {
        SafeText.line(text).map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
