import CTerminal
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
    init(parsing text: String) throws(SettingError) {
        var text = text.replacing(hazards, by: substitutes)
        let parsed = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { ctoml_parse($0.baseAddress, $0.count) }
        }
        guard let parsed else { gifplay_fail("out of memory") }
        defer { ctoml_free(parsed) }
        let document = parsed.pointee
        guard let values = document.values else {
            throw SettingError(line: Int(document.error_line), problem: "syntax error: \(String(document.error))")
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

// MARK: - Values of settings

extension TOMLValue {
    /// - Parameters:
    ///   - path: the name of the setting in messages, such as `keys.giphy`.
    ///   - expected: the form that the message names.
    func text(_ path: String, expected: String = "a string in quotes") throws(SettingError) -> String {
        guard case .text(let text) = content else { throw error("\(path) should be \(expected)") }
        return text
    }

    /// The maximum length of a list. No setting needs nearly as many elements.
    private static let maximumElements = 100

    /// - Parameter problem: returns the message for an element that is not allowed.
    func texts(_ path: String, problem: (String) -> String? = { _ in nil }) throws(SettingError) -> [String] {
        let expected = "a list of strings"
        guard case .list(let elements) = content else { throw error("\(path) should be \(expected)") }
        guard elements.count <= Self.maximumElements else {
            throw error("\(path) has \(elements.count) elements; at most \(Self.maximumElements) are allowed")
        }
        var texts: [String] = []
        for element in elements {
            texts.append(try element.text(path, expected: expected))
            if let problem = texts.last.flatMap(problem) { throw element.error(problem) }
        }
        return texts
    }

    func members(_ path: String) throws(SettingError) -> [(key: String, value: TOMLValue)] {
        guard case .table(let members) = content else { throw error("\(path) should be a table") }
        return members
    }

    /// - Parameters:
    ///   - parse: a function of ``OptionValue``.
    ///   - form: the expected form in messages, if it differs from that of the option.
    func parsed<Value>(
        _ path: String, _ parse: (String) throws -> Value, _ form: String? = nil, allowsNumber: Bool = false
    ) throws(SettingError) -> Value {
        let text: String
        switch content {
        case .integer(let number) where allowsNumber: text = String(number)
        case .number(let number) where allowsNumber: text = String(number)
        default: text = try self.text(path, expected: (allowsNumber ? "a number or " : "") + "a string in quotes")
        }
        do { return try parse(text) } catch {
            let form = form ?? String("\(error)".dropFirst("expected ".count))
            throw self.error("\(path) should be \(form), not '\(text)'")
        }
    }

    func error(_ problem: String) -> SettingError { SettingError(line: line, problem: problem) }
}

// MARK: - Text for toml++

/// The function of toml++ that recognizes white space has undefined behaviour for most of these scalars, such as é.
/// Scalars of an unassigned plane take their place while toml++ parses.
private let hazards: ClosedRange<UInt32> = 0xA1...0xFEFE
private let substitutes: ClosedRange<UInt32> = 0x400A1...0x4FEFE

extension String {
    fileprivate init(_ text: ctoml_text) {
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.count)
        self = String(decoding: bytes, as: UTF8.self).replacing(substitutes, by: hazards)
    }

    fileprivate func replacing(_ old: ClosedRange<UInt32>, by new: ClosedRange<UInt32>) -> String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            guard old.contains(scalar.value) else { return scalar }
            return Unicode.Scalar(scalar.value - old.lowerBound + new.lowerBound) ?? scalar
        }
        return String(UnicodeScalarView(scalars))
    }
}
