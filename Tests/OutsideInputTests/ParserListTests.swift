import Foundation
import TestServer
import Testing

/// Tests that each file of Sources that takes text apart is in the cost tests.
@Suite(.timeLimit(.minutes(5))) struct ParserListTests {
    private enum Coverage {
        /// The names of the parsers in `cost-helper` that run the code of the file.
        case parsers([String])
        /// Why the cost of the file does not depend on a long text from outside.
        case exempt(String)
    }

    private static let files: [String: Coverage] = [
        "Application/Options/ConfigurationFile.swift": .parsers(["configuration"]),
        "Application/Options/Invocation.swift": .parsers(["arguments"]),
        "Application/Options/Option.swift": .parsers(["arguments"]),
        "Application/Product.swift": .exempt("gifplay's own version"),
        "Library/Library+Listings.swift": .exempt("names of gifplay's own sources"),
        "Application/Session/FailureLog.swift": .parsers(["failures"]),
        "Application/Session/ServiceSession.swift": .parsers(["failures"]),
        "Base/Text/SafeText.swift": .parsers(["title"]),
        "Catalog/CatalogSettings.swift": .exempt("endpoints in the environment of this process, split once"),
        "Catalog/Links/LinkRule.swift": .parsers(["address", "pasted link"]),
        "Catalog/Links/PageScan.swift": .parsers(["page", "feed of a page"]),
        "Catalog/Links/PastedText.swift": .parsers(["pasted text", "pasted link", "pasted words"]),
        "Catalog/Links/CopiedText.swift": .parsers(["pasted text", "pasted path", "pasted link", "pasted words"]),
        "Catalog/Links/TypedAddress.swift": .parsers(["pasted text", "pasted path", "data address"]),
        "Catalog/Samples.swift": .parsers(["query"]),
        "Catalog/Service/Service.swift": .parsers(["refusal"]),
        "Catalog/Services/Commons.swift": .parsers(["Commons", "Commons artist"]),
        "Catalog/Services/Emoji.swift": .parsers(["emoji"]),
        "Catalog/Services/GifCities.swift": .parsers(["GifCities", "GifCities page"]),
        "Catalog/Services/Nekos.swift": .parsers(["nekos"]),
        "Catalog/Services/Openverse.swift": .parsers(["Openverse"]),
        "Catalog/Services/Reddit.swift": .parsers(["Reddit feed"]),
        "Catalog/Text/HTMLText.swift": .parsers(["html", "page", "feed of a page", "Reddit feed"]),
        "Catalog/Text/QueryWords.swift": .parsers(["query", "title"]),
        "Catalog/Text/WebAddress.swift": .parsers(["address", "authority"]),
        "Catalog/Fetching/Cache/MediaStore.swift": .parsers(["headers", "stored response"]),
        "Catalog/Fetching/Download/DownloadState.swift": .parsers(["headers", "file name"]),
        "Catalog/Fetching/FetchOptions.swift": .parsers(["headers", "numbers and hosts"]),
        "Catalog/Fetching/Transport/Transfer.swift": .exempt(
            "one line of a response, which libcurl limits to 100 KiB, split once"),
        "Gallery/State/Listing.swift": .exempt("names of gifplay's own sources"),
        "Gallery/State/SearchInput.swift": .exempt("the search field, which holds 2,000 characters"),
        "Library/Library+Marks.swift": .parsers(["renditions"]),
        "Playback/Status/KeySheet.swift": .exempt("gifplay's own texts"),
        "Playback/Status/TerminalText.swift": .exempt("texts for one line of the screen, of at most 1,000 characters"),
        "Library/Sharing/ExternalProgram.swift": .exempt("the environment of this process, split once"),
        "Library/Sharing/SavedFile.swift": .exempt(
            "titles, which have at most 300 characters, and the user's own XDG file"),
        "Playback/Terminal/Device/SignalDescriptor.swift": .exempt("a line of /proc about a process, split once"),
        "Playback/Terminal/Device/TmuxPane.swift": .parsers(["tmux"]),
        "Playback/Terminal/Input/Key.swift": .parsers(["terminal"]),
        "Playback/Terminal/Input/TerminalQueries.swift": .parsers(["terminal"]),
        "Playback/Terminal/TerminalTraits.swift": .parsers(["terminal"]),
        "Application/Browse/FileGallery.swift": .exempt("paths, which the system limits to 4,096 bytes"),
        "Application/Commands/RecordCommand.swift": .exempt("the ending of a path"),
        "Application/Commands/SmallCommands.swift": .exempt("gifplay's own texts"),
        "Application/Options/Help.swift": .exempt("gifplay's own texts"),
        "Application/Playlist/FollowedPath.swift": .exempt("lines of a list, split once"),
        "Application/Playlist/LocalFiles.swift": .exempt("paths, which the system limits to 4,096 bytes"),
        "Application/Commands/Gifplay.swift": .exempt("an argument of this process, split once"),
        "Application/Playlist/PlaylistResolver.swift": .exempt("splits an argument once; TypedAddress recognises it"),
    ]

    /// The calls with which the code takes texts apart.
    private static let marks = [
        "popFirst()", "firstRange(of", "regexec", "JSONDecoder(", ".split(", ".split {", "firstIndex(of: \"",
        "firstIndex(of: UInt8", "lastIndex(of: \"",
    ]

    private static func parserFiles() throws -> Set<String> {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources").path
        let names = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
        return Set(
            try names.filter { $0.hasSuffix(".swift") }.filter { name in
                let lines = try String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8).split(separator: "\n")
                return lines.contains { line in
                    !line.drop(while: \.isWhitespace).hasPrefix("//") && marks.contains { line.contains($0) }
                }
            })
    }

    @Test("Each file that takes text apart is in the list, and the list names no other file")
    func list() throws {
        let found = try Self.parserFiles()
        let known = Set(Self.files.keys)
        #expect(
            found.subtracting(known).sorted() == [],
            "add a parser to Tests/Helpers/cost-helper, and the file to this list")
        #expect(known.subtracting(found).sorted() == [])
    }

    @Test("Each parser of the list is a parser of 'cost-helper'")
    func parsers() async throws {
        let names = try await onOwnThread {
            let process = try ChildProcess(ChildProcess.product("cost-helper"), ["list"])
            var lines: Set<String> = []
            while case let line = process.readLine(), !line.isEmpty { lines.insert(line) }
            return lines
        }
        for (file, coverage) in Self.files {
            switch coverage {
            case .parsers(let parsers): for parser in parsers { #expect(names.contains(parser), "\(file): \(parser)") }
            case .exempt(let reason): #expect(!reason.isEmpty, "\(file)")
            }
        }
    }
}
