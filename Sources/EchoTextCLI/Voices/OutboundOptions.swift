import ArgumentParser
import EchoText
import Foundation

/// What a command may connect to.
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

    /// What the options say; else the environment; else the library's settings, where it is open.
    ///
    /// - Throws: ``VoiceDownloadError/badAddress``.
    func rules() async throws -> OutboundRules {
        let settings = Settings.ofThisProcess
        let isAnswered = (offline || settings.isOffline != nil) && (from ?? settings.catalogue) != nil
        // A setting that cannot be used is no reason when something else is said.
        let kept = isAnswered ? nil : try await ReachableLibrary.use { try await $0.settings.outboundRules() }
        return try (kept ?? OutboundRules()).overridden(by: settings, isOffline: offline, from: from)
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

    /// A folder's path from the root; an address as it is.
    private static func absolute(_ text: String) -> String {
        text.isEmpty || text.contains("://") || text.hasPrefix("file:")
            ? text : URL(filePath: text).standardizedFileURL.path
    }
}
