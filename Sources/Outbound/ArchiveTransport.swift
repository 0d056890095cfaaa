/// Transfers an archive in one attempt, which resumes where the last one ended.
protocol ArchiveTransport: Sendable {
    /// The archive's address, without anything private.
    var place: String { get }
    /// The host that errors name.
    var host: String { get }

    /// Returns when the archive is complete.
    ///
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func transfer(to sink: DownloadSink) async throws
}
