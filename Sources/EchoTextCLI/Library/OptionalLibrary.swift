import EchoText
import LibraryStore

/// The library, for a command that also works without one.
enum OptionalLibrary {
    /// Passes the library to `work` if it exists and opens without a passcode; never creates one.
    ///
    /// - Returns: What `work` returned; `nil` when the library is not open. If it should have opened, its error is
    ///   printed.
    /// - Throws: What `work` throws, `CancellationError`.
    static func use<Output: Sendable>(
        _ work: @escaping @Sendable (Library) async throws -> Output
    ) async throws -> Output? {
        let outcome: Result<Output, any Error>
        do {
            let state = try await Settings.ofThisProcess.vault.status().state
            guard state != .uninitialised, state.isOpen else { return nil }
            outcome = try await LibraryAccess.use { library in
                do {
                    return .success(try await work(library))
                } catch {
                    return .failure(error)
                }
            }
        } catch let error as any UserFacingError {
            EchoTextCommand.say("warning: This continues without your library. \(error.message)")
            return nil
        }
        return try outcome.get()
    }
}
