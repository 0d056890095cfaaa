/// Tries once to bring an archive, from where the last try has come to.
protocol ArchiveCarrier: Sendable {
    /// Where it comes from, as a person may be told.
    var place: String { get }
    /// Whom a failure is blamed on.
    var host: String { get }

    /// Returns when all of it is there.
    ///
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func carry(to arrival: Arrival) async throws
}
