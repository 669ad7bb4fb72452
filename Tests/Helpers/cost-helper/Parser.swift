/// A parser of outside bytes, and the patterns whose repetition could make its cost grow faster than the input.
struct Parser: Sendable {
    let name: String
    let patterns: [String]
    /// Makes an input of about this number of bytes from a pattern.
    let input: @Sendable (_ pattern: String, _ count: Int) -> [UInt8]
    let run: @Sendable ([UInt8]) -> Void

    /// - Parameter frame: the text before and after the repeated pattern.
    init(
        _ name: String, _ patterns: [String], frame: (start: String, end: String) = ("", ""),
        _ run: @escaping @Sendable (String) -> Void
    ) {
        self.init(
            name, patterns, input: { Array((frame.start + repeated($0, $1) + frame.end).utf8) },
            bytes: { run(String(decoding: $0, as: UTF8.self)) })
    }

    init(
        _ name: String, _ patterns: [String], input: @escaping @Sendable (_ pattern: String, _ count: Int) -> [UInt8],
        bytes run: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.name, self.patterns, self.input, self.run) = (name, patterns, input, run)
    }
}

/// Patterns for texts of services: titles, authors, descriptions.
let titles = [
    "<a", "<!--", "<a href=\"", "<script>", "<script><a ", "</", "&", "&#x41;", "a ", "e\u{301}", "\u{1F1E9}\u{1F1EA}",
    "\u{1F468}\u{200D}", "\u{1B}]", "\u{1B}[1", "\u{9B}", "KeY0", "cat1", "\u{202E}", "\n",
]

/// Patterns for texts that a user pastes.
let pastes = [
    ")", "(", "]", "[", "](", "\").", "\"", "'", "' '", "<>", "<a", "“", "”", "`", "|", ", ", ",a.com/", ". ", "*",
    "\\", "\\u0041",
    "\n", "a.b/\n", " ", "&amp;", "&", "\u{200B}", "https://", "https://a.com/b ", "\"https://a.com/b",
    "<https://a.com/b|",
    "http:", "=a.com/b", "a.com/", "//", "https://a.com/?url=", "%3A%2F%2F", "/a ", "'/a' ", "/a\\ b", "file:///a ",
    "~/", "$ ",
    "^", "=\n", ";a", "&&a", "$'", "$'\\", "\\\n", "(a.gif)", " file:/", "}",
    "\u{1B}]8;;", "a: ", "ttps://", "https://a /b", "https;", "[.]", "gifplay ", "C:\\", "{", ".gif", "é", "猫",
    "data:,",
]

/// Patterns for addresses.
let addresses = [
    "/..", "/a", "?a=b", "&token=b", "@", ":", "%41", "<", "é", ".", "#", "[", "//", "&u=http%3A//b.gif",
    "&u=aHR0cDovL2I", "#http%3A",
]
