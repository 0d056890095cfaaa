import EchoText
import FileSystem
import Foundation

/// Writes a tar archive of a folder as a stream; `tar --extract` restores it, readable for its owner only.
struct TarArchive {
    private let sink: any ByteSink

    init(to sink: any ByteSink) {
        self.sink = sink
    }

    /// Adds a folder with its whole content, in the order of the names.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - name: Its name in the archive.
    /// - Throws: What reading and writing throw.
    func add(contentsOf folder: String, as name: String) async throws {
        try await begin(.folder, "\(name)/", length: 0)
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            var isFolder = ObjCBool(false)
            let place = "\(folder)/\(path)"
            guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                try await begin(.folder, "\(name)/\(path)/", length: 0)
            } else {
                try await add(try StoredFile(at: place), "\(name)/\(path)")
            }
        }
    }

    private func add(_ file: StoredFile, _ name: String) async throws {
        try await begin(.file, name, length: file.length)
        try await file.forEachPiece { try await sink.append($0) }
        try await fill(after: file.length)
    }

    /// An extended header precedes the member if the normal one cannot express its values.
    private func begin(_ type: TarHeader.Kind, _ name: String, length: Int) async throws {
        var records: [UInt8] = []
        if name.utf8.count > TarHeader.longestName { records += TarHeader.record("path", name) }
        if length > TarHeader.largestSize { records += TarHeader.record("size", String(length)) }
        if !records.isEmpty {
            let header = TarHeader(name: "PaxHeaders/member", type: .extended, size: records.count)
            try await sink.append(Data(header.bytes + records))
            try await fill(after: records.count)
        }
        let short = name.utf8.count > TarHeader.longestName ? "member" : name
        let header = TarHeader(name: short, type: type, size: min(length, TarHeader.largestSize))
        try await sink.append(Data(header.bytes))
    }

    private func fill(after length: Int) async throws {
        let rest = length % TarHeader.size
        if rest > 0 { try await sink.append(Data(count: TarHeader.size - rest)) }
    }

    /// Writes the end: two empty blocks.
    func end() async throws { try await sink.append(Data(count: 2 * TarHeader.size)) }
}

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
    /// In bytes, more than any disk has.
    private static let longest = 1 << 60

    /// A valid file name, in its original Unicode form.
    package let name: String
    /// In bytes.
    package let length: Int

    /// Fails for a name that cannot be a file's: empty, `.` or `..`, with a slash or a control character, or longer than
    /// 255 bytes; and for a length that no file has.
    package init?(name: String, length: Int) {
        let isPlain = name.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
        guard !name.isEmpty, name != ".", name != "..", isPlain, name.utf8.count <= Self.longestName,
            (0...Self.longest).contains(length)
        else { return nil }
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

/// The header block of a member of a tar archive: POSIX.1-2001's `ustar`, owner and group 0, of the year 1970.
struct TarHeader {
    enum Kind: Character {
        case file = "0"
        case folder = "5"
        /// Records for the member after it.
        case extended = "x"
    }

    /// The size of a header in bytes, and of the blocks to which members are padded.
    static let size = 512
    /// The largest size of a member that fits into the header; larger ones need an extended header.
    static let largestSize = 0o77_777_777_777
    /// The longest name in bytes that fits into the header.
    static let longestName = 100

    let name: String
    let type: Kind
    /// The member's size, in bytes.
    let size: Int

    /// ``size`` bytes.
    ///
    /// - Precondition: The name has at most ``longestName`` bytes, and the member at most ``largestSize``.
    var bytes: [UInt8] {
        let mode = type == .folder ? 0o700 : 0o600
        let start =
            filled(name, Self.longestName) + padded(mode, 7) + padded(0, 7) + padded(0, 7) + padded(size, 11)
            + padded(0, 11)
        let end = String(type.rawValue) + filled("", 100) + "ustar\u{0}00" + filled("", 247)
        let sum = (start + end).utf8.reduce(8 * Int(UInt8(ascii: " "))) { $0 + Int($1) }
        let check = String(padded(sum, 6)) + " "
        return Array((start + check + end).utf8)
    }

    /// A line of an extended header, which begins with its own length.
    static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var size = rest.utf8.count
        while size != String(size).utf8.count + rest.utf8.count { size = String(size).utf8.count + rest.utf8.count }
        return Array((String(size) + rest).utf8)
    }

    private func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: digits - text.utf8.count) + text + "\0"
    }

    private func filled(_ text: String, _ count: Int) -> String {
        text + String(repeating: "\0", count: count - text.utf8.count)
    }
}
