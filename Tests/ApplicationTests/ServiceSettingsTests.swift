import Base
import Catalog
import TestServer
import Testing

@testable import Application

@Suite("Settings of services") struct ServiceSettingsTests {
    private func settings(_ text: String, _ environment: [String: String] = [:]) throws -> Settings {
        try ConfigurationFolder(text).withEnvironment(environment) { try Settings(environment: $0) }
    }

    @Test("Without options, environment variables and a configuration file, the defaults apply")
    func defaults() throws {
        let settings = try Settings(environment: [:])
        #expect(settings.preferences == ListingPreferences(rating: .g, language: "en", targetWidth: 80))
        #expect(settings.renditions == RenditionChoice(width: 80, height: 48, maximumBytes: 64 << 20))
        #expect(settings.cacheBytes == 512 << 20)
        #expect(settings.cacheDirectory == nil)
        #expect(settings.source == nil && !settings.isOffline && settings.contact == nil)
        #expect(settings.catalog.keys.isEmpty && settings.catalog.endpoints.isEmpty && settings.catalog.order == nil)
    }

    @Test("The configuration file changes the defaults, and options override the file")
    func precedence() throws {
        let text = """
            --sources gifcities,samples
            --rating pg
            --lang fr
            --every 2m
            --cache-size=1M
            --color always
            """
        func settings(_ arguments: String...) throws -> Settings {
            let invocation = try Invocation(arguments)
            return try ConfigurationFolder(text).withEnvironment { try Settings(invocation, environment: $0) }
        }
        let file = try settings()
        #expect(file.preferences.rating == .pg && file.preferences.language == "fr")
        #expect(file.switchInterval == 120 * Span.second && file.colorRule == .always)
        #expect(file.cacheBytes == 1 << 20)
        #expect(file.catalog.order == ["gifcities", "samples"])
        let options = try settings("--rating", "r", "--lang", "de")
        #expect(options.preferences.rating == .r && options.preferences.language == "de")
        #expect(options.cacheBytes == 1 << 20)
    }

    @Test("An API key in the environment overrides the configuration file; a blank variable does not")
    func keys() throws {
        let text = "--key giphy=FromFile"
        func redacted(_ environment: [String: String]) throws -> String {
            try settings(text, environment).catalog.redactor("FromFile FromShell")
        }
        #expect(try redacted([:]) == "(key) FromShell")
        #expect(try redacted(["GIPHY_API_KEY": ""]) == "(key) FromShell")
        #expect(try redacted(["GIPHY_API_KEY": "FromShell"]) == "FromFile (key)")
        #expect(try settings(text, ["KLIPY_API_KEY": "a"]).catalog.keys.keys.sorted() == ["giphy", "klipy"])
    }

    @Test("A contact in the environment overrides the configuration file, and is a part of the user agent")
    func contact() throws {
        let text = "--contact file@example.org"
        #expect(try settings(text).fetch.userAgent.hasSuffix("(file@example.org)"))
        let shell = try settings(text, ["GIFPLAY_CONTACT": "shell@example.org"])
        #expect(shell.fetch.userAgent.hasSuffix("(shell@example.org)") && shell.contact != nil)
        #expect(try settings("", ["GIFPLAY_CONTACT": ""]).contact == nil)
    }

    @Test(
        "GIFPLAY_OFFLINE turns the network off, unless it is empty or 0",
        arguments: [("1", true), ("yes", true), ("0", false), ("", false)])
    func offline(value: String, isOffline: Bool) throws {
        let environment = ["GIFPLAY_OFFLINE": value]
        #expect(try Settings(environment: environment).isOffline == isOffline)
        let option = try Invocation(["--offline"])
        #expect(try Settings(option, environment: environment).isOffline)
    }

    @Test("An endpoint in the environment overrides the configuration file; commas separate several addresses")
    func endpoints() throws {
        let text = "--endpoint commons=https://file.example/w/"
        let file = try settings(text).catalog.endpoints["commons"]
        #expect(file == ServiceEndpoint(base: "https://file.example/w", others: nil))
        let environment = ["GIFPLAY_ENDPOINT_COMMONS": "https://a.example/,https://b.example,https://c.example"]
        let shell = try settings(text, environment).catalog.endpoints["commons"]
        let others = ["https://b.example", "https://c.example"]
        #expect(shell == ServiceEndpoint(base: "https://a.example", others: others))
        #expect(try settings(text, ["GIFPLAY_ENDPOINT_COMMONS": ""]).catalog.endpoints["commons"] == file)
    }

    @Test("If a mirror of Commons reports too many requests, the user receives the same notice as for Wikimedia")
    func mirror() throws {
        let notices = Notices()
        let settings = try settings("--endpoint commons=https://Mirror.example:8443/w").reporting(to: notices)
        settings.fetch.onTooManyRequests("other.example")
        #expect(notices.takeUndisplayed().isEmpty)
        settings.fetch.onTooManyRequests("mirror.example")
        #expect(notices.takeUndisplayed() == [.contactRequired])
    }

    @Test("An ignored configuration file has no effect, even if it is invalid; the environment still applies")
    func ignored() throws {
        try ConfigurationFolder("--ratng 1").withEnvironment(["GIPHY_API_KEY": "a"]) { environment in
            #expect(throws: Failure.self) { try Settings(environment: environment) }
            let settings = try Settings(ignoresFiles: true, environment: environment)
            #expect(settings.preferences.rating == .g && settings.catalog.keys.keys.sorted() == ["giphy"])
        }
    }

    @Test("A certificate file from an option overrides one from the environment")
    func certificates() throws {
        let environment = ["SSL_CERT_FILE": "/a.pem"]
        #expect(try Settings(environment: environment).fetch.caFile == "/a.pem")
        let both = ["SSL_CERT_FILE": "/a.pem", "CURL_CA_BUNDLE": "/b.pem"]
        #expect(try Settings(environment: both).fetch.caFile == "/b.pem")
        #expect(try Settings(environment: ["CURL_CA_BUNDLE": ""]).fetch.caFile == nil)
        let option = try Invocation(["--cacert", "/dev/null"])
        #expect(try Settings(option, environment: environment).fetch.caFile == "/dev/null")
    }

    @Test("The environment overrides a certificate file of the configuration, and an option overrides both")
    func certificateOrder() throws {
        let text = "--cacert /dev/zero"
        #expect(try settings(text).fetch.caFile == "/dev/zero")
        #expect(try settings(text, ["SSL_CERT_FILE": "/a", "CURL_CA_BUNDLE": "/b.pem"]).fetch.caFile == "/b.pem")
    }

    @Test("A setting that the command does not take has no effect there, but a wrong value is an error")
    func otherCommands() throws {
        let invocation = try Invocation(["record", "-o", "a.svg"])
        let folder = try ConfigurationFolder("--mode kitty\n--every 1s\n--speed 2\n--no-upscale\n--loop 3")
        let playback = try folder.withEnvironment { try Settings(invocation, environment: $0) }
        #expect(playback.player.drawing.graphics == .off && playback.switchInterval == 10 * Span.second)
        #expect(playback.player.speed == .factor(2) && !playback.player.fit.enlarges && playback.player.loops == .file)
        #expect(throws: Failure.self) {
            try ConfigurationFolder("--mode x").withEnvironment { try Settings(invocation, environment: $0) }
        }
    }

    @Test("The system's configuration is read before the user's, whose settings override it")
    func system() throws {
        let system = try ConfigurationFolder("--rating r\n--lang fr")
        let lines = try ConfigurationFolder("--rating pg").withEnvironment { environment in
            try ConfigurationFile.settings(systemPath: system.path, environment: environment) { _ in }.map(\.line)
        }
        #expect(lines == ["--rating r", "--lang fr", "--rating pg"])
        #expect(try ConfigurationFile.settings(systemPath: system.path, environment: [:], apply: { _ in }).count == 2)
    }

    @Test("The size limit also applies when one of the files of a GIF is chosen")
    func maximumBytes() throws {
        var settings = try Settings(environment: [:])
        settings.renditions.maximumBytes = 1_000
        settings.setPictureSize(width: 30, height: 20)
        #expect(settings.renditions == RenditionChoice(width: 30, height: 20, maximumBytes: 1_000))
        #expect(settings.preferences.targetWidth == 30)
    }

    @Test("Services in the configured list come first, in that order; the others follow in the default order")
    func order() {
        let all = GIFSources.profiles.map(\.name)
        #expect(CatalogSettings().profilesInOrder.map(\.name) == all)
        let settings = CatalogSettings(order: ["openverse", "samples", "commons"])
        let rest = all.filter { !["openverse", "commons"].contains($0) }
        #expect(settings.profilesInOrder.map(\.name) == ["openverse", "commons"] + rest)
    }
}

@Suite struct RedditSettingsTests {
    private static let table = """
        --reddit r/Kettles,cups,/r/kettles
        --reddit-feed-user reader
        --key reddit.feed=Hu5h
        --reddit-username me
        """

    /// Returns the settings that result from a configuration file with this text and these environment variables.
    private func settings(_ text: String, _ additions: [String: String] = [:]) throws -> Settings {
        try ConfigurationFolder(text).withEnvironment(additions) { try Settings(environment: $0) }
    }

    @Test("Community names lose their prefix, and duplicates are removed; by default, there are no communities")
    func names() throws {
        let wanted = try settings(Self.table).catalog.reddit
        #expect(wanted.communities == ["kettles", "cups"])
        #expect(wanted.feedUser == "reader" && wanted.username == "me")
        #expect(try settings("").catalog.reddit.communities.isEmpty)
    }

    @Test("The token of the feed is absent from dumps and is redacted from text")
    func secret() throws {
        let settings = try settings(Self.table)
        var dumped = ""
        dump(settings, to: &dumped)
        #expect(dumped.contains("reader") && !dumped.contains("Hu5h"))
        #expect(settings.catalog.redactor("a hu5h b") == "a (key) b")
    }
}
