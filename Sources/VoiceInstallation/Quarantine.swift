import EchoText
import FileSystem
import Foundation

/// A hidden folder beside the voices, in which one is put together until it is moved to its place.
///
/// Whoever works in it holds a lock on it, which the system frees when that process ends, however it ends. What nobody holds is
/// left over and may be swept away.
final class Quarantine: Sendable {
    private static let prefix = ".incoming-"

    let path: String
    private let held: LockableFile

    /// - Throws: ``VoiceInstallError/cannotWrite`` or ``VoiceInstallError/noSpace(needed:free:)``.
    init(in voicesFolder: String) throws(VoiceInstallError) {
        while true {
            let path = "\(voicesFolder)/\(Self.prefix)\(UUID().uuidString.lowercased())"
            guard mkdir(path, 0o700) == 0 else { throw VoiceInstallError(writing: errno) }
            let held: LockableFile?
            do {
                held = try Self.lock(path)
            } catch {
                rmdir(path)
                throw error
            }
            // A sweep may have come between the two; then another is made.
            guard let held else { continue }
            self.path = path
            self.held = held
            return
        }
    }

    /// Takes the folder away with all that is still in it.
    func discard() {
        Self.remove(path)
    }

    /// The lock on a folder that is still where it was; `nil` when another holds it or has taken it away.
    ///
    /// - Throws: ``VoiceInstallError/cannotWrite`` where folders cannot be locked, as on some network disks.
    private static func lock(_ path: String) throws(VoiceInstallError) -> LockableFile? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .cannotWrite }
            return nil
        }
        let folder = LockableFile(descriptor)
        guard let isOurs = try? folder.lock() else { throw .cannotWrite }
        return isOurs && folder.isNamed(path) ? folder : nil
    }

    /// Removes what is left in a folder of voices and nobody works on.
    ///
    /// - Returns: How much that was.
    static func sweep(_ voicesFolder: String) -> Int {
        // A folder that is not there yet has nothing left in it.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: voicesFolder)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.count { name in
            let path = "\(voicesFolder)/\(name)"
            // What cannot be locked stays for another sweep.
            guard let held = try? lock(path) else { return false }
            return withExtendedLifetime(held) { remove(path) }
        }
    }

    @discardableResult
    private static func remove(_ path: String) -> Bool {
        // What cannot be removed now is tried again with the next sweep.
        (try? FileManager.default.removeItem(atPath: path)) != nil
    }
}

extension VoiceInstallError {
    /// The error of a failed write.
    init(writing problem: Int32, needed: Int64 = 0, at path: String? = nil) {
        guard problem == ENOSPC || problem == EDQUOT else {
            self = .cannotWrite
            return
        }
        self = .noSpace(needed: needed, free: path.flatMap(FreeSpace.bytes) ?? 0)
    }
}
