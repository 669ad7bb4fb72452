import Base
import CTerminal
import CTomlplusplus
import Catalog

/// An error in the text of the configuration file.
package struct SettingError: Error, Equatable {
    /// Counted from 1.
    package var line: Int
    package var problem: String
}

extension Settings {
    /// Overrides the settings that the text of a configuration file contains.
    package mutating func read(toml text: String) throws(SettingError) {
        try Self.limitDots(in: text)
        for (key, value) in try TOMLValue(parsing: text).members("") { try read(key, value) }
    }

    /// toml++ needs stack for each part of a dotted key, so 50,000 of them would end the program.
    private static func limitDots(in text: String) throws(SettingError) {
        var (dots, line) = (0, 1)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: ".") { dots += 1 }
            guard dots <= 4_096 else {
                throw SettingError(line: line, problem: "the file has more than 4096 dots; shorten its dotted keys")
            }
        }
    }

    private mutating func read(_ key: String, _ value: TOMLValue) throws(SettingError) {
        switch key {
        case "sources":
            let known = GIFSources.names
            var named: Set<String> = []
            services.catalog.order = try value.texts(key) { name in
                guard known.contains(name) else {
                    return CatalogError.unknownSource(name: SafeText.sentence(name), known: known).text.full
                }
                return named.insert(name).inserted ? nil : "source '\(name)' is listed twice; remove one"
            }
        case "rating": services.preferences.rating = try value.parsed(key, OptionValue.rating)
        case "language":
            services.preferences.language = try value.parsed(key, OptionValue.language, "two letters such as de")
        case "cache-size":
            services.cacheBytes = try value.parsed(key, OptionValue.count, "a size such as 512M", allowsNumber: true)
        case "contact": services.contact = try value.text(key)
        case "report-use":
            guard case .boolean(let isOn) = value.content else { throw value.error("\(key) should be true or false") }
            services.catalog.reportsUse = isOn
        case "every":
            playback.switchInterval = try value.parsed(
                key, OptionValue.duration, "a time such as 10s or 2m", allowsNumber: true)
        case "loop": playback.loops = try value.parsed(key, OptionValue.loops, allowsNumber: true)
        case "color": playback.colorRule = try value.parsed(key, OptionValue.choice)
        case "mode": playback.mode = try value.parsed(key, OptionValue.mode)
        case "colors": playback.colors.depth = try value.parsed(key, OptionValue.depth, allowsNumber: true)
        case "dither": playback.colors.dithering = try value.parsed(key, OptionValue.dithering)
        case "keys": for (name, value) in try value.members(key) { try readKey(name, value) }
        case "endpoints": for (name, value) in try value.members(key) { try readEndpoint(name, value) }
        case "reddit": try readReddit(try value.members(key))
        default:
            throw value.error(
                "unknown setting '\(key)'; the settings are sources, keys, endpoints, rating, language, every, loop, "
                    + "cache-size, color, mode, colors, dither, contact, report-use and reddit")
        }
    }

    private mutating func readKey(_ name: String, _ value: TOMLValue) throws(SettingError) {
        services.catalog.keys[name] = Secret(try value.text("keys.\(name)"))
        let keyed = GIFSources.profiles.filter { $0.key != nil }.map(\.name)
        guard keyed.contains(name) else {
            throw value.error("source '\(name)' has no key; only \(keyed.joined(separator: ", ")) have one")
        }
    }

    private mutating func readEndpoint(_ name: String, _ value: TOMLValue) throws(SettingError) {
        let path = "endpoints.\(name)"
        let isList = if case .list = value.content { true } else { false }
        let addresses = isList ? try value.texts(path) : [try value.text(path)]
        guard LoaderSettings.endpointNames.contains(name) else { throw value.error("unknown source '\(name)'") }
        services.catalog.endpoints[name] = ServiceEndpoint(addresses)
    }

    private mutating func readReddit(_ members: [(key: String, value: TOMLValue)]) throws(SettingError) {
        let secrets = ["client-secret": CommunitySettings.source, "feed": CommunitySettings.feedSource]
        let texts: [String: WritableKeyPath<CommunitySettings, String?>] = [
            "client-id": \.clientIdentifier, "username": \.username, "user": \.feedUser,
        ]
        // The lines of the settings that are not blank.
        var lines: [String: Int] = [:]
        for (name, value) in members {
            let path = "reddit.\(name)"
            guard name != "communities" else {
                services.communities.names = try Self.communities(path, value)
                continue
            }
            guard secrets[name] != nil || texts[name] != nil else {
                throw value.error(
                    "unknown setting '\(path)'; [reddit] has communities, client-id, client-secret, username, "
                        + "feed and user")
            }
            let text = try value.text(path)
            if Secret(text) != nil { lines[name] = value.line }
            if let source = secrets[name] { services.catalog.keys[source] = Secret(text) }
            if let field = texts[name] { services.communities[keyPath: field] = text }
        }
        try Self.checkPairs(lines)
    }

    private static func communities(_ path: String, _ value: TOMLValue) throws(SettingError) -> [String] {
        var seen: Set<String> = []
        return try value.texts(path) {
            Community($0) == nil ? "'\($0)' is not a community name, which has 2 to 21 letters, digits and _" : nil
        }.compactMap { Community($0)?.name }.filter { seen.insert($0).inserted }
    }

    /// Throws if only one of two settings that belong together is present. Without this check, the user would notice
    /// the missing setting only when Reddit refuses a request.
    private static func checkPairs(_ lines: [String: Int]) throws(SettingError) {
        let pairs = [
            ("client-id", "client-secret", "Reddit issues both for an app"),
            ("feed", "user", "both are in the URL of your own feed"),
        ]
        for (first, second, origin) in pairs {
            for (half, other) in [(first, second), (second, first)] where lines[other] == nil {
                guard let line = lines[half] else { continue }
                throw SettingError(line: line, problem: "\(half) needs \(other) too; \(origin)")
            }
        }
    }
}

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
