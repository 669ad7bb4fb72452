import Base
import Catalog
import TestServer
import Testing

@testable import Application

@Suite("Loader settings") struct LoaderSettingsTests {
    private func settings(
        _ text: String, _ environment: [String: String] = [:], rating: Rating? = nil, language: String? = nil
    ) throws -> LoaderSettings {
        try ConfigurationFolder(text).withEnvironment(environment) {
            try LoaderSettings(rating: rating, language: language, size: (80, 48), environment: $0)
        }
    }

    @Test("Without options, environment variables and a configuration file, the defaults apply")
    func defaults() throws {
        let settings = try LoaderSettings(size: (80, 48), environment: [:])
        #expect(settings.preferences == ListingPreferences(rating: .g, language: "en", targetWidth: 80))
        #expect(settings.renditions == RenditionChoice(width: 80, height: 48, maximumBytes: 64 << 20))
        #expect(settings.maximumBytes == 64 << 20)
        #expect(settings.cacheBytes == 512 << 20)
        #expect(settings.cacheDirectory == nil && settings.switchInterval == nil && settings.color == nil)
        #expect(settings.source == nil && !settings.isOffline && !settings.hasContact)
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
        let file = try settings(text)
        #expect(file.preferences.rating == .pg && file.preferences.language == "fr")
        #expect(file.switchInterval == 120 * Span.second)
        #expect(file.cacheBytes == 1 << 20)
        #expect(file.color == .always)
        #expect(file.catalog.order == ["gifcities", "samples"])
        let options = try settings(text, rating: .r, language: "de")
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
        #expect(shell.fetch.userAgent.hasSuffix("(shell@example.org)") && shell.hasContact)
        #expect(try !settings("", ["GIFPLAY_CONTACT": ""]).hasContact)
    }

    @Test(
        "GIFPLAY_OFFLINE turns the network off, unless it is empty or 0",
        arguments: [("1", true), ("yes", true), ("0", false), ("", false)])
    func offline(value: String, isOffline: Bool) throws {
        let environment = ["GIFPLAY_OFFLINE": value]
        #expect(try LoaderSettings(size: (80, 48), environment: environment).isOffline == isOffline)
        #expect(try LoaderSettings(isOffline: true, size: (80, 48), environment: environment).isOffline)
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
            #expect(throws: CommandError.self) { try LoaderSettings(size: (80, 48), environment: environment) }
            let settings = try LoaderSettings(size: (80, 48), configuration: .ignored, environment: environment)
            #expect(settings.preferences.rating == .g && settings.catalog.keys.keys.sorted() == ["giphy"])
        }
    }

    @Test("A certificate file from an option overrides one from the environment")
    func certificates() throws {
        let environment = ["SSL_CERT_FILE": "/a.pem"]
        #expect(try LoaderSettings(size: (80, 48), environment: environment).fetch.caFile == "/a.pem")
        let option = try LoaderSettings(caFile: "/b.pem", size: (80, 48), environment: environment)
        #expect(option.fetch.caFile == "/b.pem")
    }

    @Test("The size limit also applies when one of the files of a GIF is chosen")
    func maximumBytes() throws {
        let settings = try LoaderSettings(size: (80, 48), maximumBytes: 1_000, environment: [:])
        #expect(settings.maximumBytes == 1_000 && settings.renditions.maximumBytes == 1_000)
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
