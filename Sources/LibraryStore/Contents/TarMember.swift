import EchoText
import Foundation

/// The file inside an encrypted one, as the beginning of a POSIX pax archive with this single member.
///
/// The beginning has a fixed length, so that the content starts at a fixed position.
package struct TarMember: Sendable, Hashable {
    /// Bytes before the member's: an extended header, its records, and the member's own header.
    static let headSize = 3 * block
    private static let block = TarHeader.size
    /// Two empty blocks end an archive.
    static let endSize = 2 * block
    /// In UTF-8: Linux's limit of a file name.
    static let longestName = 255

    /// A valid file name, in its original Unicode form.
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

    /// - Precondition: The length is not negative.
    init(_ name: SealedName, length: Int) {
        precondition(length >= 0, "a file has no \(length) bytes")
        (self.name, self.length) = (name.text, length)
    }

    /// The bytes of the archive, its end included and filling not.
    var archiveSize: Int {
        Self.headSize + (length + Self.block - 1) / Self.block * Self.block + Self.endSize
    }

    /// ``headSize`` bytes.
    var head: [UInt8] {
        var records = TarHeader.record("path", name)
        if length > TarHeader.largestSize { records += TarHeader.record("size", String(length)) }
        let filling = [UInt8](repeating: 0, count: Self.block - records.count)
        return TarHeader(name: "PaxHeaders/content", type: .extended, size: records.count).bytes + records + filling
            + TarHeader(name: "content", type: .file, size: min(length, TarHeader.largestSize)).bytes
    }

    /// Parses a ``head``.
    ///
    /// - Throws: ``VaultError/contentDamaged`` for anything else.
    init(head: [UInt8]) throws {
        let octal = head.count == Self.headSize ? Self.octal(head[124..<136]) : nil
        guard let records = octal, (0...Self.block).contains(records) else { throw VaultError.contentDamaged }
        let fields = Self.fields(in: head[Self.block..<(Self.block + records)])
        guard let name = fields["path"],
            let length = fields["size"].flatMap({ Int($0) }) ?? Self.octal(head[(2 * Self.block + 124)...].prefix(12)),
            let member = Self(name: name, length: length), member.head == head
        else { throw VaultError.contentDamaged }
        self = member
    }

    private static func fields(in records: ArraySlice<UInt8>) -> [String: String] {
        var fields: [String: String] = [:]
        for line in records.split(separator: UInt8(ascii: "\n")) {
            // Parsed as bytes: a value may begin with a combining mark, which forms one Character with the “=” before
            // it.
            guard let space = line.firstIndex(of: UInt8(ascii: " ")),
                let equals = line[space...].firstIndex(of: UInt8(ascii: "="))
            else { return [:] }
            let key = String(decoding: line[(space + 1)..<equals], as: UTF8.self)
            fields[key] = String(decoding: line[(equals + 1)...], as: UTF8.self)
        }
        return fields
    }

    /// Digits up to a zero byte.
    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: field.prefix { $0 != 0 }, as: UTF8.self), radix: 8)
    }
}
