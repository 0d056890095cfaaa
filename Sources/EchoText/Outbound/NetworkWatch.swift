/// Watches whether this machine has a network.
///
/// Services on this machine need none. An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting`
/// checks: ``states()`` emits its first element at once, and no two in a row are the same.
package protocol NetworkWatch: Sendable {
    /// The state now and after each change, the newest of those that have not been read; ends when its reader ends.
    func states() -> AsyncStream<NetworkState>
}

/// Whether other machines may be reached.
package enum NetworkState: String, Sendable, Hashable, Codable {
    /// The machine has a route to others; a particular server may still be unreachable.
    case reachable
    /// The machine has no route, and attempts are useless.
    case unreachable
}

extension NetworkWatch {
    /// Returns when there is a network.
    ///
    /// - Throws: `CancellationError`.
    package func untilReachable() async throws {
        for await state in states() where state == .reachable { return }
        try Task.checkCancellation()
    }
}
