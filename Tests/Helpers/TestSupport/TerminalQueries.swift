/// The queries that gifplay sends to a terminal. They draw nothing.
public enum TerminalQueries {
    public static let all = [
        "\u{1B}]11;?\u{1B}\\", "\u{1B}[?2026$p", "\u{1B}[16t", "\u{1B}[14t", "\u{1B}[?1;3;256S", "\u{1B}[?2;4;0S",
        "\u{1B}[>q", "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\",
        "\u{1B}_Gi=6777190,a=t,q=2,f=24,s=1,v=1;AAAA\u{1B}\\", "\u{1B}_Gi=6777190,a=f,f=24,s=1,v=1;AAAA\u{1B}\\",
        "\u{1B}_Gi=6777190,a=d,d=I,q=2\u{1B}\\", "\u{1B}[6n▀\u{1B}[6n", "\u{1B}[c",
        // What a terminal prints of them is erased.
        "\u{1B}7\u{1B}[?7l", "\u{1B}[?7h\u{1B}8\u{1B}[K",
    ]

    public static func removed(from text: String) -> String {
        all.reduce(text) { text, query in
            text.split(separator: query, omittingEmptySubsequences: false).joined()
        }
    }
}
