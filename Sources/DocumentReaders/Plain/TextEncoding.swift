import CUchardet
import EchoText
import Foundation
import Glibc

/// The encoding of a text file.
enum TextEncoding: Hashable {
    case utf8
    case utf16(bigEndian: Bool)
    case utf32(bigEndian: Bool)
    /// An encoding by its name in iconv.
    case named(String)

    /// Returns the encoding and length of a byte order mark at the beginning of `head`; `nil` without one.
    static func marked(_ head: Data) -> (encoding: TextEncoding, length: Int)? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if head.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(bigEndian: false), 4) }
        if head.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(bigEndian: true), 4) }
        if head.starts(with: [0xFF, 0xFE]) { return (.utf16(bigEndian: false), 2) }
        if head.starts(with: [0xFE, 0xFF]) { return (.utf16(bigEndian: true), 2) }
        return nil
    }

    /// The name shown to a person.
    var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16: "UTF-16"
        case .utf32: "UTF-32"
        case .named(let name): name
        }
    }

    /// The name for iconv.
    var systemName: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16(let bigEndian): bigEndian ? "UTF-16BE" : "UTF-16LE"
        case .utf32(let bigEndian): bigEndian ? "UTF-32BE" : "UTF-32LE"
        case .named(let name): name
        }
    }

    /// Whether text without a mark is big-endian UTF-16; `nil` when it is not UTF-16.
    ///
    /// NULs at the end pad it.
    static func unmarkedUTF16(_ head: Data) -> Bool? {
        let padding = head.reversed().prefix { $0 == 0 }.count
        // The last character may end with a NUL of its own.
        let bytes = Array(head.prefix((head.count - padding + 1) / 2 * 2))
        let pairs = bytes.count / 2
        guard pairs > 1 else { return nil }
        let even = stride(from: 0, to: pairs * 2, by: 2).count { bytes[$0] == 0 }
        let odd = stride(from: 1, to: pairs * 2, by: 2).count { bytes[$0] == 0 }
        if even == 0, odd * 10 >= pairs * 7 { return false }
        if odd == 0, even * 10 >= pairs * 7 { return true }
        return nil
    }

    /// The encoding of bytes, as a page names it; `nil` where iconv does not know it, or it is one of Unicode.
    static func stated(_ name: String) -> TextEncoding? {
        let name = name.uppercased()
        // As on web pages, where text that is said to be in these may have the signs of CP1252.
        if ["ISO-8859-1", "ISO8859-1", "LATIN1", "US-ASCII", "ASCII"].contains(name) { return .named("CP1252") }
        guard !name.hasPrefix("UTF"), let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1)
        else { return nil }
        iconv_close(converter)
        return .named(name.replacing("WINDOWS-", with: "CP"))
    }

    /// Guesses the encoding of text that is not Unicode; Western European by default.
    static func guess(_ head: Data) -> String {
        guard let detector = uchardet_new() else { return "CP1252" }
        defer { uchardet_delete(detector) }
        head.withUnsafeBytes { bytes in
            _ = uchardet_handle_data(detector, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        uchardet_data_end(detector)
        let found = uchardet_get_charset(detector).map { String(cString: $0).uppercased() } ?? ""
        // CP1252 extends ISO-8859-1, and text that is reported as the latter is usually CP1252.
        let western: Set<String> = [
            "", "ASCII", "ISO-8859-1", "ISO-8859-15", "WINDOWS-1252", "UTF-8", "MAC-CENTRALEUROPE",
        ]
        if western.contains(found) { return SingleByteLetters(head).areLatin9 ? "ISO-8859-15" : "CP1252" }
        if found == "MAC-CYRILLIC", isWindowsCyrillic(head) { return "CP1251" }
        if ["WINDOWS-1250", "ISO-8859-2"].contains(found), SingleByteLetters(head).areLatin2 { return "ISO-8859-2" }
        if found.hasPrefix("ISO-8859-"), let windows = SingleByteLetters(head).windows(for: found) { return windows }
        guard let converter = iconv_open("UTF-8", found), converter != iconv_t(bitPattern: -1) else { return "CP1252" }
        iconv_close(converter)
        return found.replacing("WINDOWS-", with: "CP")
    }
}

extension TextEncoding {
    /// Whether a Russian text is CP1251 and not MacCyrillic.
    ///
    /// Both have the same codes for the small letters except “я”; for the capitals and “я” the other encoding has
    /// punctuation and a rare capital.
    private static func isWindowsCyrillic(_ text: Data) -> Bool {
        var windows = 0
        var mac = 0
        for byte in text {
            if byte == 0xFF || (0xC0...0xDE).contains(byte) { windows += 1 }
            if byte == 0xDF || (0x80...0x9F).contains(byte) { mac += 1 }
        }
        return windows > mac
    }
}

/// The bytes by which encodings of one byte for each character differ that are easily taken for each other.
private struct SingleByteLetters {
    /// How often each byte occurs.
    private var counts = [Int](repeating: 0, count: 256)
    /// How often each byte has a letter on either side, and on both.
    private var (beside, within) = ([Int](repeating: 0, count: 256), [Int](repeating: 0, count: 256))
    /// How often each byte has a small letter behind it and none before it.
    private var leading = [Int](repeating: 0, count: 256)

    init(_ text: Data) {
        var (before, last) = (false, UInt8(0x20))
        func isLetter(_ byte: UInt8) -> Bool {
            byte >= 0xC0 || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        for byte in text + [0x20] {
            let after = isLetter(byte)
            counts[Int(last)] += 1
            if before || after { beside[Int(last)] += 1 }
            if before && after { within[Int(last)] += 1 }
            if !before && after && (byte >= 0xDF || (0x61...0x7A).contains(byte)) { leading[Int(last)] += 1 }
            (before, last) = (isLetter(last), byte)
        }
    }

    /// ISO encodings have control characters there, which no text has; those of Windows have quotation marks and letters.
    private var hasWindowsSigns: Bool { counts[0x80...0x9F].contains { $0 > 0 } }

    /// Whether a text taken for CP1252 is ISO-8859-15: š, ž and œ are signs that no word has in the other.
    ///
    /// Texts have “¦” between columns and “´” for an apostrophe, and accents apart from their letters where none of the
    /// letters has its own.
    var areLatin9: Bool {
        guard !hasWindowsSigns, within[0xB4] == 0 else { return false }
        let hasAccents = counts[0xC0...0xFF].contains { $0 > 0 }
        return leading[0xA6] > 0 || hasAccents && [0xA8, 0xB8].contains { beside[$0] > 0 }
            || [0xBC, 0xBD].contains { within[$0] > 0 }
    }

    /// Whether a text taken for CP1250 is ISO-8859-2: ą and ś are signs that no word has in the other, and a stray
    /// quotation mark of Windows does not change that.
    var areLatin2: Bool { [0xB1, 0xB6].contains { beside[$0] > 0 } }

    /// The encoding of Windows that a text taken for one of ISO has; `nil` where it has nothing of it.
    ///
    /// Only where nearly all letters have the same bytes: a stray sign must not change the others. Estonian with š and ž
    /// in CP1252 is taken for ISO-8859-4, which lacks them there.
    func windows(for name: String) -> String? {
        guard hasWindowsSigns else { return nil }
        let isWestern = [0x8A, 0x8E, 0x9A, 0x9E].contains { counts[$0] > 0 }
        return switch name {
        case "ISO-8859-2", "ISO-8859-16": "CP1250"
        case "ISO-8859-4", "ISO-8859-10", "ISO-8859-13": isWestern ? "CP1252" : "CP1257"
        case "ISO-8859-7": "CP1253"
        case "ISO-8859-8": "CP1255"
        case "ISO-8859-9": "CP1254"
        default: nil
        }
    }
}

/// The byte sequences of UTF-8.
enum UTF8Sequence {
    /// The length of the valid sequence at `position`; 0 for none.
    static func length(in bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        let first = bytes[position]
        if first < 0x80 { return 1 }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard (0xC2...0xF4).contains(first), position + length <= bytes.count else { return 0 }
        let second = bytes[position + 1]
        let lowest: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
        let highest: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
        guard (lowest...highest).contains(second) else { return 0 }
        for index in position + 2..<max(position + length, position + 2) where bytes[index] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// Whether the bytes from `position` on are the beginning of a sequence that is not all there.
    static func isCut(in bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
        let first = bytes[position]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        return (0xC2...0xF4).contains(first) && position + length > bytes.count
            && bytes[(position + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
    }
}

/// Converts bytes of any encoding to UTF-8, piece by piece.
struct TextConverter: ~Copyable {
    /// The limit on bytes delivered at once, except for the last character.
    private static let longestPiece = 256 << 10
    /// The limit on the bytes of an incomplete character that are buffered for the next piece; a longer one is invalid.
    private static let longestRest = 16

    private let encoding: TextEncoding
    private let converter: iconv_t?
    /// The first bytes of an incomplete character.
    private var rest: [UInt8] = []
    /// The number of invalid sequences that were replaced.
    private(set) var replaced = 0

    init(_ encoding: TextEncoding) {
        self.encoding = encoding
        let opened = encoding == .utf8 ? nil : iconv_open("UTF-8", encoding.systemName)
        converter = opened == iconv_t(bitPattern: -1) ? nil : opened
    }

    deinit { if let converter { iconv_close(converter) } }

    /// Converts the next bytes and delivers the UTF-8 in pieces of whole characters.
    ///
    /// - Parameters:
    ///   - bytes: The bytes after those of the last call.
    ///   - isLast: Whether these are the last bytes.
    ///   - take: Receives each piece, at most 256 KiB.
    mutating func convert(
        _ bytes: UnsafeRawBufferPointer,
        isLast: Bool,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard !rest.isEmpty else { return try convert(all: bytes, isLast: isLast, take) }
        let joined = rest + bytes
        rest = []
        try joined.withUnsafeBytes { try convert(all: $0, isLast: isLast, take) }
    }

    private mutating func convert(
        all bytes: UnsafeRawBufferPointer,
        isLast: Bool,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard let converter else { return try repair(bytes, isLast: isLast, take) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.longestPiece, alignment: 16)
        defer { room.deallocate() }
        var input = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        var left = bytes.count
        while left > 0 {
            var output = room.baseAddress?.assumingMemoryBound(to: CChar.self)
            var free = room.count - 4
            let before = left
            let status = iconv(converter, &input, &left, &output, &free)
            let failure = status == -1 ? errno : 0
            var count = room.count - 4 - free
            if failure == EINVAL, !isLast, left <= Self.longestRest {
                rest = Array(bytes.suffix(left))
                left = 0
            } else if failure == EILSEQ || (failure == EINVAL || (failure == 0 && before == left)) {
                let width = min(left, encoding.unitWidth)
                input = input.map { $0 + width }
                left -= width
                replaced += 1
                for byte in "\u{FFFD}".utf8 {
                    room[count] = byte
                    count += 1
                }
            }
            try take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
        }
        guard isLast else { return }
        // Where an accent may follow its letter, as in CP1258 and CP1255, the last letter is in the converter still.
        var output = room.baseAddress?.assumingMemoryBound(to: CChar.self)
        var free = room.count
        _ = iconv(converter, nil, nil, &output, &free)
        guard free < room.count else { return }
        try take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<(room.count - free)]))
    }

    private mutating func repair(
        _ bytes: UnsafeRawBufferPointer,
        isLast: Bool,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        var start = 0
        var position = 0
        let end = isLast ? bytes.count : max(0, bytes.count - 3)
        while position < end {
            let length = UTF8Sequence.length(in: bytes, at: position)
            if length == 0 {
                if position > start { try take(UnsafeRawBufferPointer(rebasing: bytes[start..<position])) }
                try Array("\u{FFFD}".utf8).withUnsafeBytes(take)
                replaced += 1
                start = position + 1
            } else if position - start > Self.longestPiece - 8 {
                try take(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
                start = position
            }
            position += max(length, 1)
        }
        if position > start { try take(UnsafeRawBufferPointer(rebasing: bytes[start..<position])) }
        rest = Array(bytes[position...])
    }
}

extension TextEncoding {
    fileprivate var unitWidth: Int {
        switch self {
        case .utf8, .named: 1
        case .utf16: 2
        case .utf32: 4
        }
    }
}

/// Determines the encoding of a text, piece by piece.
struct EncodingSurvey {
    /// How much of the beginning is examined closely, in bytes.
    static let headLength = 1 << 20

    /// The text's first bytes, ``headLength`` at most.
    private(set) var head = Data()
    private var strays = 0
    private var multibyte = 0
    /// The last bytes so far, which may be an incomplete character.
    private var rest: [UInt8] = []

    /// Analyzes the next bytes of the text.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        if head.count < Self.headLength { head.append(contentsOf: piece.prefix(Self.headLength - head.count)) }
        // Bytes of a possibly incomplete character are examined with those that follow.
        if rest.isEmpty {
            let whole = count(in: piece, isLast: false)
            rest = Array(piece[whole...])
        } else {
            let bytes = rest + piece
            let whole = bytes.withUnsafeBytes { count(in: $0, isLast: false) }
            rest = Array(bytes[whole...])
        }
    }

    /// The encoding: by the byte order mark, else by zero bytes (UTF-16) or valid sequences (UTF-8), else by a guess.
    ///
    /// - Returns: The encoding, the length of the byte order mark to skip, and whether the encoding was guessed.
    mutating func finish() -> (encoding: TextEncoding, skip: Int, isGuessed: Bool) {
        let bytes = rest
        rest = []
        _ = bytes.withUnsafeBytes { count(in: $0, isLast: true) }
        if let marked = TextEncoding.marked(head) { return (marked.encoding, marked.length, false) }
        if let bigEndian = TextEncoding.unmarkedUTF16(head.prefix(4_096)) {
            return (.utf16(bigEndian: bigEndian), 0, true)
        }
        // A few stray bytes in a long text do not indicate another encoding.
        if strays == 0 || strays * 20 < multibyte { return (.utf8, 0, false) }
        let padding = head.reversed().prefix { $0 == 0 }.count
        return (.named(TextEncoding.guess(head.dropLast(padding))), 0, true)
    }

    /// Counts valid and invalid sequences of UTF-8 in `bytes`.
    ///
    /// - Returns: How many bytes were examined: all but three, if more may follow.
    private mutating func count(in bytes: UnsafeRawBufferPointer, isLast: Bool) -> Int {
        var position = 0
        let end = isLast ? bytes.count : max(0, bytes.count - 3)
        while position < end {
            let length = UTF8Sequence.length(in: bytes, at: position)
            // A file that was cut within its last character is as it was before.
            if length == 0, isLast, multibyte > 0, UTF8Sequence.isCut(in: bytes, at: position) { return bytes.count }
            if length == 0 { strays += 1 }
            if length > 1 { multibyte += 1 }
            position += max(length, 1)
        }
        return position
    }
}

/// Decodes a text that is in memory.
enum TextDecoding {
    /// The text in UTF-8, with notices about its encoding.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    static func utf8(_ bytes: Data) throws -> ([UInt8], [DocumentNotice]) {
        var survey = EncodingSurvey()
        bytes.withUnsafeBytes { survey.take($0) }
        let (encoding, skip, isGuessed) = survey.finish()
        var converter = TextConverter(encoding)
        var text: [UInt8] = []
        try bytes.withUnsafeBytes { bytes in
            try converter.convert(UnsafeRawBufferPointer(rebasing: bytes[skip...]), isLast: true) { piece in
                try Task.checkCancellation()
                text.append(contentsOf: piece)
            }
        }
        // NULs at the end pad a file.
        text.removeLast(text.reversed().prefix { $0 == 0 }.count)
        return (text, .ofDecoding(as: encoding, isGuessed: isGuessed, replaced: converter.replaced))
    }
}

extension [DocumentNotice] {
    /// Notices about how a text's bytes were decoded.
    static func ofDecoding(as encoding: TextEncoding, isGuessed: Bool, replaced: Int) -> [DocumentNotice] {
        var notices: [DocumentNotice] = []
        if isGuessed { notices.append(.guessedEncoding(encoding.name)) }
        if replaced > 0 { notices.append(.replacedCharacters(replaced)) }
        return notices
    }
}
