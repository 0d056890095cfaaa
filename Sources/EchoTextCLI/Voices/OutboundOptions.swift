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

    /// The rules from the options, else the environment, else the library's settings.
    ///
    /// - Parameter isConnecting: Whether anything is to be fetched; where nothing is, a library that does not open is no obstacle.
    /// - Returns: Rules that forbid connections whenever it is for the library to say and it does not open.
    /// - Throws: ``VoiceDownloadError/badAddress``; ``VaultError`` when something is to be fetched that the library may forbid.
    func rules(isConnecting: Bool = true) async throws -> OutboundRules {
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
        return try kept.overridden(by: settings, isOffline: offline, from: from)
    }

    /// The library's rules, or those of a library that is not there yet.
    ///
    /// - Throws: ``VaultError`` when a library exists and does not open, since it may forbid every connection.
    private func keptRules() async throws -> OutboundRules {
        guard try await Settings.ofThisProcess.vault.status().state != .uninitialised else { return OutboundRules() }
        return try await OpenedLibrary.use { try await $0.settings.outboundRules() }
    }
}

extension OutboundRules {
    /// The rules with what the environment and the command line say in place of what the library does.
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
