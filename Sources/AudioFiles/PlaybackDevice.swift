import EchoText

/// An open way to a loudspeaker: mono, 16 bits.
///
/// Its calls block; only ``LoudspeakerSink`` makes them, on its queue.
protocol PlaybackDevice: AnyObject {
    /// Waits until `samples` have found room in the device's buffer, which holds about a fifth of a second.
    func play(_ samples: [Int16]) throws(AudioFileError)

    /// Waits until everything has been heard.
    func drain() throws(AudioFileError)

    /// Falls silent at once.
    func flush()
}
