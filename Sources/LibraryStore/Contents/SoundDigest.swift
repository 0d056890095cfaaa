import Crypto
package import EchoText
import Foundation

/// The digest that identifies a sound, wherever it is stored.
package enum SoundDigest {
    private static let piece = 1 << 20  // bytes

    /// Computes the SHA-256 of the sound's bytes, in 64 lower-case hexadecimal digits.
    ///
    /// - Throws: What reading throws, and `CancellationError`.
    package static func sha256(of sound: any StoredSound) async throws -> String {
        var hash = SHA256()
        var position = 0
        while position < sound.length {
            try Task.checkCancellation()
            let range = position..<min(sound.length, position + piece)
            hash.update(data: try await sound.read(range))
            position = range.upperBound
        }
        return HexBytes(Array(hash.finalize())).text
    }
}
