import Crypto
import Foundation

/// Locks the strings and streams of a PDF with a password, with RC4 and keys of 40 bits, which every reader knows.
///
/// - SeeAlso: ISO 32000-1, 7.6.3, Standard Security Handler, revision 2.
struct PDFLock {
    private static let padding: [UInt8] = [
        0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
        0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
    ]
    private static let keyLength = 5  // bytes
    /// The permissions in the format's encoding: everything.
    private static let permissions: Int32 = -4
    private static let id: [UInt8] = Array("EchoText sample.".utf8)

    private let key: [UInt8]
    private let owner: [UInt8]

    /// - Parameter password: At most 32 ASCII characters.
    init(password: String) {
        let padded = Array((Array(password.utf8) + Self.padding).prefix(Self.padding.count))
        owner = Self.cipher(padded, Array(Self.digest(padded).prefix(Self.keyLength)))
        let permissions = withUnsafeBytes(of: Self.permissions.littleEndian) { Array($0) }
        key = Array(Self.digest(padded + owner + permissions + Self.id).prefix(Self.keyLength))
    }

    /// The dictionary that says how it is locked.
    var dictionary: String {
        let user = Data(Self.cipher(Self.padding, key))
        return """
            <</Filter/Standard/V 1/R 2/O\(Self.hexadecimal(Data(owner)))/U\(Self.hexadecimal(user))/P \(Self.permissions)>>
            """
    }

    /// The file's name, which is part of its lock.
    var name: String { Self.hexadecimal(Data(Self.id)) }

    /// A string or stream of the object of that number.
    func locked(_ bytes: Data, in number: Int) -> Data {
        let place = [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16 & 0xFF), 0, 0]
        let key = Array(Self.digest(key + place).prefix(Self.keyLength + place.count))
        return Data(Self.cipher(Array(bytes), key))
    }

    static func hexadecimal(_ bytes: Data) -> String {
        let digits = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }
        return "<\(digits.joined())>"
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.MD5.hash(data: bytes)) }

    /// RC4.
    private static func cipher(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        var state = (0...255).map { UInt8($0) }
        var second = 0
        for first in 0..<256 {
            second = (second + Int(state[first]) + Int(key[first % key.count])) & 0xFF
            state.swapAt(first, second)
        }
        var (one, other) = (0, 0)
        return bytes.map { byte in
            one = (one + 1) & 0xFF
            other = (other + Int(state[one])) & 0xFF
            state.swapAt(one, other)
            return byte ^ state[(Int(state[one]) + Int(state[other])) & 0xFF]
        }
    }
}
