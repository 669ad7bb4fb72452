import Base
import Catalog
import Glibc
import Pixels
import TestServer
import Testing

@testable import Application

@Suite("Configuration file") struct ConfigurationFileTests {
    private func read(_ text: String, mode: UInt32 = 0o600) throws -> Settings {
        try ConfigurationFolder(text, mode: mode).withEnvironment { try Settings(environment: $0) }
    }

    /// Returns the error of a configuration file with this text, and the path of the file.
    private func failure(_ text: String, mode: UInt32 = 0o600) throws -> (error: CommandError?, path: String) {
        let folder = try ConfigurationFolder(text, mode: mode)
        do {
            _ = try folder.withEnvironment { try Settings(environment: $0) }
        } catch {
            return (error as? CommandError, folder.path)
        }
        return (nil, folder.path)
    }

    @Test("Without a file or with an empty file, all settings have their defaults")
    func missing() throws {
        let missing = ["XDG_CONFIG_HOME": "/nonexistent"]
        for settings in [try Settings(environment: [:]), try Settings(environment: missing), try read("")] {
            #expect(settings.services.preferences == ListingPreferences(targetWidth: 80))
            #expect(settings.services.catalog.order == nil && settings.services.cacheBytes == 512 << 20)
            #expect(settings.playback.switchInterval == 10 * Span.second && settings.playback.colorRule == .auto)
            #expect(settings.playback.player.mode == .half && settings.playback.colors == ColorPreference())
        }
    }

    @Test("A configuration that is not a regular file is an error that names its kind", arguments: ["folder", "FIFO"])
    func irregular(kind: String) throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/gifplay/config.toml"
        try FileSystem.makeDirectory(kind == "folder" ? path : folder.path + "/gifplay")
        #expect(kind == "folder" || mkfifo(path, 0o600) == 0)
        let error = #expect(throws: CommandError.self) {
            try Settings(environment: ["XDG_CONFIG_HOME": folder.path])
        }
        #expect(error?.message == "\(path): is a \(kind), not a regular file" && error?.status == .usage)
    }

    @Test(
        "A configuration that cannot be read is an error that names the cause, not a missing file",
        arguments: [
            ("config.toml", "nowhere", "the link leads nowhere"), ("", "nowhere", "the link leads nowhere"),
            ("config.toml", "config.toml", "Too many levels of symbolic links"),
        ])
    func unreadable(name: String, target: String, cause: String) throws {
        let folder = try TemporaryDirectory()
        if !name.isEmpty { try FileSystem.makeDirectory(folder.path + "/gifplay") }
        #expect(symlink(target, folder.path + "/gifplay" + (name.isEmpty ? "" : "/" + name)) == 0)
        let error = #expect(throws: CommandError.self) {
            try Settings(environment: ["XDG_CONFIG_HOME": folder.path])
        }
        #expect(error?.message == "\(folder.path)/gifplay/config.toml: cannot be read: \(cause)")
        #expect(error?.status == .usage)
    }

    @Test("A configuration of more than 1 MiB is refused")
    func large() throws {
        let (error, path) = try failure(String(repeating: "\n", count: 1 << 20 + 1))
        #expect(error?.message == "\(path): is larger than 1 MiB")
    }

    @Test(
        "An error is reported with the path and the line number, and counts as a usage error",
        arguments: [
            ("\nratng = \"g\"", "line 2: unknown setting 'ratng'; the settings are sources, keys, endpoints"),
            ("rating = \"x\"", "line 1: rating should be g, pg, pg-13 or r, not 'x'"),
            ("[keys]\ncommons = \"a\"", "line 2: source 'commons' has no key; only giphy, klipy have one"),
            ("sources = [\"commons\",\n\"tenor\"]", "line 2: unknown source 'tenor'; the sources are giphy"),
            ("[endpoints]\ntenor = \"https://a.example\"", "line 2: unknown source 'tenor'"),
            ("rating = = 1", "line 1: syntax error: "),
            ("every = \"soon\"", "line 1: every should be a time such as 10s or 2m, not 'soon'"),
            ("cache-size = \"big\"", "line 1: cache-size should be a size such as 512M, not 'big'"),
            ("cache-size = true", "line 1: cache-size should be a number or a string in quotes"),
            ("language = \"english\"", "line 1: language should be two letters such as de, not 'english'"),
            ("color = \"never\"", "line 1: color should be auto or always, not 'never'"),
            (
                "mode = \"x\"",
                "line 1: mode should be half, quadrant, sextant, octant, kitty, iterm2, sixel or auto, not 'x'"
            ),
            ("colors = 512", "line 1: colors should be auto, 24bit, 256, 16, 8 or none, not '512'"),
            ("dither = \"bayer\"", "line 1: dither should be ordered or none, not 'bayer'"),
            ("[reddit]\nclient = \"a\"", "line 2: unknown setting 'reddit.client'; [reddit] has communities"),
            ("[reddit]\ncommunities = [\"gifs\",\n\"g/x\"]", "line 3: 'g/x' is not a community name"),
        ])
    func invalid(text: String, message: String) throws {
        let (error, path) = try failure(text)
        let problem = try #require(error)
        #expect(problem.message.hasPrefix("\(path), \(message)"), "\(problem.message)")
        #expect(problem.status == .usage)
    }

    @Test(
        "If only one of two settings that belong together is set, it is refused, and its value is not printed",
        arguments: [
            ("client-id = \"hush\"", "line 2: client-id needs client-secret too; Reddit issues both for an app"),
            ("client-id = \" \"\nclient-secret = \"hush\"", "line 3: client-secret needs client-id too"),
            ("feed = \"hush\"", "line 2: feed needs user too; both are in the URL of your own feed"),
            ("user = \"hush\"", "line 2: user needs feed too"),
        ])
    func pairs(text: String, message: String) throws {
        let error = try #require(try failure("[reddit]\n" + text).error)
        #expect(error.message.contains(message) && !error.message.contains("hush"), "\(error.message)")
    }

    @Test("Two settings that belong together are accepted if both have a value or both are blank")
    func completePairs() throws {
        #expect(try failure("[reddit]\nfeed = \"a\"\nuser = \"b\"").error == nil)
        #expect(try failure("[reddit]\nclient-id = \"\"\nclient-secret = \" \"").error == nil)
    }

    @Test("A file that every user can change is refused")
    func rights() throws {
        #expect(try failure("rating = \"g\"", mode: 0o664).error == nil)
        let (error, path) = try failure("rating = \"g\"", mode: 0o602)
        #expect(error?.message == "\(path): can be changed by every user; run chmod 600 on it")
        #expect(error?.status == .usage)
    }

    @Test("An API key is used even if other users can read the configuration file")
    func readableKey() throws {
        #expect(try read("[keys]\ngiphy = \"a\"", mode: 0o644).services.catalog.keys.keys.sorted() == ["giphy"])
    }
}
