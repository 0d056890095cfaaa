import CProcess
import EchoText
import Foundation

/// Who is at the other end of a socket, as the kernel knows it.
struct AgentPeer: Hashable {
    let user: uid_t

    init(user: uid_t) {
        self.user = user
    }

    /// - Throws: ``VaultError/system(errno:)``.
    init(of socket: Int32) throws(VaultError) {
        var process: pid_t = 0
        var user: uid_t = 0
        let failure = peer_credentials(socket, &user, &process)
        guard failure == 0 else { throw .system(errno: failure) }
        self.init(user: user)
    }

    /// Whether secrets are exchanged with it: with the same person only, not even with the system's administrator.
    func isTrusted(by user: uid_t) -> Bool { self.user == user }
}
