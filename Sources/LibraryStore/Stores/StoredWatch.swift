import EchoText

/// Detects other processes' changes of the database by polling.
package struct StoredWatch: LibraryWatch {
    /// How often it looks.
    private static let pace = Duration.seconds(1)
    /// The slowest polling interval while others keep writing, since each change makes subscribers read everything
    /// again.
    private static let slowestPace = Duration.seconds(4)

    private let database: LibraryDatabase
    private let clock: any Clock<Duration>

    package init(database: LibraryDatabase, clock: any Clock<Duration> = ContinuousClock()) {
        self.database = database
        self.clock = clock
    }

    package func changesByOthers() async -> AsyncStream<Void> {
        let first = try? await database.versionByOthers()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let looking = Task {
                var seen = first
                var pace = Self.pace
                while (try? await clock.sleep(for: pace)) != nil {
                    // If it cannot be read now, the next poll tries again.
                    guard let version = try? await database.versionByOthers() else { continue }
                    let isNew = seen != nil && version != seen
                    seen = version
                    if isNew { continuation.yield() }
                    pace = isNew ? min(pace * 2, Self.slowestPace) : Self.pace
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in looking.cancel() }
        }
    }
}
