/// By what a source knows again what it has told; a tag of its server, never looked into.
package struct CatalogueVersion: Sendable, Hashable, Codable {
    package let tag: String

    package init(tag: String) {
        self.tag = tag
    }
}

package enum CatalogueAnswer: Sendable, Hashable {
    /// Nothing is new since the version that was named.
    case unchanged
    /// All that the release has now; `version` is `nil` when the source cannot tell versions apart.
    case entries([CatalogueEntry], version: CatalogueVersion?)
}

/// Tells what there is to download: the port to a release's list, on a server or in a folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - it tells no entry twice, and only those of the release that was asked for;
/// - the version it gave, given back, is answered with ``CatalogueAnswer/unchanged`` as long as nothing has changed.
package protocol CatalogueSource: Sendable {
    /// - Parameters:
    ///   - release: Which list.
    ///   - version: What was told the last time; `nil` for the first.
    /// - Returns: All of it, or that nothing is new.
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func entries(of release: CatalogueRelease, since version: CatalogueVersion?) async throws -> CatalogueAnswer
}
