import CProcess
import CSodium
package import EchoText
import FileSystem
import Foundation

/// The open folder of an agent's socket: operations use its descriptor, so they stay in this folder even if its path
/// changes.
final class AgentFolder: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens the folder at `address`; no link is followed to it, and only its owner can enter it afterwards.
    ///
    /// - Parameters:
    ///   - address: Whose folder.
    ///   - isMade: Whether a folder that is missing is made.
    /// - Returns: `nil` when it is missing and was not to be made.
    /// - Throws: ``VaultError/unsafeFolder``, or ``VaultError/system(errno:)``.
    static func open(at address: AgentAddress, making isMade: Bool) throws(VaultError) -> AgentFolder? {
        let isBaseMade = isMade && address.subfolder == nil
        guard let base = try open(address.base, in: AT_FDCWD, making: isBaseMade) else { return nil }
        guard let subfolder = address.subfolder else { return base }
        return try open(subfolder, in: base.descriptor, making: isMade)
    }

    private static func open(
        _ name: String,
        in parent: Int32,
        making isMade: Bool
    ) throws(VaultError) -> AgentFolder? {
        // The mode of a new folder is corrected at once, because the umask may have removed permissions that its owner
        // needs.
        if isMade, mkdirat(parent, name, 0o700) == 0, fchmodat(parent, name, 0o700, 0) != 0 {
            throw .system(errno: errno)
        }
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT where !isMade: return nil
            case ELOOP, ENOTDIR: throw .unsafeFolder
            default: throw .system(errno: errno)
            }
        }
        let folder = AgentFolder(descriptor)
        try folder.closeToOthers()
        return folder
    }

    private func closeToOthers() throws(VaultError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno: errno) }
        guard status.st_uid == geteuid() else { throw .unsafeFolder }
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o700) != 0 { throw .system(errno: errno) }
    }
}

extension AgentFolder {
    /// Opens the lock file `name`, created if missing; its lock shows whether another process holds it.
    ///
    /// - Throws: ``VaultError/unsafeFolder``, or ``VaultError/system(errno:)``.
    func openLock(_ name: String) throws(VaultError) -> LockableFile {
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw errno == ELOOP ? .unsafeFolder : .system(errno: errno) }
        let lock = LockableFile(file)
        guard fchmod(file, 0o600) == 0 else { throw .system(errno: errno) }
        return lock
    }

    /// Starts to report changes of its files.
    ///
    /// - Throws: ``VaultError/system(errno:)``.
    func changes() throws(VaultError) -> FolderWatch {
        try VaultError.translating { () throws(SystemError) in
            try FolderWatch(for: [.movedHere, .removed], in: "/proc/self/fd/\(descriptor)")
        }
    }

    /// Which file the entry `name` is, `nil` when there is none.
    func identity(of name: String) -> FileIdentity? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileIdentity(status)
    }

    /// - Returns: Whether the entry `name` has that mode now.
    func setMode(_ mode: mode_t, of name: String) -> Bool { fchmodat(descriptor, name, mode, 0) == 0 }

    /// Renames the entry `name` to an unused name.
    ///
    /// - Throws: ``VaultError/system(errno:)``, `EEXIST` if the name is in use.
    func rename(_ name: String, to newName: String) throws(VaultError) {
        let failure = rename_within(descriptor, name, newName)
        guard failure == 0 else { throw .system(errno: failure) }
    }

    /// Removes the entry `name`; of a link, the link itself.
    ///
    /// - Throws: ``VaultError/system(errno:)``.
    func remove(_ name: String) throws(VaultError) {
        guard unlinkat(descriptor, name, 0) == 0 else { throw .system(errno: errno) }
    }

    /// Calls `body` with the address of the socket `name`.
    ///
    /// The path goes through the open descriptor, so it always fits into `sun_path`.
    func withAddress<Result>(of name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(descriptor)/\(name)".utf8)
        precondition(path.count < MemoryLayout.size(ofValue: address.sun_path), "a socket's name is short")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The address of one library's unlock agent: a socket in a folder that only its owner can access.
package struct AgentAddress: Sendable, Hashable, Codable {
    /// The folder, which exists or whose parent exists; absolute.
    let base: String
    /// The folder in ``base`` that holds the socket, `nil` when ``base`` itself does.
    let subfolder: String?
    /// The name of the socket and its lock, which reveals nothing about the library.
    let name: String

    /// - Parameters:
    ///   - library: The library's existing folder; its address is the same through any links.
    ///   - deviceFolder: The folder of the socket if this login has no runtime folder; absolute, created if missing.
    ///   - runtimeFolder: The value of `XDG_RUNTIME_DIR`; used if it is absolute, owned by this user and closed to
    ///     others.
    /// - Throws: ``VaultError/system(errno:)`` when the library's folder cannot be found.
    package init(library: String, deviceFolder: String, runtimeFolder: String?) throws(VaultError) {
        guard let path = realpath(library, nil) else { throw .system(errno: errno) }
        defer { free(path) }
        name = Self.name(of: UnsafeRawBufferPointer(start: path, count: strlen(path)))
        if let runtimeFolder, Self.isPrivate(runtimeFolder) {
            base = runtimeFolder
            subfolder = "echotext"
        } else {
            base = deviceFolder
            subfolder = nil
        }
    }

    var socket: String { "\(name).socket" }
    /// The socket's name until it listens.
    var newSocket: String { "\(name).new" }
    var lock: String { "\(name).lock" }

    /// 16 bytes of BLAKE2b, in hexadecimal.
    private static func name(of path: UnsafeRawBufferPointer) -> String {
        precondition(sodium_init() >= 0, "libsodium cannot start: the system has no random numbers")
        var hash = [UInt8](repeating: 0, count: 16)
        let bytes = path.assumingMemoryBound(to: UInt8.self)
        crypto_generichash(&hash, hash.count, bytes.baseAddress, UInt64(bytes.count), nil, 0)
        return hash.map { String(format: "%02x", $0) }.joined()
    }

    private static func isPrivate(_ folder: String) -> Bool {
        var status = stat()
        guard folder.hasPrefix("/"), lstat(folder, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }
}
