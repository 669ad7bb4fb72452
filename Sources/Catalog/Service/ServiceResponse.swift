import Base
import FoundationEssentials

/// A response of a service, with the redactor that removes keys from decoded texts.
package struct ServiceResponse: Sendable {
    package var http: HTTPResponse
    package var redactor: Redactor

    package init(http: HTTPResponse, redactor: Redactor) {
        self.http = http
        self.redactor = redactor
    }

    /// Throws `CatalogError.notJSON` if the body cannot be decoded.
    package func json<Value: Decodable>(_ type: Value.Type) throws(CatalogError) -> Value {
        if let value = Self.decoded(type, http.body, redactor) { return value }
        throw .notJSON(status: http.status, received: received)
    }

    package var received: ReceivedBody {
        let beginning = http.body.prefix(512).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        switch beginning.first {
        case nil: return .nothing
        case UInt8(ascii: "<"): return .html
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return Self.decoded(Lossy<String>.self, http.body, redactor) == nil ? .brokenJSON : .unexpectedJSON
        case UInt8(ascii: "G") where beginning.starts(with: "GIF8".utf8): return .image
        case 0x89, 0xFF: return .image
        default: return .text
        }
    }

    /// In seconds, at most 86,400. Nil if the header is missing or invalid, or if it is 0, which GIPHY sometimes sends.
    ///
    /// A date is compared with the response's Date header, so that a wrong clock on either side has no effect. Without
    /// a Date header, it is compared with the local clock.
    package var retryAfterSeconds: Int? {
        let now = http.headers["date"].flatMap(HTTPDate.unixSeconds) ?? Int(Date().timeIntervalSince1970)
        return RetryAfter.seconds(http.headers["retry-after"], unixSeconds: now).map { min($0, 86_400) }
    }

    func refusal(of profile: ServiceProfile) -> CatalogError {
        let message = message
        if let key = profile.key, http.status == 401 || http.status == 403 {
            return .keyRefused(variable: key.variable, message: message)
        }
        return .refused(status: http.status, message: message, retryAfterSeconds: retryAfterSeconds)
    }

    /// In any of the known formats. If the body is plain text, the message is its first 200 code points.
    package var message: String? {
        if let body = Self.decoded(ServiceErrorBody.self, http.body, redactor) { return body.message }
        guard received == .text else { return nil }
        let line = redactor(SafeText.line(String(decoding: http.body.prefix(2_000), as: UTF8.self)))
        return SafeText.shortened(line, to: 200)
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, _ body: [UInt8], _ redactor: Redactor
    ) -> Value? {
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey.redactor { decoder.userInfo[key] = redactor }
        return try? decoder.decode(type, from: Data(body))
    }
}

/// The members with the message are `meta.msg` or `message` (GIPHY), `errors.message[]` (KLIPY), `error.info` or
/// `errors[].text` (MediaWiki) and `detail` (Openverse).
struct ServiceErrorBody: Decodable {
    var message: String?

    init(from decoder: any Decoder) throws {
        let body = try LenientObject(decoder)
        let nested = ["meta", "errors", "error"].lazy.flatMap { body.list(NamedMembers.self, $0) }.compactMap { inner in
            ["msg", "info", "text"].lazy.compactMap { inner.object.text($0, limit: 200) }.first
                ?? inner.object.texts("message").first
        }
        message =
            body.text("message", limit: 200) ?? body.text("detail", limit: 200) ?? nested.first
            ?? body.text("error", limit: 200)
    }
}
