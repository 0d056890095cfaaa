/// Identifies a version of a source's list: an opaque tag of its server.
package struct CatalogueVersion: Sendable, Hashable, Codable {
    package let tag: String

    package init(tag: String) {
        self.tag = tag
    }
}

package enum CatalogueAnswer: Sendable, Hashable {
    /// Nothing has changed since the given version.
    case unchanged
    /// All that the release has now; `version` is `nil` when the source cannot distinguish versions.
    case entries([CatalogueEntry], version: CatalogueVersion?)
}

/// Lists the archives that can be downloaded: the port to a release's list, on a server or in a folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - it lists each entry once, and only entries of the requested release;
/// - it returns ``CatalogueAnswer/unchanged`` for the version of its last answer as long as nothing has changed.
package protocol CatalogueSource: Sendable {
    /// - Parameters:
    ///   - release: The release to list.
    ///   - version: The version of the last answer; `nil` for the first request.
    /// - Returns: The whole list, or that it is unchanged.
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func entries(of release: CatalogueRelease, since version: CatalogueVersion?) async throws -> CatalogueAnswer
}
