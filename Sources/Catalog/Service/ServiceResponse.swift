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

    /// The error for a body that is valid JSON, but not a listing.
    package var unexpectedJSON: CatalogError { .notJSON(status: http.status, received: .unexpectedJSON) }

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

    func refusal(of profile: ServiceProfile) -> CatalogError {
        let message = message
        if let key = profile.key, http.status == 401 || http.status == 403 {
            return .keyRefused(variable: key.variable, message: message)
        }
        return .refused(status: http.status, message: message, retryAfterSeconds: http.retryAfterSeconds)
    }

    /// In any of the known formats. If the body is plain text, the message is its first 200 code points.
    package var message: String? {
        if let body = Self.decoded(LenientObject.self, http.body, redactor) { return Self.message(in: body) }
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

    /// The members with the message are `meta.msg` or `message` (GIPHY), `errors.message[]` (KLIPY), `error.info` or
    /// `errors[].text` (MediaWiki) and `detail` (Openverse).
    private static func message(in body: LenientObject) -> String? {
        let nested = ["meta", "errors", "error"].lazy.flatMap { body.objects($0) }.compactMap { inner in
            ["msg", "info", "text"].lazy.compactMap { inner.text($0, limit: 200) }.first ?? inner.texts("message").first
        }
        return body.text("message", limit: 200) ?? body.text("detail", limit: 200) ?? nested.first
            ?? body.text("error", limit: 200)
    }
}
