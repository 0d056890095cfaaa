import EchoText

/// Notices what other processes write into the database, by looking now and then.
package struct StoredWatch: LibraryWatch {
    /// How often it looks.
    private static let pace = Duration.seconds(1)
    /// How seldom it looks while others keep writing: whoever follows reads everything again each time.
    private static let slowestPace = Duration.seconds(4)

    private let database: LibraryDatabase
    private let clock: any Clock<Duration>

    package init(database: LibraryDatabase, clock: any Clock<Duration> = ContinuousClock()) {
        self.database = database
        self.clock = clock
    }

    package func changesByOthers() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let looking = Task {
                var seen = try? await database.versionByOthers()
                var pace = Self.pace
                while (try? await clock.sleep(for: pace)) != nil {
                    // What cannot be read now is looked at again.
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
