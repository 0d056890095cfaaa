import EchoText
import NIOCore

/// Receives the bytes of an archive: writes them, measures the rate and reports progress.
struct DownloadSink: Sendable {
    let entry: CatalogueEntry
    let partial: PartialArchive
    /// Called whenever the server sends something.
    let heard: @Sendable () -> Void
    let meter: TransferMeter

    /// Prepares for bytes from `offset` on; existing bytes of another file are discarded.
    ///
    /// - Parameters:
    ///   - offset: Zero, or the number of bytes in the file.
    ///   - note: Identifies the archive that the bytes belong to.
    /// - Throws: ``VoiceDownloadError``.
    func begin(at offset: Int64, _ note: PartialArchive.Note) async throws {
        if let total = note.total {
            guard total <= ReleaseList.largestArchive else {
                throw VoiceDownloadError.tooLarge(limit: ReleaseList.largestArchive)
            }
            if let expected = entry.archiveBytes, total != expected {
                throw VoiceDownloadError.wrongSize(entry.id, bytes: total, expected: expected)
            }
        }
        if await partial.bytes != offset || offset == 0 {
            precondition(offset == 0, "bytes from \(offset) on do not join what is there")
            try await partial.restart(note)
        } else if await partial.note != note {
            try await partial.write(note)
        }
        try await partial.makeSure(of: note.total ?? entry.expectedBytes)
        await meter.report(await partial.bytes, of: note.total ?? entry.archiveBytes, isUrgent: true)
    }

    /// - Throws: ``VoiceDownloadError``.
    func write(_ buffer: ByteBuffer) async throws {
        heard()
        try await partial.append(buffer)
        let (bytes, total) = (await partial.bytes, await partial.note?.total ?? entry.archiveBytes)
        guard bytes <= total ?? ReleaseList.largestArchive else {
            if let total { throw VoiceDownloadError.wrongSize(entry.id, bytes: bytes, expected: total) }
            throw VoiceDownloadError.tooLarge(limit: ReleaseList.largestArchive)
        }
        await meter.report(bytes, of: total, isUrgent: false)
    }
}

/// Reports the progress of a transfer: at its beginning and end, a few times a second in between, and what came last before the
/// server fell silent.
actor TransferMeter {
    private static let interval = Duration.milliseconds(250)

    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let send: @Sendable (TransferProgress) async -> Void
    private var rate = TransferRate()
    private var last: Duration?
    private var known: (bytes: Int64, total: Int64?) = (0, nil)
    /// Reports what is known when the interval is over.
    private var pending: Task<Void, Never>?

    init(clock: any Clock<Duration>, report: @escaping @Sendable (TransferProgress) async -> Void) {
        self.clock = clock
        elapsed = clock.stopwatch()
        send = report
    }

    /// Records the number of bytes, and reports it at once when the last report is long enough ago or `isUrgent` is set, else
    /// together with what follows.
    func report(_ bytes: Int64, of total: Int64?, isUrgent: Bool) async {
        let now = elapsed()
        if bytes < known.bytes { rate = TransferRate() }
        known = (bytes, total)
        if !isUrgent, let last, now - last < Self.interval { return reportLater(after: Self.interval - (now - last)) }
        pending?.cancel()
        pending = nil
        last = now
        rate.add(bytes, at: now)
        await send(TransferProgress(bytes: bytes, total: total, rate: rate.bytesPerSecond))
    }

    private func reportLater(after wait: Duration) {
        guard pending == nil else { return }
        pending = Task { [clock] in
            do { try await clock.sleep(for: wait) } catch { return }
            guard !Task.isCancelled else { return }
            pending = nil
            await report(known.bytes, of: known.total, isUrgent: true)
        }
    }
}
