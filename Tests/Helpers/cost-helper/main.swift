// Runs each parser of outside bytes on each of its patterns at two lengths, the second eight times the first. A test runs
// this program under callgrind, which counts the instructions of each run of a parser separately. For each
// pattern, the program prints the name of the parser and the pattern. With `fetch URL`, it fetches a GIF instead; with
// `list`, it only prints the names of the parsers.

import Base
import CCallgrind
import Glibc

/// Repeats the text up to `count` bytes.
func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: max(1, count / max(1, text.utf8.count)))
}

/// fetch URL: fetches a GIF as a result of a service, and waits until it is known to be animated and is complete.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "fetch" {
    exit(fetch(CommandLine.arguments[2]) ? 0 : 1)
}

if CommandLine.arguments.dropFirst() == ["list"] {
    for parser in textParsers + byteParsers { print(parser.name) }
    exit(0)
}

let length = CommandLine.arguments.dropFirst().first.flatMap { Int(outside: $0, in: 1...1 << 30) } ?? 1_500
for parser in textParsers + byteParsers {
    for pattern in parser.patterns {
        let (short, long) = (parser.input(pattern, length), parser.input(pattern, 8 * length))
        // The first call includes work that happens once per process.
        parser.run(short)
        for input in [short, long] {
            callgrind_zero()
            parser.run(input)
            callgrind_dump()
        }
        print("\(parser.name)\t\(String(decoding: pattern.utf8.prefix(40), as: UTF8.self).debugDescription)")
    }
}
fflush(nil)
