package import Foundation

/// Names an encrypted file: 128 random bits, which reveal nothing about its content.
package struct ContentID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// 32 hexadecimal digits, lower case.
    package let text: String

    package var description: String { text }

    /// Makes a new id.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<16).map { _ in Self.hex(UInt8.random(in: .min ... .max, using: &generator)) }.joined()
    }

    /// Fails for anything but 32 hexadecimal digits in lower case.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = String(text)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 32 hexadecimal digits")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The name of its folder: its first two digits.
    var bucket: String { String(text.prefix(2)) }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return byte < 16 ? "0" + text : text
    }
}

/// A row's reference to an encrypted file: enough to find it, and to detect that another or an older one has replaced
/// it.
package struct ContentReference: Sendable, Hashable, Codable {
    package let id: ContentID
    /// The size of the sealed file, in bytes.
    package let sealedSize: Int
    /// SHA-256 of the age header, up to and with the end of the line that holds its MAC: 32 bytes.
    package let headerHash: Data
    /// The size of the content, in bytes.
    package let length: Int

    package init(id: ContentID, sealedSize: Int, headerHash: Data, length: Int) {
        (self.id, self.sealedSize, self.headerHash, self.length) = (id, sealedSize, headerHash, length)
    }
}
