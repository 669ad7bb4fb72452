import CTomlplusplus

struct TOMLValue {
    enum Content {
        case text(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        case list([TOMLValue])
        /// The members are in the same order as in the text.
        case table([(key: String, value: TOMLValue)])
        /// A date or a time. No setting accepts these types.
        case other
    }

    var content: Content
    /// The line of the key, counted from 1. An element of a list has no key, so this is the line of the element itself.
    var line: Int

    /// The value is the root table.
    init(parsing text: String) throws(ConfigurationError) {
        var text = text
        let parsed = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { ctoml_parse($0.baseAddress, $0.count) }
        }
        guard let parsed else { throw ConfigurationError(line: 1, problem: .syntax("not enough memory")) }
        defer { ctoml_free(parsed) }
        let document = parsed.pointee
        guard let values = document.values else {
            throw ConfigurationError(line: Int(document.error_line), problem: .syntax(String(document.error)))
        }
        self.init(values, at: 0)
    }

    private init(_ values: UnsafePointer<ctoml_value>, at index: Int) {
        let value = values[index]
        line = Int(value.line)
        switch value.kind {
        case ctoml_string: content = .text(String(value.string))
        case ctoml_integer: content = .integer(value.integer)
        case ctoml_number: content = .number(value.number)
        case ctoml_boolean: content = .boolean(value.integer != 0)
        case ctoml_list: content = .list(Self.members(values, of: index).map(\.value))
        case ctoml_table: content = .table(Self.members(values, of: index))
        default: content = .other
        }
    }

    private static func members(
        _ values: UnsafePointer<ctoml_value>, of index: Int
    ) -> [(key: String, value: TOMLValue)] {
        var members: [(key: String, value: TOMLValue)] = []
        var next = index + 1
        while next < values[index].end {
            members.append((String(values[next].key), TOMLValue(values, at: next)))
            next = values[next].end
        }
        return members
    }
}

extension String {
    fileprivate init(_ text: ctoml_text) {
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
        self.init(decoding: bytes, as: UTF8.self)
    }
}
