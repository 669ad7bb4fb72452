import Foundation
import TestServer

/// A loopback proxy that impersonates the services under their real host names. The first service, Wikimedia Commons,
/// fails.
///
/// Requests are plain HTTP, so that the proxy sees them completely. The proxy never responds to CONNECT.
final class FaultyNetwork: Sendable {
    /// The failure of the first service.
    enum Fault: String, CaseIterable, Sendable {
        case forbidden = "403"
        case missing = "404"
        case limitedFor = "429, Retry-After: 30"
        case limited = "429"
        case serverError = "500"
        case silentBeforeConnect = "hang before connect"
        case silentAfterConnect = "hang after connect"
        case html = "HTML"
        case mp4 = "MP4"
        case stills = "stills only"
        case cut = "cut body"
        case emptyList = "empty list"
        case poorHit = "a single poor hit"
        case none

        /// The requests that this fault can affect: the result listing, the media files, or both.
        var affectedRequests: [RequestKind] {
            switch self {
            case .emptyList, .poorHit: [.listing]
            case .mp4, .stills: [.media]
            case .none: []
            default: [.listing, .media]
            }
        }
    }

    enum RequestKind: String, Sendable {
        case listing
        case media
    }

    private let server: RawServer

    /// Received requests as `GET http://host/path`, without query strings, in order of arrival.
    var requests: [String] {
        server.requests.compactMap { $0.components(separatedBy: "\r\n").first }.map { line in
            line.split(separator: " ").prefix(2).joined(separator: " ").components(separatedBy: "?")[0]
        }
    }

    /// - Parameter isBroken: receives a URL that `fault` does not affect. If this function returns true, the proxy
    ///   responds with status 403.
    init(_ fault: Fault, _ kind: RequestKind?, isBroken: @escaping @Sendable (String) -> Bool = { _ in false }) throws {
        let responses = try ServiceResponses(fault: fault, kind: kind)
        server = try RawServer { connection, _ in
            while true {
                let head = connection.readHead()
                let words = head.split(separator: " ")
                guard words.count > 1 else { return }
                guard words[0] != "CONNECT", let url = URLComponents(string: String(words[1])) else {
                    return connection.waitForHangUp()
                }
                let isFirst = url.host?.hasSuffix("wikimedia.org") == true
                let present: RequestKind = url.host == "commons.wikimedia.org" ? .listing : .media
                if isFirst, present == kind {
                    guard responses.fail(connection) else { return }
                } else if isBroken(String(words[1])) {
                    connection.respond("no".utf8, status: 403)
                } else {
                    responses.respond(to: connection, host: url.host ?? "")
                }
            }
        }
    }

    /// Returns an environment that routes all requests through the proxy.
    func environment(_ additions: [String: String] = [:]) -> [String: String] {
        let secure = ["GIFPLAY_OFFLINE": "0", "http_proxy": server.base, "https_proxy": server.base]
        let plain = [
            "COMMONS": "http://commons.wikimedia.org", "OPENVERSE": "http://api.openverse.org",
            "GIFCITIES": "http://gifcities.archive.org,http://blob.gifcities.org/gifcities,"
                + "http://web.archive.org/web,http://gifcities.org",
        ]
        return plain.reduce(into: secure) { $0["GIFPLAY_ENDPOINT_\($1.key)"] = $1.value }.merging(additions) { $1 }
    }

    /// Returns the variables of ``environment(_:)``, but with an https URL for the first service. The proxy never opens
    /// the tunnel that TLS needs.
    func silentEnvironment(_ additions: [String: String] = [:]) -> [String: String] {
        environment(["GIFPLAY_ENDPOINT_COMMONS": "https://commons.wikimedia.org"]).merging(additions) { $1 }
    }
}

/// The responses of the services, including the failures of the first one.
private struct ServiceResponses: Sendable {
    let fault: FaultyNetwork.Fault
    let kind: FaultyNetwork.RequestKind?
    private let gif: [UInt8]
    /// The response of Wikimedia Commons to a query.
    private let listing: [UInt8]
    private static let html = Array("<!DOCTYPE html><html><body>Nothing to see</body></html>".utf8)

    init(fault: FaultyNetwork.Fault, kind: FaultyNetwork.RequestKind?) throws {
        self.fault = fault
        self.kind = kind
        gif = try FakeSite.Reply.gif("campfire").body
        listing = try Self.listing(fault)
    }

    /// Sends the faulty response of the first service.
    ///
    /// - Returns: whether the connection stays open.
    func fail(_ connection: RawConnection) -> Bool {
        let whole = kind == .listing ? listing : gif
        switch fault {
        case .forbidden: connection.respond("Forbidden".utf8, status: 403)
        case .missing: connection.respond("Not found".utf8, status: 404)
        case .limitedFor: connection.respond("Slow down".utf8, status: 429, headers: "Retry-After: 30\r\n")
        case .limited: connection.respond("Slow down".utf8, status: 429)
        case .serverError: connection.respond(Self.html, status: 500)
        case .silentBeforeConnect, .silentAfterConnect:
            connection.waitForHangUp()
            return false
        case .html: connection.respond(Self.html, headers: "Content-Type: text/html\r\n")
        case .mp4:
            connection.respond([0, 0, 0, 24] + Array("ftypmp42".utf8) + [UInt8](repeating: 0, count: 400))
        case .stills: connection.respond(StillGIF.bytes)
        case .cut:
            // The first 900 bytes of a media file end within its first frame.
            connection.respond(whole.prefix(900), length: whole.count)
            return false
        case .emptyList, .poorHit, .none: connection.respond(listing)
        }
        return true
    }

    func respond(to connection: RawConnection, host: String) {
        switch host {
        case "commons.wikimedia.org": connection.respond(listing)
        case "gifcities.archive.org": connection.respond(Self.gifCities)
        case "api.openverse.org": connection.respond(Self.openverse)
        default: connection.respond(gif, headers: "Content-Type: image/gif\r\n")
        }
    }

    private static func listing(_ fault: FaultyNetwork.Fault) throws -> [UInt8] {
        if fault == .emptyList { return try CommonsFile.listing([]).body }
        let titles =
            fault == .poorHit
            ? ["Map of cat distribution in Europe"] : (1...20).map { "Dancing cat at Commons \($0)" }
        // For https URLs, libcurl sends CONNECT. The proxy does not respond, so libcurl hangs before it is connected.
        let scheme = fault == .silentBeforeConnect ? "https" : "http"
        let files = titles.enumerated().map { index, title in
            let name = title.replacingOccurrences(of: " ", with: "_")
            return CommonsFile(
                number: index + 1, title: title, url: "\(scheme)://upload.wikimedia.org/\(name).gif",
                thumbnail: "\(scheme)://thumb.wikimedia.org/120px-\(name).gif", bytes: 62544, width: 320, height: 240)
        }
        return try CommonsFile.listing(files).body
    }

    private static let gifCities: [UInt8] = {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let items = (0..<20).map { number in
            let checksum = String((letters + letters)[number..<number + 32])
            return """
                {"url_text":"dancing cat of GeoCities \(number)","checksum":"\(checksum)","width":88,"height":62,
                "gif":"20091020304050/http://www.geocities.com/cat\(number).gif"}
                """
        }
        return Array("[\(items.joined(separator: ","))]".utf8)
    }()

    private static let openverse = Array(
        """
        {"result_count":1,"page_count":1,"page_size":20,"page":1,"results":[{"id":"o1","title":"Dancing cat of Openverse",
        "url":"http://live.staticflickr.com/1.gif","license":"by","license_version":"4.0","width":320,"height":240}]}
        """.utf8)
}
