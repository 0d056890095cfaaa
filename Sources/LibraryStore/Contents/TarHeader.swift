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
