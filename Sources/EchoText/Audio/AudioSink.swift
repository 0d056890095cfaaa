/// A destination for speech while it is synthesized: a sound file, a pipe, a loudspeaker.
///
/// An implementation takes clips in order and may make the caller wait (a full pipe, a busy loudspeaker); this
/// backpressure slows the engine down. It never blocks the shared thread pool.
package protocol AudioSink: Sendable {
    /// Appends `clip`, which has the sample rate the sink was opened with.
    ///
    /// - Throws: ``AudioFileError``, or `CancellationError` when the calling task is cancelled.
    func append(_ clip: AudioClip) async throws

    /// Completes the output: the file is complete and has its final name, or the last sample has been played.
    ///
    /// Call it once, last. After a failure here or in ``append(_:)`` call ``discard()``.
    func finish() async throws

    /// Discards the output and leaves nothing behind. Safe to call at any time, and more than once.
    func discard() async
}
