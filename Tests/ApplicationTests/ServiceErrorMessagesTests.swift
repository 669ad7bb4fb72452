import Base
import Catalog
import Glibc
import Testing

@testable import Application

@Suite("Messages for errors of services") struct ServiceErrorMessagesTests {
    @Test(
        "A failed download is described with the host and the reason",
        arguments: [
            (.cancelled, "cancelled"), (.status(404, host: "h"), "h answered 404, not found"),
            (.status(418, host: "h"), "h answered 418"), (.notGIF(.html, host: "h"), "not a GIF (HTML page from h)"),
            (.empty(host: "h"), "h sent no data"),
            (.cut(received: 1_500, expected: 3_000, host: "h"), "the download from h ended after 2 kB of 3 kB"),
            (.cut(received: 900, expected: nil, host: "h"), "the download from h ended after 900 B"),
            (.changed(host: "h"), "the file changed on h during the download"),
            (.cache("write", ENOSPC), "the media cache failed: No space left on device (write)"),
            (
                .unsafeCacheDirectory,
                "the media cache is a symbolic link, is not a folder, or belongs to another user"
            ),
            (.tooLargeForCache(limit: 1 << 20), "larger than the media cache, 1 MiB"),
        ] as [(Failure, String)])
    func downloads(error: Failure, message: String) {
        #expect(error.message == message)
        #expect(error.playedUncached.message == message + "; the GIF was played, but not cached")
    }

    @Test(
        "A request without a response is described with the host, and never with the URL",
        arguments: [
            (.unreachable(host: "h", reason: "no route to host"), "h cannot be reached: no route to host"),
            (
                .unreachable(host: "h", reason: "Received HTTP/0.9 when not allowed"),
                "h sent an invalid response: Received HTTP/0.9 when not allowed"
            ),
            (
                .unreachable(host: "h", reason: "self-signed certificate"),
                "h cannot be reached: self-signed certificate; --cacert FILE names certificates to trust"
            ),
            (.timedOut(host: "h", milliseconds: 8_050), "h timed out after 8.0 s"),
            (.timedOut(host: "h", milliseconds: 250), "h timed out after 0.2 s"),
            (.tooSlow(host: "h", milliseconds: 30_000), "h sent less than 1 kB in 30 s"),
            (.tooLarge(host: "h", limit: 4 << 20), "h sent more than 4 MiB"),
            (
                .tooLarge(host: "h", limit: 4 << 20, hint: "--max-bytes raises the limit"),
                "h sent more than 4 MiB; --max-bytes raises the limit"
            ),
            (.responseRefused(host: "h", reason: "a redirect to ftp"), "h sent a redirect to ftp, which is refused"),
            (.invalidURL, "not a valid http or https URL"), (.cancelled, "cancelled"),
        ] as [(Failure, String)])
    func requests(error: Failure, message: String) {
        #expect(error.message == message)
    }

    @Test(
        "Each reason why a service returns no listing has its own message",
        arguments: [
            (.tooLarge(host: "h", limit: 4 << 20), "h sent more than 4 MiB"),
            (.invalidURL, "not a valid http or https URL"),
            (
                .refused(status: 429, message: "slow down", retryAfterSeconds: 5),
                "HTTP 429, too many requests (“slow down”); retry after 5 s"
            ),
            (.refused(status: 418, message: nil, retryAfterSeconds: nil), "HTTP 418"),
            (.notJSON(status: 200, received: .html), "sent an HTML page instead of results (HTTP 200)"),
            (.notJSON(status: 500, received: .brokenJSON), "sent truncated JSON instead of results (HTTP 500)"),
            (.api(code: "15", message: "bad key", retryAfterSeconds: nil), "reported the error 15 (“bad key”)"),
            (.outage, "reported an outage"),
            (.noKey(variable: "K"), "needs an API key; set K or --key in the configuration"),
            (.keyRefused(variable: "K", message: nil), "the key in K was refused"),
            (.keyRefused(variable: "K", message: "expired"), "the key in K was refused (“expired”)"),
            (.coolingDown(seconds: 9), "failed recently; not queried for another 9 s"),
            (.nothingFound, "no result"), (.notOffered, "does not offer this list of GIFs"),
            (.foreignPage(source: "giphy"), "this page of results is from giphy"),
            (.outOfTime, "not queried: earlier sources took too long"),
            (
                .unknownSource(name: "tenor", known: ["giphy", "samples"]),
                "unknown source 'tenor'; the sources are giphy, samples"
            ),
            (.cancelled, "cancelled"),
        ] as [(Failure, String)])
    func listings(error: Failure, message: String) {
        #expect(error.message == message)
        #expect(error.of("commons").message == "commons: \(message)")
    }

    @Test("If all sources fail, each is named with its reason")
    func exhausted() {
        let failures = [
            Failure.outage.of("giphy"), Failure.nothingFound.of("commons"),
        ]
        #expect(Failure.exhausted(failures).message == "giphy: reported an outage; commons: no result")
    }

    @Test("Notices name the variable or the setting to change")
    func notices() {
        #expect(
            ErrorMessages.describe(Notices.Notice.keyRefused(variable: "GIPHY_API_KEY"))
                == "the key in GIPHY_API_KEY was refused; other sources are used")
        #expect(ErrorMessages.describe(Notices.Notice.contactRequired).contains("--contact"))
    }
}
