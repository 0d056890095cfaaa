import EchoText
import Foundation
import Hummingbird

extension Request {
    func text(_ name: Substring) -> String? { uri.queryParameters[name].map(String.init) }

    func texts(_ name: Substring) -> [String] { uri.queryParameters[values: name].map(String.init) }

    /// - Throws: ``WebError/badRequest(what:)`` for what is there and no finite number.
    func number(_ name: Substring) throws -> Double? {
        guard let text = text(name) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw WebError.badRequest(what: "“\(name)” is a number")
        }
        return number
    }

    /// - Throws: ``WebError/badRequest(what:)`` for what is there and no whole number in `range`.
    func integer(_ name: Substring, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WebError.badRequest(
                what: "“\(name)” is a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
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

    /// From one number to another, either of which may be absent.
    func range(_ name: String, within: ClosedRange<Double>) throws -> ClosedRange<Double>? {
        let (from, to) = (try number("\(name)From"), try number("\(name)To"))
        guard from != nil || to != nil else { return nil }
        let (lower, upper) = (from ?? within.lowerBound, to ?? within.upperBound)
        guard lower <= upper else { throw WebError.badRequest(what: "“\(name)From” is not above “\(name)To”") }
        return lower...upper
    }
}

extension StudioContext {
    /// The recording or narration that the address names.
    func itemID() throws -> AudioItem.ID { AudioItem.ID(rawValue: try parameters.require("id")) }
}
