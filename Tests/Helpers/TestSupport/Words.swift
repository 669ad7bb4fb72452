/// Returns the words of at least three Latin letters, to compare texts in two languages.
public func words(_ text: String) -> Set<String> {
    Set(text.split { !$0.isLetter || $0 > "\u{2000}" }.filter { $0.count > 2 }.map(String.init))
}
