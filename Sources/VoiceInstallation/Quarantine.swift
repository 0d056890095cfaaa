import CArchive  // has “struct stat” too, and either may count as its home
import EchoText
import Foundation

/// A hidden folder beside the voices, in which one is put together until it is moved to its place.
///
/// Whoever works in it holds a lock on it, which the system frees when that process ends, however it ends. What nobody holds is
/// left over and may be swept away.
final class Quarantine: Sendable {
    private static let prefix = ".incoming-"

    let path: String
    private let descriptor: Int32

    /// - Throws: ``VoiceInstallError/cannotWrite`` or ``VoiceInstallError/noSpace(needed:free:)``.
    init(in voicesFolder: String) throws(VoiceInstallError) {
        while true {
            let path = "\(voicesFolder)/\(Self.prefix)\(UUID().uuidString.lowercased())"
            guard mkdir(path, 0o700) == 0 else { throw VoiceInstallError(writing: errno) }
            let held: Int32?
            do {
                held = try Self.lock(path)
            } catch {
                rmdir(path)
                throw error
            }
            // A sweep may have come between the two; then another is made.
            guard let descriptor = held else { continue }
            self.path = path
            self.descriptor = descriptor
            return
        }
    }

    deinit {
        // Closing alone would leave the lock to a child process that is being started just now and has not let go of its copy.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes the folder away with all that is still in it.
    func discard() {
        Self.remove(path)
    }

    /// The lock on a folder that is still where it was; `nil` when another holds it or has taken it away.
    ///
    /// - Throws: ``VoiceInstallError/cannotWrite`` where folders cannot be locked, as on some network disks.
    private static func lock(_ path: String) throws(VoiceInstallError) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .cannotWrite }
            return nil
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            close(descriptor)
            guard isHeld else { throw .cannotWrite }
            return nil
        }
        var held = stat()
        var named = stat()
        guard fstat(descriptor, &held) == 0, lstat(path, &named) == 0,
            held.st_ino == named.st_ino, held.st_dev == named.st_dev
        else {
            close(descriptor)
            return nil
        }
        return descriptor
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
            guard let descriptor = try? lock(path) else { return false }
            defer { close(descriptor) }
            return remove(path)
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
