import EchoText
import LibraryStore

/// The rules for the connections of one command, which another program may change meanwhile.
///
/// They are read from the library each time, and it stays open from the first time on. While it does not open, as when
/// it is locked, the last ones count; then it is tried again each time.
actor FollowedRules: Closeable {
    private let vault: LibraryVault?
    private let adapt: @Sendable (OutboundRules) throws -> OutboundRules
    private var last: OutboundRules
    private var library: Library?
    private var visit: Task<Void, Never>?
    private var isClosed = false

    /// Rules that nobody changes.
    init(_ rules: OutboundRules) {
        vault = nil
        adapt = { $0 }
        last = rules
    }

    /// - Parameters:
    ///   - rules: The rules that count until the library is open.
    ///   - vault: The vault of the library with the rules; none is created.
    ///   - adapt: Returns the library's rules with what else has been said about them.
    init(
        _ rules: OutboundRules,
        of vault: LibraryVault,
        _ adapt: @escaping @Sendable (OutboundRules) throws -> OutboundRules
    ) {
        self.vault = vault
        self.adapt = adapt
        last = rules
    }

    /// Returns what the person allows at the moment.
    ///
    /// - Throws: ``VoiceDownloadError/badAddress``, and what the settings of an open library throw.
    func rules() async throws -> OutboundRules {
        if let vault, visit == nil, !isClosed { visit = Task { await follow(vault) } }
        guard let library else { return last }
        do {
            last = try adapt(try await library.settings.outboundRules())
        } catch {
            // A library that has just been locked is not at fault.
            if self.library != nil { throw error }
        }
        return last
    }

    /// Closes the library.
    func close() async {
        isClosed = true
        visit?.cancel()
        await visit?.value
    }

    private func follow(_ vault: LibraryVault) async {
        // The state is asked first, because using a vault that is not there creates it. Errors leave the last rules.
        if let state = try? await vault.status().state, state != .uninitialised, state.isOpen {
            try? await vault.use { library in await self.stay(in: library) }
        }
        visit = nil
    }

    /// Returns when the library is locked, or the rules are closed.
    private func stay(in library: Library) async {
        self.library = library
        await Ending().wait()
        self.library = nil
    }
}
