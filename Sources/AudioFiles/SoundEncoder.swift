import EchoText

/// Turns samples into the bytes of one format.
///
/// Used by one ``SoundFileWriter``, on its queue.
protocol SoundEncoder: AnyObject {
    /// Encodes `samples`, any number of them, at the rate the encoder was made for.
    ///
    /// - Throws: ``AudioFileError``, or `CancellationError` when a stream was interrupted.
    func encode(_ samples: ArraySlice<Float>) throws

    /// Writes what is still held back, and the header's last word. The file itself is not closed.
    func finish() throws
}

extension Float {
    /// The nearest value that a sound file can hold; what is not a number is silence.
    var clipped: Float { isNaN ? 0 : Swift.min(1, Swift.max(-1, self)) }

    /// Full scale is ±32,767, as in libsndfile.
    var pcm16: Int16 { Int16((clipped * 32_767).rounded(.toNearestOrEven)) }
}
