import Crypto
import EchoText
import FileSystem
import Foundation

/// This machine's record of a library's generation, which reveals a replacement by an older copy.
///
/// A file of the device's folder, `ID.generation`: 8 bytes, big-endian, and 32 bytes of HMAC-SHA256 over them and the
/// vault's id, with a key of the vault. It only causes a warning, so that a backup can be restored.
struct GenerationMark: Sendable {
    private let path: String
    private let vault: [UInt8]
    private let key: SecretBytes

    /// - Throws: ``VaultError/locked`` when the keys have been wiped.
    init(_ keys: VaultKeys, deviceFolder: String) throws {
        path = "\(deviceFolder)/\(Self.name(for: keys.vaultID))"
        vault = Array(keys.vaultID.bytes)
        key = try keys.purposeKey("generation")
    }

    /// The name of a vault's file in the device's folder.
    static func name(for vault: HexBytes) -> String { "\(vault.text).generation" }

    /// Whether this machine has seen a newer library than one of `generation`; a mark that is not authentic is ignored.
    func isNewer(than generation: Int) throws -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 41)
        guard read(descriptor, &bytes, bytes.count) == 40 else { return false }
        let number = bytes[..<8].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[8..<40]) == (try code(of: Array(bytes[..<8]))) && number > generation
    }

    /// Remembers `generation`.
    ///
    /// - Throws: ``VaultError``.
    func store(_ generation: Int) throws {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: generation >> (8 * (7 - $0))) }
        let bytes = number + (try code(of: number))
        do {
            // If the mark is lost in a power cut, only the warning is lost.
            try AtomicFile.write(Data(bytes), to: path)
        } catch {
            throw Self.problem(error.errno)
        }
    }

    private static func problem(_ number: Int32) -> VaultError {
        let problem = VaultError(opening: number)
        return problem == .readOnly(.noPermission) ? .deviceFolderReadOnly : problem
    }

    private func code(of number: [UInt8]) throws -> [UInt8] {
        try key.withUnsafeBytes {
            Array(HMAC<SHA256>.authenticationCode(for: number + vault, using: SymmetricKey(data: $0)))
        }
    }
}
