import ArgumentParser
import EchoText
import Foundation
import LibraryStore

/// Options for a command's connections.
struct OutboundOptions: ParsableArguments {
    @Flag(help: "Connect to nothing. A folder given with --from works all the same.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            "Where voices come from: an https address of a mirror, or a folder with archives, such as one on a stick.",
            valueName: "address"
        ),
        completion: .directory
    )
    var from: String?

    /// Returns the rules from the options, else the environment, else the library's settings.
    ///
    /// - Parameter isConnecting: Whether anything will be downloaded; otherwise a library that does not open is no
    ///   error.
    /// - Returns: Rules that follow the library's settings where these decide; rules that forbid connections if the
    ///   library would decide and does not open.
    /// - Throws: ``ModelDownloadError/badAddress``; ``VaultError`` when a locked library may forbid the download.
    func rules(isConnecting: Bool = true) async throws -> FollowedRules {
        let settings = Settings.ofThisProcess
        let isOffline = offline || settings.isOffline == true
        let isAnswered = (isOffline || settings.isOffline != nil) && (from ?? settings.catalogue) != nil
        var kept = OutboundRules()
        if !isAnswered {
            do {
                kept = try await keptRules()
            } catch is VaultError where isOffline || !isConnecting {
                kept.isOffline = true
            }
        }
        let rules = try kept.overridden(by: settings, isOffline: offline, from: from)
        guard isConnecting, !offline, settings.isOffline == nil else { return FollowedRules(rules) }
        return FollowedRules(rules, of: settings.vault) { [from] in
            try $0.overridden(by: settings, isOffline: false, from: from)
        }
    }

    /// Returns the library's rules, or the defaults if no library exists.
    ///
    /// - Throws: ``VaultError`` when a library exists and does not open, since it may forbid every connection.
    private func keptRules() async throws -> OutboundRules {
        guard try await Settings.ofThisProcess.vault.status().state != .uninitialised else { return OutboundRules() }
        return try await LibraryAccess.use { try await $0.settings.outboundRules() }
    }
}

extension OutboundRules {
    /// Returns `rules` with the values of the environment and the command line in place of the library's.
    ///
    /// - Throws: ``ModelDownloadError/badAddress``.
    func overridden(
        by settings: Settings,
        isOffline isOfflineNow: Bool,
        from place: String? = nil
    ) throws -> OutboundRules {
        var rules = self
        rules.isOffline = isOfflineNow || settings.isOffline ?? isOffline
        if let address = place ?? settings.catalogue { rules.catalogue = try CatalogueAddress(Self.absolute(address)) }
        return rules
    }

    /// A folder's absolute path; an address unchanged.
    private static func absolute(_ text: String) -> String {
        text.isEmpty || text.contains("://") || text.hasPrefix("file:")
            ? text : URL(filePath: text).standardizedFileURL.path
    }
}

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
    /// - Throws: ``ModelDownloadError/badAddress``, and what the settings of an open library throw.
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
        await Latch().wait()
        self.library = nil
    }
}
