import Crypto
import EchoText
import Foundation

/// Seals a file key with a key that is used only once, which is why its nonce may be all zeros.
struct AgeKeyWrap {
    /// Bytes of a wrapped file key: the key and its tag.
    static let size = AgeHeader.fileKeySize + 16

    private static let nonce = Data(count: 12)
    let key: SymmetricKey

    func seal(_ fileKey: SecretBytes) throws -> [UInt8] {
        try fileKey.withUnsafeBytes { bytes in
            let box = try ChaChaPoly.seal(bytes, using: key, nonce: ChaChaPoly.Nonce(data: Self.nonce))
            return Array(box.ciphertext + box.tag)
        }
    }

    /// - Parameter wrapped: ``size`` bytes.
    /// - Returns: nil when it was sealed with another key.
    func open(_ wrapped: [UInt8]) -> SecretBytes? {
        guard wrapped.count == Self.size, let box = try? ChaChaPoly.SealedBox(combined: Self.nonce + wrapped),
            let opened = try? ChaChaPoly.open(box, using: key)
        else { return nil }
        return SecretBytes(copying: opened)
    }
}
