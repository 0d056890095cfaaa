/// How far an archive has come.
package struct TransferProgress: Sendable, Hashable, Codable {
    /// Bytes that are on this machine, those of earlier attempts among them.
    package var bytes: Int64
    /// How many it will be; `nil` while that is not known.
    package var total: Int64?
    /// Bytes per second over the last few seconds; `nil` before there is anything to tell by.
    package var rate: Double?

    package init(bytes: Int64, total: Int64? = nil, rate: Double? = nil) {
        self.bytes = bytes
        self.total = total
        self.rate = rate
    }

    /// How far it has come, 0 to 1.
    package var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(bytes) / Double(total))
    }

    /// How long it will take at the rate of now.
    package var left: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(Double(max(0, total - bytes)) / rate)
    }
}

/// An archive that is whole on this machine.
package struct FetchedArchive: Sendable, Hashable {
    /// Absolute path.
    package let path: String
    package let bytes: Int64
    /// In 64 small hexadecimal digits, computed from what was written.
    package let sha256: String
    /// Where it came from, without what is secret in an address.
    package let url: String

    package init(path: String, bytes: Int64, sha256: String, url: String) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.url = url
    }
}

/// Brings archives onto this machine: the port to a server or a folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - what it returns has the size and the checksum of its entry, where that says them;
/// - a call that was cancelled or failed keeps what has come, unless that is of no use, and the next one goes on from there;
/// - a whole archive is not fetched again;
/// - ``TransferProgress/bytes`` grows from report to report and starts over only when what had come is of no use;
/// - nobody else fetches or removes an archive while it is lent; it goes when it has been used, and stays when that failed.
///
/// One entry is fetched by one call at a time.
package protocol ArchiveSource: Sendable {
    /// - Parameters:
    ///   - entry: What to fetch.
    ///   - report: Told now and then how far it has come, in order.
    ///   - use: Gets the archive, whole; may remove it.
    /// - Returns: What `use` returned.
    /// - Throws: ``VoiceDownloadError``, what `use` throws, or `CancellationError`.
    func fetch<Output: Sendable>(
        _ entry: CatalogueEntry,
        report: @Sendable (TransferProgress) async -> Void,
        lending use: @Sendable (FetchedArchive) async throws -> Output
    ) async throws -> Output

    /// How much of an archive has come in a call that did not end well; `nil` when nothing has.
    func begun(_ id: CatalogueEntry.ID) async -> TransferProgress?

    /// Which archives have come in part, or as a whole without having been removed.
    func begun() async -> [CatalogueEntry.ID]

    /// Removes what has come of an archive, whole or not, and what is remembered about it.
    ///
    /// - Throws: ``VoiceDownloadError/cannotWrite``.
    func discard(_ id: CatalogueEntry.ID) async throws

    /// Takes away what lies beside archives since a process was ended at the wrong moment, and is of no use.
    func sweep() async
}
