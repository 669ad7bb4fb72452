import Base
import Catalog
import TestServer
import Testing

@testable import Application

@Suite("Loader settings") struct LoaderSettingsTests {
    private func settings(_ text: String, _ environment: [String: String] = [:]) throws -> LoaderSettings {
        try ConfigurationFolder(text).withEnvironment(environment) { try Settings(environment: $0).services }
    }

    @Test("Without options, environment variables and a configuration file, the defaults apply")
    func defaults() throws {
        let settings = try Settings(environment: [:]).services
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
            sources = ["gifcities", "samples"]
            rating = "pg"
            language = "fr"
            every = "2m"
            cache-size = "1M"
            color = "always"
            """
        func settings(_ arguments: String...) throws -> Settings {
            let options = try ServiceOptions.parse(arguments)
            return try ConfigurationFolder(text).withEnvironment { try Settings(options, environment: $0) }
        }
        let file = try settings()
        #expect(file.services.preferences.rating == .pg && file.services.preferences.language == "fr")
        #expect(file.playback.switchInterval == 120 * Span.second && file.playback.colorRule == .always)
        #expect(file.services.cacheBytes == 1 << 20)
        #expect(file.services.catalog.order == ["gifcities", "samples"])
        let options = try settings("--rating", "r", "--lang", "de").services
        #expect(options.preferences.rating == .r && options.preferences.language == "de")
        #expect(options.cacheBytes == 1 << 20)
    }

    @Test("An API key in the environment overrides the configuration file; a blank variable does not")
    func keys() throws {
        let text = "[keys]\ngiphy = \"FromFile\""
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
        let text = "contact = \"file@example.org\""
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
        #expect(try Settings(environment: environment).services.isOffline == isOffline)
        let option = try ServiceOptions.parse(["--offline"])
        #expect(try Settings(option, environment: environment).services.isOffline)
    }

    @Test("An endpoint in the environment overrides the configuration file; commas separate several addresses")
    func endpoints() throws {
        let text = "[endpoints]\ncommons = \"https://file.example/w/\""
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
        let settings = try settings("[endpoints]\ncommons = \"https://Mirror.example:8443/w\"").reporting(to: notices)
        settings.fetch.onTooManyRequests("other.example")
        #expect(notices.takeUndisplayed().isEmpty)
        settings.fetch.onTooManyRequests("mirror.example")
        #expect(notices.takeUndisplayed() == [.contactRequired])
    }

    @Test("An ignored configuration file has no effect, even if it is invalid; the environment still applies")
    func ignored() throws {
        try ConfigurationFolder("ratng = 1").withEnvironment(["GIPHY_API_KEY": "a"]) { environment in
            #expect(throws: CommandError.self) { try Settings(environment: environment) }
            let settings = try Settings(ignoresFile: true, environment: environment).services
            #expect(settings.preferences.rating == .g && settings.catalog.keys.keys.sorted() == ["giphy"])
        }
    }

    @Test("A certificate file from an option overrides one from the environment")
    func certificates() throws {
        let environment = ["SSL_CERT_FILE": "/a.pem"]
        #expect(try Settings(environment: environment).services.fetch.caFile == "/a.pem")
        let option = try ServiceOptions.parse(["--cacert", "/dev/null"])
        #expect(try Settings(option, environment: environment).services.fetch.caFile == "/dev/null")
    }

    @Test("The size limit also applies when one of the files of a GIF is chosen")
    func maximumBytes() throws {
        var settings = try Settings(environment: [:]).services
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
