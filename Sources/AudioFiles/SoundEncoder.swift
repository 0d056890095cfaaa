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
