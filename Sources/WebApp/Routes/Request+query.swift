import EchoText
import Foundation
import Hummingbird

extension Request {
    func text(_ name: Substring) -> String? { texts(name).first }

    /// The query's values for a name, in order, as `URLSearchParams` encodes them: a plus is a space.
    ///
    /// Hummingbird's own parser keeps a plus.
    ///
    /// - SeeAlso: URL Standard (WHATWG), “application/x-www-form-urlencoded parsing”.
    func texts(_ name: Substring) -> [String] {
        guard let query = uri.query else { return [] }
        // Parsed as bytes: a value may begin with a combining mark, which forms one Character with the “=” before it.
        return query.utf8.split(separator: UInt8(ascii: "&")).compactMap { field in
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0].elementsEqual(name.utf8) else { return nil }
            return parts.count > 1 ? Self.decoded(parts[1]) : ""
        }
    }

    /// The names of the query's parameters, in order and as they are written: ``texts(_:)`` knows no other spelling.
    var parameterNames: [String] {
        (uri.query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { field in
            String(decoding: field.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
    }

    /// A percent sign without two hexadecimal digits is taken literally.
    private static func decoded(_ value: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = escapedByte(rest.prefix(2)) {
                bytes.append(escaped)
                rest.removeFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escapedByte(_ digits: Substring.UTF8View) -> UInt8? {
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 2, text.allSatisfy(\.isHexDigit) else { return nil }
        return UInt8(text, radix: 16)
    }

    /// - Throws: ``WebError/badRequest(what:)`` for anything but a finite number.
    func number(_ name: Substring) throws -> Double? {
        guard let text = text(name) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw WebError.badRequest(what: "“\(name)” is a number")
        }
        return number
    }

    /// - Throws: ``WebError/badRequest(what:)`` for anything but an integer in `range`.
    func integer(_ name: Substring, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WebError.badRequest(
                what: "“\(name)” is a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The words to search for; `nil` when there is only white space.
    var wordsToFind: String? {
        text("words").flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// How many entries of a list are skipped.
    ///
    /// - Throws: ``WebError/badRequest(what:)``.
    var listOffset: Int {
        get throws { try integer("offset", in: 0...Int(Int32.max)) ?? 0 }
    }

    /// The most entries of a list in one response; `nil` if unspecified.
    ///
    /// - Throws: ``WebError/badRequest(what:)`` when it is more than 500.
    var listLimit: Int? {
        get throws { try integer("limit", in: 1...500) }
    }

    /// A range of integers, of which either bound may be absent.
    func integers(_ name: String, within: ClosedRange<Int>) throws -> ClosedRange<Int>? {
        let (from, to) = (try integer("\(name)From", in: within), try integer("\(name)To", in: within))
        guard from != nil || to != nil else { return nil }
        let (lower, upper) = (from ?? within.lowerBound, to ?? within.upperBound)
        guard lower <= upper else { throw WebError.badRequest(what: "“\(name)From” is not above “\(name)To”") }
        return lower...upper
    }

    /// - Throws: ``WebError/badRequest(what:)``.
    func flag(_ name: Substring) throws -> Bool? {
        switch text(name) {
        case nil: nil
        case "true": true
        case "false": false
        default: throw WebError.badRequest(what: "“\(name)” is true or false")
        }
    }

    /// - Throws: ``WebError/badRequest(what:)``.
    func date(_ name: Substring) throws -> Date? {
        guard let text = text(name) else { return nil }
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            if let date = try? Date(text, strategy: style) { return date }
        }
        throw WebError.badRequest(what: "“\(name)” is a time such as 2026-01-31T12:00:00Z")
    }

    /// A range of times, of which either bound may be absent.
    func dates(_ name: String) throws -> Range<Date>? {
        let (from, to) = (try date("\(name)From"), try date("\(name)To"))
        guard from != nil || to != nil else { return nil }
        let (lower, upper) = (from ?? .distantPast, to ?? .distantFuture)
        guard lower <= upper else { throw WebError.badRequest(what: "“\(name)From” is not after “\(name)To”") }
        return lower..<upper
    }

    /// - Throws: ``WebError/badRequest(what:)`` for any other value.
    func choice<Value: RawRepresentable & CaseIterable>(_ name: Substring) throws -> Value?
    where Value.RawValue == String {
        try text(name).map { try Self.value(of: $0, name) }
    }

    /// Values of a parameter that may occur several times.
    func choices<Value: RawRepresentable & CaseIterable>(_ name: Substring) throws -> [Value]
    where Value.RawValue == String {
        try texts(name).map { try Self.value(of: $0, name) }
    }

    private static func value<Value: RawRepresentable & CaseIterable>(of text: String, _ name: Substring) throws
        -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw WebError.badRequest(what: "“\(name)” is one of \(known)")
        }
        return value
    }

    /// A range of numbers, of which either bound may be absent.
    func range(_ name: String, within: ClosedRange<Double>) throws -> ClosedRange<Double>? {
        let (from, to) = (try number("\(name)From"), try number("\(name)To"))
        guard from != nil || to != nil else { return nil }
        let (lower, upper) = (from ?? within.lowerBound, to ?? within.upperBound)
        guard lower <= upper else { throw WebError.badRequest(what: "“\(name)From” is not above “\(name)To”") }
        return lower...upper
    }
}

extension WebRequestContext {
    /// The recording or narration that the address names.
    func itemID() throws -> AudioItem.ID { AudioItem.ID(rawValue: try parameters.require("id")) }

    /// The document that the address names.
    func documentID() throws -> Document.ID { Document.ID(rawValue: try parameters.require("id")) }
}

extension LanguageTag {
    /// A tag that a request has, in canonical case.
    ///
    /// - Throws: ``WebError/badRequest(what:)``.
    static func asked(_ tag: String) throws -> String {
        let isAllowed = tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard (2...35).contains(tag.count), isAllowed else {
            throw WebError.badRequest(what: "“language” is a tag such as en or pt-BR")
        }
        return canonical(tag)
    }
}
