import Foundation

/// Reads a form with files piece by piece, whatever its bytes: `multipart/form-data`.
///
/// It holds the head of one part, or some bytes that may be the beginning of a boundary, and nothing else.
///
/// - SeeAlso: RFC 7578; RFC 2046, section 5.1, for the boundaries.
struct MultipartReader {
    /// Something that is complete.
    enum Event: Equatable {
        /// A part begins, the field with this name.
        case field(String)
        /// Bytes of the part, never none.
        case bytes(Data)
        case end
    }

    private enum State {
        /// Before the first boundary.
        case preamble
        /// After a boundary, in its line.
        case boundary
        case head
        case part
        /// After the last boundary.
        case over
    }

    /// In bytes.
    private static let longestHead = 8_192
    /// The most bytes before the first boundary, and of white space after one.
    private static let longestFiller = 1_024
    private static let mostParts = 64
    private static let lineEnd = Data("\r\n".utf8)
    private static let headEnd = Data("\r\n\r\n".utf8)

    private let delimiter: Data
    private var state = State.preamble
    /// Before the form's first byte, a line ends as well as before any other boundary.
    private var rest = MultipartReader.lineEnd
    private var skipped = 0
    private var parts = 0

    /// - Parameter contentType: The value of the field `Content-Type`.
    /// - Throws: ``ProgramError/notForm`` for another type, or without a boundary.
    init(_ contentType: String?) throws(ProgramError) {
        var fields = FieldParameters(contentType ?? "")
        guard fields.value == "multipart/form-data", let boundary = fields.take("boundary"),
            (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .notForm }
        delimiter = Data("\r\n--\(boundary)".utf8)
    }

    /// Whether the last boundary was read.
    var isOver: Bool { if case .over = state { true } else { false } }

    /// Takes the next bytes of the form.
    ///
    /// - Returns: What is complete with them.
    /// - Throws: ``ProgramError/notForm`` for what is no form, ``ProgramError/badField(_:what:)`` for too many fields.
    mutating func take(_ bytes: Data) throws(ProgramError) -> [Event] {
        rest += bytes
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// - Returns: Whether there may be more to read in what is here.
    private mutating func step(_ events: inout [Event]) throws(ProgramError) -> Bool {
        switch state {
        case .preamble:
            guard let found = rest.range(of: delimiter) else {
                skipped += drop(to: max(0, rest.count - delimiter.count + 1)).count
                guard skipped <= Self.longestFiller else { throw .notForm }
                return false
            }
            drop(to: found.upperBound - rest.startIndex)
            state = .boundary
            return true
        case .boundary: return try endLine()
        case .head: return try readHead(&events)
        case .part:
            guard let found = rest.range(of: delimiter) else {
                let bytes = drop(to: max(0, rest.count - delimiter.count + 1))
                if !bytes.isEmpty { events.append(.bytes(bytes)) }
                return false
            }
            let bytes = drop(to: found.lowerBound - rest.startIndex)
            if !bytes.isEmpty { events.append(.bytes(bytes)) }
            drop(to: delimiter.count)
            events.append(.end)
            state = .boundary
            return true
        case .over:
            // Bytes behind the form have no meaning.
            rest = Data()
            return false
        }
    }

    /// Reads what stands behind a boundary: the mark of the last one, or white space and the end of the line.
    private mutating func endLine() throws(ProgramError) -> Bool {
        guard rest.count >= 2 else { return false }
        if rest.starts(with: Data("--".utf8)) {
            state = .over
            return true
        }
        guard let found = rest.range(of: Self.lineEnd) else {
            guard rest.count <= Self.longestFiller else { throw .notForm }
            return false
        }
        let filler = drop(to: found.lowerBound - rest.startIndex)
        guard filler.count <= Self.longestFiller, filler.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
            throw .notForm
        }
        parts += 1
        guard parts <= Self.mostParts else { throw .badField("form", what: "has more than \(Self.mostParts) fields") }
        // The line end stays: a head without lines ends with it.
        state = .head
        return true
    }

    private mutating func readHead(_ events: inout [Event]) throws(ProgramError) -> Bool {
        guard let found = rest.range(of: Self.headEnd) else {
            guard rest.count <= Self.longestHead else { throw .notForm }
            return false
        }
        let head = drop(to: found.lowerBound - rest.startIndex)
        drop(to: Self.headEnd.count)
        guard head.count <= Self.longestHead, let name = Self.name(inHead: head) else { throw .notForm }
        events.append(.field(name))
        state = .part
        return true
    }

    /// The name of the field that a part is.
    private static func name(inHead head: Data) -> String? {
        for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
            var fields = FieldParameters(String(parts[1]))
            guard fields.value == "form-data", let name = fields.take("name"), name.utf8.count <= 100 else {
                return nil
            }
            return name
        }
        return nil
    }

    /// Removes the first bytes.
    @discardableResult
    private mutating func drop(to count: Int) -> Data {
        let bytes = Data(rest.prefix(count))
        rest = Data(rest.dropFirst(count))
        return bytes
    }
}

/// A header field's value with its parameters, such as `form-data; name="file"`.
private struct FieldParameters {
    /// In lower case.
    let value: String
    private var rest: Substring

    init(_ text: String) {
        let end = text.firstIndex(of: ";") ?? text.endIndex
        value = text[..<end].trimmingCharacters(in: .whitespaces).lowercased()
        rest = text[end...]
    }

    /// The value of the first parameter with this name, in lower case; what stands before it is passed by.
    mutating func take(_ wanted: String) -> String? {
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...]
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            rest = rest[rest.index(after: equals)...].drop { $0 == " " }
            let value = takeValue()
            if name == wanted { return value }
        }
        return nil
    }

    /// A token, or what stands between quotation marks, where a backslash makes the next character an ordinary one.
    private mutating func takeValue() -> String {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != ";" }
            rest = rest[token.endIndex...]
            return token.trimmingCharacters(in: .whitespaces)
        }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let next = rest.popFirst() { value.append(next) } else { value.append(character) }
        }
        return value
    }
}
