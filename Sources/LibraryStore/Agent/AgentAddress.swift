import CSodium
package import EchoText
import Foundation

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
