import Foundation

/// The stored entries of a release, as its source sent them last.
package struct RememberedCatalogue: Sendable, Hashable, Codable {
    package let entries: [CatalogueEntry]
    package let version: CatalogueVersion?
    /// When the source was last asked, in seconds since 1970; also when it had nothing new.
    package var refreshedAt: Double

    package init(entries: [CatalogueEntry], version: CatalogueVersion?, refreshedAt: Double) {
        self.entries = entries
        self.version = version
        self.refreshedAt = refreshedAt
    }
}

/// Stores the entries of releases from one run of the program to the next.
///
/// `verifyContract(of:)` in `EchoTextTesting` checks that what was remembered is there again, and that what is damaged is as none.
package protocol CatalogueMemory: Sendable {
    func remembered(_ release: CatalogueRelease) async -> RememberedCatalogue?

    /// - Throws: ``VoiceDownloadError/cannotWrite``.
    func remember(_ catalogue: RememberedCatalogue, of release: CatalogueRelease) async throws
}
