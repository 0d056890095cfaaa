/// Identifies what a source has sent; an opaque tag of its server.
package struct CatalogueVersion: Sendable, Hashable, Codable {
    package let tag: String

    package init(tag: String) {
        self.tag = tag
    }
}

package enum CatalogueAnswer: Sendable, Hashable {
    /// Nothing is new since the version that was named.
    case unchanged
    /// All that the release has now; `version` is `nil` when the source cannot distinguish versions.
    case entries([CatalogueEntry], version: CatalogueVersion?)
}

/// Lists the archives that can be downloaded: the port to a release's list, on a server or in a folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - it lists no entry twice, and only those of the requested release;
/// - the version it gave, given back, is answered with ``CatalogueAnswer/unchanged`` as long as nothing has changed.
package protocol CatalogueSource: Sendable {
    /// - Parameters:
    ///   - release: Which list.
    ///   - version: The version of the last answer; `nil` for the first request.
    /// - Returns: All of it, or that nothing is new.
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func entries(of release: CatalogueRelease, since version: CatalogueVersion?) async throws -> CatalogueAnswer
}
