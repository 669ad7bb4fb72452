/// Templates of well-formed service responses. ``filled(_:with:)`` replaces each `%` with a text from the fuzzer's
/// input.
///
/// Templates are necessary, because random changes of a whole response usually make its syntax invalid. The decoder
/// would then reject the response and rarely process its texts.
enum ServiceTemplates {
    static let giphy = """
        {"data":[{"id":"%","title":"%","url":"https://a.example/%","username":"%","rating":"g","tags":["%"],\
        "images":{"original":{"url":"https://a.example/%.gif"},"fixed_width":{"url":"%"}}}],\
        "meta":{"status":200,"response_id":"r","msg":"%"},"pagination":{"count":1,"offset":0,"total_count":9}}
        """
    static let klipy = """
        {"result":true,"data":{"data":[{"id":"%","slug":"%","title":"%","type":"gif","tags":["%"],\
        "file":{"md":{"gif":{"url":"https://a.example/%","width":4,"height":3}}}}],"current_page":1,"has_next":true}}
        """
    static let commons = """
        {"continue":{"gsroffset":20,"continue":"%"},"query":{"pages":[{"pageid":7,"title":"File:%.gif","imageinfo":[{\
        "url":"https://a.example/%","descriptionurl":"https://a.example/%","thumburl":"%","mime":"image/gif",\
        "timestamp":"%","duration":2,"extmetadata":{"Artist":{"value":"<b>%</b>"},"LicenseShortName":{"value":"%"},\
        "LicenseUrl":{"value":"%"},"ObjectName":{"value":"&#%;%"},"ImageDescription":{"value":"%"}}}]}]}}
        """
    static let gifCities = """
        [{"url_text":"%","checksum":"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567","gif":"20091020304050/http://a.example/%",\
        "page":"http://a.example/%"},{"url_text":"%","gif":"20091020304050/%","page":"20091020304050/%"}]
        """
    static let site = """
        <!doctype html><img src="/a/ABCDEFGHIJKLMNOPQRSTUVWXYZ234567.gif" width="88" height="62" alt="%">\
        <img src="%.gif" alt="b">
        """
    static let openverse = """
        {"result_count":1,"page_count":2,"page":1,"results":[{"id":"%","title":"%","foreign_landing_url":"%",\
        "url":"https://a.example/%.gif","creator":"%","license":"%","license_version":"%","license_url":"%",\
        "filetype":"gif","source":"%","provider":"%","tags":[{"name":"%"}],"attribution":"%"}]}
        """
    static let feed = """
        <feed xmlns="http://www.w3.org/2005/Atom"><entry><author><name>/u/%</name></author><category term="%"/>\
        <content type="html">&lt;a href="https://i.redd.it/%.gif"&gt; %</content><id>t3_%</id><link href="https://%"/>\
        <published>%</published><title>%</title></entry></feed>
        """
    static let refusal = """
        {"meta":{"msg":"%"},"message":"%","error":{"info":"%"},"detail":"%"}
        """

    /// Returns the template with each `%` replaced by `text`. Escapes the text as JSON or XML requires.
    static func filled(_ template: String, with text: String) -> [UInt8] {
        let isXML = template.hasPrefix("<feed")
        let isJSON = template.hasPrefix("{") || template.hasPrefix("[")
        var written: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"" where isJSON, "\\" where isJSON: written += [UInt8(ascii: "\\"), UInt8(scalar.value)]
            case "\u{0}"..."\u{1F}" where isJSON: written += escape(scalar)
            case "<" where isXML, "&" where isXML, "\"" where isXML: written += "&#\(scalar.value);".utf8
            default: written += String(scalar).utf8
            }
        }
        let parts = template.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        return Array(parts.joined(separator: written))
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String.UTF8View {
        let digits = String(scalar.value, radix: 16)
        return ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
    }
}
