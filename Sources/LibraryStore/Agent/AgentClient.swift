import EchoText
import Foundation

/// The client of one library's unlock agent, if one is running.
package struct AgentClient: Sendable {
    private let address: AgentAddress
    private let timeout: Duration

    package init(at address: AgentAddress) {
        self.init(at: address, timeout: AgentConnection.timeout)
    }

    /// - Parameters:
    ///   - address: The agent's address.
    ///   - timeout: The time limit of each step of an exchange.
    init(at address: AgentAddress, timeout: Duration) {
        self.address = address
        self.timeout = timeout
    }

    /// The secret, for as long as the lease is neither closed nor locked.
    ///
    /// - Returns: `nil` when no agent holds the library open.
    /// - Throws: ``AgentError``, ``VaultError``.
    package func lease() async throws -> AgentLease? {
        try await ask(.lease) { connection, answer in
            guard answer == .secret else { throw AgentError.protocolViolation }
            do {
                let secret = try SecretBytes(count: AgentProtocol.secretLength) { buffer in
                    guard try connection.receive(into: buffer) else { throw UnexpectedEnd() }
                }
                return AgentLease(of: secret, over: connection)
            } catch is UnexpectedEnd {
                return nil
            }
        }
    }

    /// - Returns: `nil` when no agent holds the library open.
    /// - Throws: ``AgentError``, ``VaultError``.
    package func status() async throws -> AgentStatus? {
        try await ask(.status) { connection, answer in
            guard answer == .status else {
                guard answer == .locked else { throw AgentError.protocolViolation }
                return nil
            }
            guard let bytes = try connection.receive(AgentStatus.length) else { return nil }
            return AgentStatus(bytes)
        }
    }

    /// Locks the library; when this returns, the agent has wiped the secret and released its address.
    ///
    /// - Returns: Whether there was an agent to lock.
    /// - Throws: ``AgentError``, ``VaultError``.
    @discardableResult
    package func lock() async throws -> Bool {
        try await ask(.lock) { _, answer in
            guard answer == .locked else { throw AgentError.protocolViolation }
            return true
        } ?? false
    }

    private func ask<Output: Sendable>(
        _ request: AgentRequest,
        _ read: @escaping @Sendable (AgentConnection, AgentAnswer) throws -> Output?
    ) async throws -> Output? {
        try await onBlockingThread { [address, timeout] in
            guard let connection = try AgentConnection.open(at: address, timeout: timeout) else { return nil }
            guard let answer = try connection.ask(request) else { return nil }
            if answer == .locked, request == .lease { return nil }
            return try read(connection, answer)
        }
    }

    private struct UnexpectedEnd: Error {}
}
