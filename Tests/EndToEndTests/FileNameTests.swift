import Foundation
import TestServer
import TestSupport
import Testing

/// Tests names and kinds of files as people have them: any bytes, pipes, links and folders.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct FileNameTests {
    private let folder: TemporaryFolder

    /// Creates `caf\xE9.gif`, in Latin-1, in the folder `d\xFF`.
    init() throws {
        folder = try TemporaryFolder()
        let made = try shell(#"mkdir "$d" && cp "$g" "$d/$f""#)
        try #require(made.status == 0, "\(made.errors)")
    }

    /// Runs a script with the variables `p` (gifplay), `g` (a GIF), `d` (the folder) and `f` (the name of the file).
    private func shell(_ script: String, _ environment: [String: String] = [:]) throws -> ProgramResult {
        let names = #"d=$(printf 'd\377'); f=$(printf 'caf\351.gif'); "#
        return try run(
            "/bin/bash", ["-c", names + script],
            environment: ["p": Binary.path, "g": Binary.sample("campfire")].merging(environment) { $1 },
            folder: folder.url)
    }

    @Test(
        "A file whose name is not UTF-8 plays as an argument, in a folder, a list, a URL and a pattern, and is recorded",
        arguments: [
            #""$d/$f""#, #""$d""#, #"--file "$d/$f""#, #"--files0 <(printf '%s\0' "$d/$f")"#,
            #""file://$PWD/d%FF/caf%E9.gif""#,
            #"d*/caf*"#, #"d?"#,
        ])
    func plays(arguments: String) throws {
        let expected = try shell(#""$p" --size 8x4 "$g""#)
        let outcome = try shell(#""$p" --size 8x4 "# + arguments)
        #expect(outcome.status == 0 && outcome.output == expected.output && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("Such a file is described, recorded to such a name, listed exactly in a pipe, and named in errors")
    func commands() throws {
        let info = try shell(#""$p" info "$d/$f" "$d/x$f"; "$p" info "$g""#)
        let lines = info.text.split(separator: "\n").map(String.init)
        #expect(lines[0].contains(#""file":"d%FF%2Fcaf%E9.gif","file_encoding":"percent""#), "\(lines[0])")
        let file = #""file":"d%FF%2Fxcaf%E9.gif","file_encoding":"percent"}"#
        #expect(lines[1] == #"{"error":"No such file or directory","# + file)
        #expect(!lines[2].contains("encoding"))
        let record = try shell(
            #""$p" record --size 8x4 "$d/$f" -o "$d/$f.cast" && "$p" record --size 8x4 "$g" -o a.cast"#)
        #expect(record.status == 0, "\(record.errors)")
        #expect(try shell(#"tail -n +2 "$d/$f.cast" | cmp - <(tail -n +2 a.cast)"#).status == 0)
        let plain = try shell(#""$p" browse --plain "$d""#)
        #expect(plain.output == Self.path + [0x0A])
        let missing = try shell(#""$p" "$d/caf$(printf '\350').gif""#)
        #expect(
            missing.status == 1 && missing.errors == "gifplay: d\u{FFFD}/caf\u{FFFD}.gif: No such file or directory\n")
    }

    @Test("Names with a no-break space, a joiner or a control character are printed exactly into a pipe")
    func exactNames() throws {
        let names = ["a\u{A0}b.gif", "👩\u{200D}🚒.gif", "c\u{1B}[31md.gif"]
        for name in names { try folder.write("GIF", to: name) }
        let plain = try runGifplay(["browse", "--plain", folder.url.path])
        #expect(
            Set(plain.text.split(separator: "\n").map { String($0.split(separator: "/").last ?? "") }).isSuperset(
                of: names))
        let terminal = try PseudoTerminal(["browse", "--plain", folder.url.path], columns: 300, until: "d.gif")
        #expect(terminal.count(of: "\u{1B}[31m") == 0)
    }

    @Test(
        "Such a file can be followed, in a folder and in a list, and is shown in the gallery, where 'y' copies its path"
    )
    func screens() throws {
        for script in [#"exec "$p" --follow "$d""#, #"printf '%s\n' "$d/$f" > list; exec "$p" --follow list"#] {
            let terminal = try onTerminal(script)
            try terminal.read(until: "caf\u{FFFD}.gif")
            try terminal.quit()
        }
        let terminal = try onTerminal(#"exec "$p" browse "$d""#)
        // A tile has quadrants; gifplay writes one upper half to measure its width before the gallery is there.
        try terminal.read(until: "▌")
        terminal.send("y")
        let path = Array("\(folder.url.path)/".utf8) + Self.path
        try terminal.read(until: "\u{1B}]52;c;" + Data(path).base64EncodedString())
        try terminal.quit()
    }

    /// The file's path in the folder of the test, in Latin-1.
    private static let path = "d\u{FF}/caf\u{E9}.gif".unicodeScalars.map { UInt8($0.value) }

    private func onTerminal(_ script: String) throws -> PseudoTerminal {
        let names = #"cd "$folder"; d=$(printf 'd\377'); f=$(printf 'caf\351.gif'); "#
        return try PseudoTerminal(
            ["-c", names + script], columns: 90,
            environment: ["folder": folder.url.path, "p": Binary.path, "g": Binary.sample("campfire")],
            path: "/bin/bash")
    }

    @Test(
        "A pipe of the shell and a named pipe play as often as standard input does",
        arguments: [#"<(cat "$g")"#, #"pipe"#, #"- < <(cat "$g")"#])
    func pipes(argument: String) throws {
        let start = argument == "pipe" ? #"mkfifo pipe; cat "$g" > pipe & "# : ""
        let terminal = try onTerminal(start + #"exec "$p" --loop 3 --speed 20 "# + argument)
        #expect(try terminal.finish() == 0 && terminal.count(of: "gifplay:") == 0)
    }

    @Test(
        "A pipe to which the user returns shows its GIF again",
        arguments: ["<(cat 1.gif)", "pipe", "- < <(cat 1.gif)", "- < 1.gif"])
    func returnToPipe(argument: String) throws {
        for number in [1, 2] { try folder.write(ColoredGIF.bytes(UInt8(number)), to: "\(number).gif") }
        let start = argument == "pipe" ? "mkfifo pipe; cat 1.gif > pipe & " : ""
        let terminal = try onTerminal(start + "exec \"$p\" 2.gif " + argument)
        for (key, number) in [("", 2), ("n", 1), ("p", 2), ("n", 1), ("\u{12}", 1)] {
            let count = terminal.count(of: ColoredGIF.sequences[number])
            terminal.send(key)
            try terminal.read("picture \(number)") { $0.count(of: ColoredGIF.sequences[number]) > count }
        }
        try terminal.quit()
    }

    @Test("A pipe of the shell is shown in the gallery, also after its tile has been away")
    func pipeInGallery() throws {
        let terminal = try onTerminal(#"exec "$p" browse <(cat "$g")"#)
        try terminal.read(until: "▀")
        terminal.send("\r")
        try terminal.quit("\u{3}", status: 130)
    }

    @Test("'info' takes URLs, 'data:' and 'file:' URLs, folders and names of built-in GIFs, and names what fails")
    func infoOfAll() throws {
        let gif = try Binary.bytes("campfire")
        let server = try RawServer { connection, _ in
            guard connection.readHead().contains("/a%20b.gif") else { return connection.respond([], status: 404) }
            connection.respond(gif, headers: "Content-Disposition: attachment; filename=\"the fire.gif\"\r\n")
        }
        let online = ["GIFPLAY_OFFLINE": "0"]
        let expected = try object(try runGifplay(["info", Binary.sample("campfire")]).text)
        let data = "data:image/gif;base64," + Data(gif).base64EncodedString()
        let pictures = folder.path("pictures")
        try folder.write(gif, to: "pictures/fire.gif")
        for argument in [server.base + "/a%20b.gif", data, "file://" + pictures + "/fire.gif", pictures, "campfire"] {
            let outcome = try runGifplay(["info", argument], environment: online)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(argument): \(outcome.errors)")
            #expect(try object(outcome.text)["sha256"] as? [String] == expected["sha256"] as? [String])
        }
        let failed = try runGifplay(["info", server.base + "/gone.gif", "no-such-name"], environment: online)
        #expect(failed.status == 1)
        let lines = failed.text.split(separator: "\n").map(String.init)
        #expect(
            lines.count == 2 && lines[0].contains("404, not found") && lines[1].contains("No such file"), "\(lines)")

        // 's' takes the name that the server gives.
        let downloads = folder.path("downloads")
        let environment = online.merging(["XDG_DOWNLOAD_DIR": downloads, "HOME": folder.url.path]) { $1 }
        let terminal = try PseudoTerminal([server.base + "/a%20b.gif"], environment: environment, until: "the fire.gif")
        try terminal.send("s", until: "saved ~/downloads/the fire.gif")
        try terminal.quit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: downloads) == ["the fire.gif"])
    }

    @Test("A URL is no path, even beside a folder whose name is 'http:'")
    func schemeFolder() throws {
        let site = try FakeSite { _, _ in try .gif("campfire") }
        try folder.makeFolder("http:")
        for arguments in [["info"], ["--size", "4x2"], ["browse", "--plain"]] {
            let outcome = try runGifplay(
                arguments + [site.base + "/fire.gif"], environment: ["GIFPLAY_OFFLINE": "0"], folder: folder.url)
            #expect(outcome.status == 0 && !outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
        }
    }

    @Test("'info' obeys the options of the network, names the reason of a failed download, and stores a complete one")
    func infoOfURLs() throws {
        let gif = try Binary.bytes("campfire")
        let server = try RawServer { connection, _ in
            let isCut = connection.readHead().contains("/cut.gif")
            let sent = gif.prefix(isCut ? gif.count / 2 : gif.count)
            connection.respond(sent, headers: "Cache-Control: max-age=600\r\n", length: gif.count)
        }
        let environment = ["GIFPLAY_OFFLINE": "0", "XDG_CACHE_HOME": folder.url.path]
        for number in 0..<10 {
            let url = server.base + "/\(number).gif"
            #expect(try runGifplay(["info", url], environment: environment).status == 0)
            let stored = try runGifplay(["info", "--offline", url], environment: environment)
            #expect(stored.status == 0, "\(number): \(stored.errors)")
        }
        for (arguments, variables) in [(["--offline"], environment), ([], ["GIFPLAY_OFFLINE": "1"])] {
            let refused = try runGifplay(["info"] + arguments + [server.base + "/other.gif"], environment: variables)
            #expect(refused.status == 1 && refused.text.contains("offline"), "\(refused)")
        }
        let cut = try runGifplay(["info", server.base + "/cut.gif"], environment: environment)
        #expect(cut.status == 1 && cut.text.contains("\"error\":\"the download from 127.0.0.1 ended"), "\(cut)")
    }

    @Test("On a terminal, the progress of a download takes one line, which the next text replaces")
    func progressLine() throws {
        let gate = Gate()
        defer { gate.open() }
        let site = try FakeSite { _, _ in
            gate.wait()
            return try .gif("campfire")
        }
        let terminal = try PseudoTerminal(["info", site.base + "/a.gif"], environment: ["GIFPLAY_OFFLINE": "0"])
        try terminal.read(until: "\rgifplay: waiting for 127.0.0.1…\u{1B}[K")
        gate.open()
        #expect(try terminal.finish() == 0)
        let text = terminal.text
        #expect(text.contains("\r\u{1B}[Khttp://127.0.0.1") && !text.contains("…\r\n"), "\(text.debugDescription)")
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("'--sort' orders the files of folders in both commands, and needs a file")
    func sort() throws {
        let sorted = folder.path("sorted")
        for (index, name) in ["frame 1", "frame 10", "frame 2", "Zebra", "banana"].enumerated() {
            try folder.write([UInt8](repeating: 1, count: index + 1), to: "sorted/\(name).gif")
            let date = Date(timeIntervalSince1970: Double(1_000_000 - index))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(sorted)/\(name).gif")
        }
        func order(_ arguments: String...) throws -> [String] {
            try runGifplay(["browse", "--plain", "sorted"] + arguments, folder: folder.url).text.split(separator: "\n")
                .map { String($0.dropFirst(7).dropLast(4)) }
        }
        let natural = ["banana", "frame 1", "frame 2", "frame 10", "Zebra"]
        #expect(try order() == natural && order("--sort", "name") == natural)
        #expect(try order("--sort", "time") == ["frame 1", "frame 10", "frame 2", "Zebra", "banana"])
        #expect(try order("--sort", "size") == ["banana", "Zebra", "frame 2", "frame 10", "frame 1"])
        #expect(try Set(order("--sort", "random")) == Set(natural))
        let played = try runGifplay(["--sort", "size", "sorted"], folder: folder.url)
        #expect(played.errors.split(separator: "\n").first?.contains("banana.gif") == true, "\(played.errors)")
        for command in [["--sort", "size", "some words"], ["browse", "--sort", "size"]] {
            let outcome = try runGifplay(command)
            #expect(outcome.status == 2 && outcome.errors == "gifplay: --sort: no file or folder is named\n")
        }
    }
}
