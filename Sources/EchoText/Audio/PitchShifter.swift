/// Raises or lowers a voice without changing how long it speaks.
package protocol PitchShifter: Sendable {
    /// The clip at `ratio` times its frequency (2 is an octave up), with exactly as many samples as before.
    ///
    /// - Parameters:
    ///   - clip: Any length, also empty.
    ///   - ratio: 0.5 to 2; 1 returns the clip unchanged.
    /// - Returns: As many samples as `clip` has, at its rate.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    func shift(_ clip: AudioClip, by ratio: Double) async throws -> AudioClip
}
