import Foundation

/// The one file inside a content, as tar has it: its bytes always begin at the same place, whatever it is called.
///
/// - SeeAlso: POSIX.1-2017, pax, “pax Interchange Format”: an extended header (512 bytes and its records) before the header.
struct TarMember: Equatable {
    /// Where the file's bytes begin.
    static let offset = 4 * block + recordSpace - 2 * block
    private static let block = 512
    /// Room for the extended records; what they do not fill, a comment does.
    private static let recordSpace = 2 * block
    /// What marks the end of an archive.
    private static let end = 2 * block

    /// UTF-8, without folders.
    let name: String
    /// In bytes.
    let length: Int

    /// What stands before the file's bytes; ``offset`` bytes.
    var head: Data {
        var records = Self.record("path", name) + Self.record("size", String(length))
        records += Self.filler(Self.recordSpace - records.utf8.count)
        return Self.header(name: "pax", length: Self.recordSpace, type: "x") + Data(records.utf8)
            + Self.header(name: "content", length: min(length, 0o77777777777), type: "0")
    }

    /// How many zeros stand behind the file's bytes, to the padded end of the whole.
    var tail: Int { total - Self.offset - length }

    /// Bytes of the whole archive, padding included.
    var total: Int {
        let blocks = (length + Self.block - 1) / Self.block * Self.block
        return Padme.size(of: Self.offset + blocks + Self.end)
    }

    /// - Precondition: `name` has at most 800 bytes and neither a NUL nor a slash.
    init(name: String, length: Int) {
        precondition(name.utf8.count <= 800 && !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }))
        precondition(length >= 0)
        self.name = name
        self.length = length
    }

    /// Reads what ``head`` writes; `nil` for anything else.
    init?(parsing head: Data) {
        guard head.count == Self.offset else { return nil }
        var rest = [UInt8](head)[Self.block..<Self.block + Self.recordSpace]
        var values: [String: String] = [:]
        while let space = rest.firstIndex(of: UInt8(ascii: " ")) {
            guard let length = Int(String(decoding: rest[rest.startIndex..<space], as: UTF8.self)),
                length > space - rest.startIndex + 1, length <= rest.count
            else { return nil }
            let record = rest[(space + 1)..<(rest.startIndex + length - 1)]
            guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            values[String(decoding: record[..<equals], as: UTF8.self)] =
                String(decoding: record[(equals + 1)...], as: UTF8.self)
            rest = rest[(rest.startIndex + length)...]
        }
        guard let name = values["path"], let length = values["size"].flatMap({ Int($0) }), length >= 0 else {
            return nil
        }
        self.name = name
        self.length = length
        guard self.head == head else { return nil }
    }

    /// “LENGTH key=value\n”, where LENGTH counts itself.
    private static func record(_ key: String, _ value: String) -> String {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while String(length).utf8.count + rest.utf8.count != length {
            length = String(length).utf8.count + rest.utf8.count
        }
        return "\(length)\(rest)"
    }

    /// A comment of exactly `count` bytes.
    private static func filler(_ count: Int) -> String {
        let frame = "\(count) comment=\n"
        return "\(count) comment=" + String(repeating: " ", count: count - frame.utf8.count) + "\n"
    }

    /// A ustar header: whose files these are and when they were made is not told.
    private static func header(name: String, length: Int, type: Character) -> Data {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int, digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0)
        put(octal(0o600, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(length, digits: 11), at: 124)
        put(octal(0, digits: 11), at: 136)
        put("        ", at: 148)
        put(String(type), at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(octal(sum, digits: 6), at: 148)
        header[154] = 0
        header[155] = UInt8(ascii: " ")
        return Data(header)
    }
}
