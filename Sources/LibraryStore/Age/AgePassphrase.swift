import Crypto
import CryptoExtras
import EchoText
import Foundation

/// Opens and seals with words a person remembers.
package struct AgePassphrase: Sendable {
    static let type = "scrypt"
    /// The most that is tried when reading.
    ///
    /// 2^20 rounds take 1 GiB and some seconds. It keeps a file from hanging the
    /// program; `age` itself writes 18.
    static let largestWorkFactor = 20
    private static let label = Array("age-encryption.org/v1/scrypt".utf8)

    private let words: SecretBytes
    /// The logarithm, to base 2, of the rounds when sealing.
    private let workFactor: Int

    /// - Parameters:
    ///   - words: In UTF-8.
    ///   - workFactor: The logarithm, to base 2, of the rounds when sealing; 1 to 20.
    package init(_ words: SecretBytes, workFactor: Int = 18) {
        precondition((1...Self.largestWorkFactor).contains(workFactor), "no work factor: \(workFactor)")
        self.words = words
        self.workFactor = workFactor
    }

    func stanza(wrapping fileKey: SecretBytes) throws -> AgeStanza {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let wrapping = AgeKeyWrap(key: try key(salt: salt, workFactor: workFactor))
        return AgeStanza(
            type: Self.type,
            arguments: [CanonicalBase64.encode(salt), String(workFactor)],
            body: try wrapping.seal(fileKey)
        )
    }

    /// - Parameter stanza: Of any type.
    /// - Returns: nil when the stanza is for somebody else, or the words are wrong.
    /// - Throws: ``AgeError/header`` when it is not as the format wants it, or would take too long.
    func fileKey(from stanza: AgeStanza) throws -> SecretBytes? {
        guard stanza.type == Self.type else { return nil }
        guard stanza.arguments.count == 2,
            let salt = CanonicalBase64.decode(Array(stanza.arguments[0].utf8)), salt.count == 16,
            let factor = Self.number(stanza.arguments[1]), factor <= Self.largestWorkFactor,
            stanza.body.count == AgeKeyWrap.size
        else { throw AgeError.header }
        return AgeKeyWrap(key: try key(salt: salt, workFactor: factor)).open(stanza.body)
    }

    private func key(salt: [UInt8], workFactor: Int) throws -> SymmetricKey {
        try words.withUnsafeBytes { words in
            try KDF.Scrypt.deriveKey(
                from: words,
                salt: Self.label + salt,
                outputByteCount: 32,
                rounds: 1 << workFactor,
                blockSize: 8,
                parallelism: 1
            )
        }
    }

    /// A decimal number above zero without sign or leading zeros.
    private static func number(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), text.first != "0" else {
            return nil
        }
        return Int(text)
    }
}
