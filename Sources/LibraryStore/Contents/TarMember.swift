import EchoText
import Foundation

/// The file that stands inside a sealed one, as the beginning of a POSIX pax archive with this one member.
///
/// The beginning is always as long, so that what a person put in begins at a fixed place.
package struct TarMember: Sendable, Hashable {
    /// Bytes before the member's: an extended header, its records, and the member's own header.
    static let headSize = 3 * block
    static let block = 512
    /// Two empty blocks end an archive.
    static let endSize = 2 * block
    /// In UTF-8: what Linux allows a file's name.
    static let longestName = 255
    private static let largestOctalSize = 0o77_777_777_777

    /// In Unicode as it was given; a name that can be a file's.
    package let name: String
    /// In bytes.
    package let length: Int

    /// Fails for a name that cannot be a file's: empty, `.` or `..`, with a slash or a control character, or longer than
    /// 255 bytes.
    package init?(name: String, length: Int) {
        let isPlain = name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
        guard !name.isEmpty, name != ".", name != "..", isPlain, name.utf8.count <= Self.longestName, length >= 0 else {
            return nil
        }
        (self.name, self.length) = (name, length)
    }

    /// The bytes of the archive, its end included and filling not.
    var archiveSize: Int {
        Self.headSize + (length + Self.block - 1) / Self.block * Self.block + Self.endSize
    }

    /// ``headSize`` bytes.
    var head: [UInt8] {
        var records = Self.record("path", name)
        if length > Self.largestOctalSize { records += Self.record("size", String(length)) }
        let filling = [UInt8](repeating: 0, count: Self.block - records.count)
        return Self.header(name: "PaxHeaders/content", type: "x", size: records.count) + records + filling
            + Self.header(name: "content", type: "0", size: min(length, Self.largestOctalSize))
    }

    /// Reads what ``head`` wrote.
    ///
    /// - Throws: ``VaultError/contentDamaged`` for anything else.
    init(head: [UInt8]) throws {
        let octal = head.count == Self.headSize ? Self.octal(head[124..<136]) : nil
        guard let records = octal, records <= Self.block else { throw VaultError.contentDamaged }
        let fields = Self.fields(in: head[Self.block..<(Self.block + records)])
        guard let name = fields["path"],
            let length = fields["size"].flatMap({ Int($0) }) ?? Self.octal(head[(2 * Self.block + 124)...].prefix(12)),
            let member = Self(name: name, length: length), member.head == head
        else { throw VaultError.contentDamaged }
        self = member
    }

    /// One line of an extended header, which begins with its own length.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var size = rest.utf8.count
        while size != String(size).utf8.count + rest.utf8.count { size = String(size).utf8.count + rest.utf8.count }
        return Array((String(size) + rest).utf8)
    }

    private static func fields(in records: ArraySlice<UInt8>) -> [String: String] {
        var fields: [String: String] = [:]
        for line in records.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
            guard words.count == 2, let equals = words[1].firstIndex(of: "=") else { return [:] }
            fields[String(words[1][..<equals])] = String(words[1][words[1].index(after: equals)...])
        }
        return fields
    }

    /// A block as POSIX.1-2001 `ustar` lays it out: mode 0600, owner and group 0, of the year 1970.
    private static func header(name: String, type: Character, size: Int) -> [UInt8] {
        func padded(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: digits - text.utf8.count) + text + "\0"
        }
        func filled(_ text: String, _ count: Int) -> String {
            text + String(repeating: "\0", count: count - text.utf8.count)
        }
        let start =
            filled(name, 100) + padded(0o600, 7) + padded(0, 7) + padded(0, 7) + padded(size, 11) + padded(0, 11)
        let end = String(type) + filled("", 100) + "ustar\u{0}00" + filled("", 247)
        let sum = (start + end).utf8.reduce(8 * Int(UInt8(ascii: " "))) { $0 + Int($1) }
        let check = String(padded(sum, 6)) + " "
        return Array((start + check + end).utf8)
    }

    /// Digits up to a zero byte.
    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: field.prefix { $0 != 0 }, as: UTF8.self), radix: 8)
    }
}
