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
    /// - Throws: ``VoiceDownloadError/badAddress``; ``VaultError`` when a locked library may forbid the download.
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
    /// - Throws: ``VoiceDownloadError/badAddress``.
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
