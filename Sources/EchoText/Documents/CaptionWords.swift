/// The words of a caption, without its markup.
///
/// - SeeAlso: WebVTT: The Web Video Text Tracks Format (W3C), “WebVTT cue text parsing rules”. SubRip's tags are those that
///   players know: HTML's, and `{\an8}`.
struct CaptionWords {
    struct Line {
        var speaker: String?
        /// Never empty.
        var text: String
    }

    /// Most characters of a tag, and of a reading above a word.
    private static let longestTag = 200

    private(set) var lines: [Line] = []
    /// Whether times stand between the words.
    private(set) var haveTimes = false
    private var line = ""
    private var speaker: String?

    init(_ written: String) {
        var rest = written[...]
        while let sign = rest.first {
            switch sign {
            case "<":
                if let tag = Self.tag(in: rest) {
                    rest = rest[tag.endIndex...].dropFirst()
                    take(tag.dropFirst())
                    if tag == "<rt", let end = rest.prefix(Self.longestTag).firstRange(of: "</rt>") {
                        rest = rest[end.upperBound...]
                    }
                    continue
                }
            case "{":
                if rest.hasPrefix("{\\"), let end = rest.prefix(Self.longestTag).firstIndex(of: "}") {
                    rest = rest[end...].dropFirst()
                    continue
                }
            case "&":
                if let end = rest.prefix(10).firstIndex(of: ";"), let meant = Self.sign(rest[..<end].dropFirst()) {
                    line += meant
                    rest = rest[end...].dropFirst()
                    continue
                }
            case "♪", "♫":
                rest = rest.dropFirst()
                continue
            default: break
            }
            if sign.isNewline { endLine() } else { line.append(sign) }
            rest = rest.dropFirst()
        }
        endLine()
    }

    private mutating func endLine() {
        line.unicodeScalars.removeAll { $0.properties.generalCategory == .control && $0 != "\t" }
        let words = line.split(whereSeparator: \.isWhitespace)
        line = ""
        if !words.isEmpty { lines.append(Line(speaker: speaker, text: words.joined(separator: " "))) }
    }

    /// The tag that `text` begins with, without its last sign; `nil` when its first sign is one of comparison.
    private static func tag(in text: Substring) -> Substring? {
        let inside = text.dropFirst()
        guard let end = inside.prefix(longestTag).firstIndex(where: { $0 == ">" || $0 == "<" }), text[end] == ">" else {
            return nil
        }
        let name = inside[..<end].drop { $0 == "/" }
        guard let first = name.first, first.isASCII else { return nil }
        let isTime = first.isNumber && name.contains(":") && name.allSatisfy { $0.isNumber || ":.,".contains($0) }
        return first.isLetter || isTime ? text[..<end] : nil
    }

    private mutating func take(_ tag: Substring) {
        if tag.first?.isNumber == true { haveTimes = true }
        guard tag.hasPrefix("v ") || tag.hasPrefix("v.") || tag.hasPrefix("v\t") else { return }
        let name = tag.drop { !$0.isWhitespace }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !name.isEmpty, name != speaker else { return }
        endLine()
        speaker = name
    }

    /// The sign that a name or number of HTML stands for.
    private static func sign(_ name: Substring) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        case "lrm", "rlm": return ""
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            guard let value = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10),
                let scalar = Unicode.Scalar(value)
            else { return nil }
            return String(Character(scalar))
        }
    }
}
