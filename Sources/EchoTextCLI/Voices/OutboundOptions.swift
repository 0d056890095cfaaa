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
        var rules = kept ?? OutboundRules()
        if let isOffline = settings.isOffline { rules.isOffline = isOffline }
        if offline { rules.isOffline = true }
        if let from {
            rules.catalogue = try CatalogueAddress(Self.absolute(from))
        } else if let address = settings.catalogue {
            rules.catalogue = try CatalogueAddress(Self.absolute(address))
        }
        return rules
    }

    /// A folder's path from the root; an address as it is.
    private static func absolute(_ text: String) -> String {
        text.isEmpty || text.contains("://") || text.hasPrefix("file:")
            ? text : URL(filePath: text).standardizedFileURL.path
    }
}
