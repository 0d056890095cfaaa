/// Somewhere speech goes as it is made: a sound file, a pipe, a loudspeaker.
///
/// An implementation takes clips in order and may make the caller wait (a full pipe, a loudspeaker that is still busy),
/// which is how a slow listener holds the engine back. It never blocks the shared thread pool.
package protocol AudioSink: Sendable {
    /// Takes `clip`, which has the sample rate the sink was opened with.
    ///
    /// - Throws: ``AudioFileError``, or `CancellationError` when the calling task is cancelled.
    func append(_ clip: AudioClip) async throws

    /// Completes what was begun: the file is whole and in its place, the last sample has been played.
    ///
    /// Call once, last. After a failure here or in ``append(_:)`` call ``discard()``.
    func finish() async throws

    /// Drops what was begun, leaving nothing behind. Safe to call at any time, and more than once.
    func discard() async
}
