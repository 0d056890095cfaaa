import Crypto
import EchoText
import Foundation

/// The header of an age file: its recipients, and a MAC over them.
///
/// - SeeAlso: The age specification, C2SP `age.md`, “Header format”.
struct AgeHeader {
    static let version = "age-encryption.org/v1"
    /// Base64 letters in a full line.
    static let columns = 64
    /// The most bytes a header is read for; ours have 168.
    static let largest = 1 << 20
    static let fileKeySize = 16

    let stanzas: [AgeStanza]
    let mac: [UInt8]
    /// From the first letter to the end of the line that holds the MAC.
    let bytes: [UInt8]

    /// Seals a header.
    init(stanzas: [AgeStanza], fileKey: SecretBytes) throws {
        let sealed = Self.version + "\n" + stanzas.map(\.text).joined() + "---"
        let mac = try Self.mac(of: Array(sealed.utf8), fileKey: fileKey)
        self.stanzas = stanzas
        self.mac = mac
        bytes = Array((sealed + " " + CanonicalBase64.encode(mac) + "\n").utf8)
    }

    /// Reads a header as strictly as the specification requires.
    ///
    /// - Parameter nextLine: The next line without its end; nil when there is no further line end.
    /// - Throws: ``AgeError/header``, and what `nextLine` throws.
    init(nextLine: () throws -> ArraySlice<UInt8>?) throws {
        var bytes: [UInt8] = []
        func line() throws -> ArraySlice<UInt8> {
            guard let line = try nextLine() else { throw AgeError.header }
            bytes += line + [UInt8(ascii: "\n")]
            return line
        }
        guard try line().elementsEqual(Self.version.utf8) else { throw AgeError.header }
        var stanzas: [AgeStanza] = []
        while true {
            let words = try Self.words(of: try line())
            if words.first == "---" {
                guard words.count == 2, let mac = CanonicalBase64.decode(Array(words[1].utf8)), mac.count == 32,
                    !stanzas.isEmpty
                else { throw AgeError.header }
                (self.stanzas, self.mac, self.bytes) = (stanzas, mac, bytes)
                return
            }
            guard words.first == "->", words.count >= 2 else { throw AgeError.header }
            let body = try Self.body(line)
            stanzas.append(AgeStanza(type: words[1], arguments: Array(words[2...]), body: body))
        }
    }

    /// Reads the header at the start of `bytes`, which usually has other bytes after it.
    init(atStartOf bytes: [UInt8]) throws {
        var place = 0
        try self.init {
            guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { place = end + 1 }
            return bytes[place..<end]
        }
    }

    /// - Throws: ``AgeError/headerAltered`` when it was not sealed with this file key.
    func verify(fileKey: SecretBytes) throws {
        let sealed = bytes.dropLast(" ".utf8.count + CanonicalBase64.encode(mac).utf8.count + 1)
        let isRight = try fileKey.withUnsafeBytes { key in
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key),
                info: Array("header".utf8),
                outputByteCount: 32
            )
            return HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: sealed, using: key)
        }
        guard isRight else { throw AgeError.headerAltered }
    }

    private static func mac(of sealed: [UInt8], fileKey: SecretBytes) throws -> [UInt8] {
        try fileKey.withUnsafeBytes { key in
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key),
                info: Array("header".utf8),
                outputByteCount: 32
            )
            return Array(HMAC<SHA256>.authenticationCode(for: sealed, using: key))
        }
    }

    /// Visible ASCII between single spaces.
    private static func words(of line: ArraySlice<UInt8>) throws -> [String] {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (33...126).contains($0) } }) else {
            throw AgeError.header
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Full lines, then a shorter one, which may be empty.
    private static func body(_ nextLine: () throws -> ArraySlice<UInt8>) throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try nextLine()
            guard line.count <= columns, let bytes = CanonicalBase64.decode(line) else { throw AgeError.header }
            body += bytes
            if line.count < columns { return body }
        }
    }
}

/// Reads the lines of a header at the start of a file, and buffers what was read beyond them.
struct AgeHeaderInput {
    private let size: Int
    private let source: (_ offset: Int, UnsafeMutableRawBufferPointer) throws -> Void
    /// How much of the file was read.
    private var place = 0
    private var pending: [UInt8] = []
    private var taken = 0

    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - source: Fills a whole buffer with bytes from a position in the file.
    init(size: Int, source: @escaping (_ offset: Int, UnsafeMutableRawBufferPointer) throws -> Void) {
        (self.size, self.source) = (size, source)
    }

    /// The next line without its end; nil when the file ends before it does, or the header is too long.
    mutating func nextLine() throws -> ArraySlice<UInt8>? {
        var searched = 0
        while true {
            if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = pending[..<end]
                pending = Array(pending[(end + 1)...])
                taken += line.count + 1
                return line
            }
            searched = pending.count
            guard taken + pending.count <= AgeHeader.largest, try readMore(upTo: 4_096) else { return nil }
        }
    }

    /// Reads more, at most `count` bytes; false at the end.
    private mutating func readMore(upTo count: Int) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: min(count, size - place))
        try buffer.withUnsafeMutableBytes { try source(place, $0) }
        place += buffer.count
        pending += buffer
        return !buffer.isEmpty
    }
}

/// The file key wrapped for one recipient: the lines of an age header from one `->` to the next.
struct AgeStanza: Hashable {
    /// The kind of key it is for; one or more visible ASCII characters.
    let type: String
    /// Each argument has one or more visible ASCII characters.
    let arguments: [String]
    let body: [UInt8]

    /// The stanza as written in a header, including the last line end.
    var text: String {
        let base64 = CanonicalBase64.encode(body)
        var lines = [(["->", type] + arguments).joined(separator: " ")]
        var rest = base64[...]
        while rest.count >= AgeHeader.columns {
            lines.append(String(rest.prefix(AgeHeader.columns)))
            rest = rest.dropFirst(AgeHeader.columns)
        }
        lines.append(String(rest))
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Base64 with exactly one encoding of each byte string: the alphabet of RFC 4648 §4, with unused bits zero.
enum CanonicalBase64 {
    /// Without padding.
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = Data(bytes).base64EncodedString()
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }

    /// - Parameters:
    ///   - text: The letters, in ASCII.
    ///   - isPadded: Whether `=` pads the last four letters, or there is no padding.
    /// - Returns: `nil` when `text` is not a canonical encoding.
    static func decode(_ text: some Collection<UInt8>, isPadded: Bool = false) -> [UInt8]? {
        guard isPadded || !text.contains(UInt8(ascii: "=")), !isPadded || text.count.isMultiple(of: 4) else {
            return nil
        }
        let missing = isPadded ? 0 : (4 - text.count % 4) % 4
        let padded = Data(text) + Data(repeating: UInt8(ascii: "="), count: missing)
        guard let data = Data(base64Encoded: padded), data.base64EncodedData() == padded else { return nil }
        return [UInt8](data)
    }
}
