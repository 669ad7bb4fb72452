import Base
import FoundationEssentials

/// An answer of success, ready to be decoded, with the keys that must not come out of it.
package struct Answer: Sendable {
    package var response: HTTPResponse
    package var redactor: Redactor

    package init(response: HTTPResponse, redactor: Redactor) {
        self.response = response
        self.redactor = redactor
    }

    /// The body as JSON of a type that takes nearly anything.
    package func json<Value: Decodable>(_ type: Value.Type) throws(CatalogError) -> Value {
        if let value = Self.decoded(type, response.body, redactor) { return value }
        throw .notJSON(status: response.status, received: received)
    }

    /// What the body looks like, for a sentence about what came instead.
    package var received: ReceivedBody {
        let beginning = response.body.prefix(512).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        switch beginning.first {
        case nil: return .nothing
        case UInt8(ascii: "<"): return .html
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return Self.decoded(Lossy<String>.self, response.body, redactor) == nil ? .brokenJSON : .unexpectedJSON
        case UInt8(ascii: "G") where beginning.starts(with: "GIF8".utf8): return .image
        case 0x89, 0xFF: return .image
        default: return .text
        }
    }

    /// The seconds for which the service asks for no requests; 0 was seen with GIPHY and is no wait.
    ///
    /// A date is compared with the answer's own, so that a wrong clock on either side does not matter.
    package var retryAfterSeconds: Int? {
        let now = response.headers["date"].flatMap(HTTPDate.unixSeconds) ?? Int(Date().timeIntervalSince1970)
        return RetryAfter.seconds(response.headers["retry-after"], unixSeconds: now).map { min($0, 86_400) }
    }

    /// The error that a status other than success is.
    func refusal(of profile: ServiceProfile) -> CatalogError {
        let message = message
        if let key = profile.key, response.status == 401 || response.status == 403 {
            return .keyRefused(variable: key.variable, message: message)
        }
        return .refused(status: response.status, message: message, retryAfterSeconds: retryAfterSeconds)
    }

    /// The service's sentence, in whichever of the known shapes it comes; of plain text its beginning.
    package var message: String? {
        if let body = Self.decoded(ErrorBody.self, response.body, redactor) { return body.message }
        guard received == .text else { return nil }
        let line = redactor(SafeText.line(String(decoding: response.body.prefix(2_000), as: UTF8.self)))
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

/// An error's sentence in the shapes of all services together.
///
/// GIPHY: `meta.msg` or `message`; KLIPY: `errors.message[]`; MediaWiki: `error.info` or
/// `errors[].text`; Openverse: `detail`.
struct ErrorBody: Decodable {
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
