/// The progress of a download.
package struct TransferProgress: Sendable, Hashable, Codable {
    /// The bytes on this machine, including those of earlier attempts.
    package var bytes: Int64
    /// The size of the archive; `nil` while it is unknown.
    package var total: Int64?
    /// Bytes per second over the last few seconds; `nil` before there is enough to measure.
    package var rate: Double?

    package init(bytes: Int64, total: Int64? = nil, rate: Double? = nil) {
        self.bytes = bytes
        self.total = total
        self.rate = rate
    }

    /// The share that has arrived, 0 to 1.
    package var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(bytes) / Double(total))
    }

    /// The longest time that is shown, in seconds: a server may say that it has exabytes.
    private static let longest = 1e9

    /// The remaining time at the present rate.
    package var left: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(min(Self.longest, Double(max(0, total - bytes)) / rate))
    }
}

/// A complete archive on this machine.
package struct FetchedArchive: Sendable, Hashable {
    /// Absolute path.
    package let path: String
    package let bytes: Int64
    /// 64 lower-case hexadecimal digits, computed from the written bytes.
    package let sha256: String
    /// Its address, without credentials.
    package let url: String

    package init(path: String, bytes: Int64, sha256: String, url: String) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.url = url
    }
}

/// Fetches archives: the port to a server or a folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - an archive has the size and the checksum of its entry, where the entry has them;
/// - a cancelled or failed call keeps the received bytes unless they are useless, and the next call resumes there;
/// - a complete archive is not fetched again;
/// - ``TransferProgress/bytes`` increases from report to report, and restarts only when the bytes so far are useless;
/// - no other call fetches or removes an archive while `use` runs; it is removed after `use`, unless `use` threw.
///
/// One entry is fetched by one call at a time.
package protocol ArchiveSource: Sendable {
    /// - Parameters:
    ///   - entry: The archive to fetch.
    ///   - report: Called from time to time with the progress, in order.
    ///   - use: Receives the complete archive; may delete it.
    /// - Returns: What `use` returned.
    /// - Throws: ``VoiceDownloadError``, what `use` throws, or `CancellationError`.
    func fetch<Output: Sendable>(
        _ entry: CatalogueEntry,
        report: @Sendable (TransferProgress) async -> Void,
        lending use: @Sendable (FetchedArchive) async throws -> Output
    ) async throws -> Output

    /// How much of an archive an incomplete call has fetched; `nil` for nothing.
    func begun(_ id: CatalogueEntry.ID) async -> TransferProgress?

    /// The archives that were fetched in part, or completely and not removed yet.
    func begun() async -> [CatalogueEntry.ID]

    /// Removes the fetched part of an archive and its metadata.
    ///
    /// - Throws: ``VoiceDownloadError/cannotWrite``.
    func discard(_ id: CatalogueEntry.ID) async throws

    /// Removes leftover files of interrupted processes.
    func sweep() async
}
