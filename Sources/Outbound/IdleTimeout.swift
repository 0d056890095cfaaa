import EchoText

/// Cancels work that waits for a server that has stopped sending.
struct IdleTimeout: Sendable {
    private let longest: Duration
    private let clock: any Clock<Duration>

    init(_ longest: Duration, clock: any Clock<Duration>) {
        self.longest = longest
        self.clock = clock
    }

    /// Runs `work`, which calls `heartbeat` whenever the server sends something.
    ///
    /// - Throws: ``VoiceDownloadError/stalled(host:)``, and what `work` throws.
    func watch<Output: Sendable>(
        host: String,
        _ work: @escaping @Sendable (_ heartbeat: @escaping @Sendable () -> Void) async throws -> Output
    ) async throws -> Output {
        let watchdog = Watchdog(timeout: longest, clock: clock)
        return try await withThrowingTaskGroup(of: Output?.self) { group in
            group.addTask { try await work { watchdog.heartbeat() } }
            group.addTask {
                try await watchdog.expiration()
                return nil
            }
            defer { group.cancelAll() }
            guard let output = try await group.next() ?? nil else { throw VoiceDownloadError.stalled(host: host) }
            return output
        }
    }
}
