/// Decodes an untrusted sound or video file.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - the facts come first and once, then the samples in their order, none of the pieces empty, and notices among them;
/// - sound that the file holds and that was not given, or that it does not hold as it says, is a notice or an error;
/// - `take` gets one piece at a time, and the next only when it has returned, so that memory stays bounded;
/// - what `take` throws ends the decoding and is thrown;
/// - a damaged end is an error that comes after all sound before it.
package protocol SoundFileDecoder: Sendable {
    /// Decodes a sound track of `file`, mixed down to one channel, with silence where the file has none for a while.
    ///
    /// - Parameters:
    ///   - file: The file; its kind is detected from its content.
    ///   - take: Receives the facts, then the sound.
    /// - Throws: ``SoundImportError``, `CancellationError`, and what `take` and reading `file` throw.
    func decode(
        _ file: any StoredBytes,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws
}

/// A part of a decoder's output.
package enum DecodedSound: Sendable, Hashable {
    /// The most samples of one piece.
    package static let longestPiece = 65_536

    case facts(SoundFacts)
    /// 16-bit mono at the rate of the facts.
    case samples([Int16])
    case notice(SoundImportNotice)
}

/// The properties of a sound file.
package struct SoundFacts: Sendable, Hashable {
    /// The rate of the decoded sound in hertz, within ``RecordingOrder/sampleRates``; other rates are resampled.
    package var sampleRate: Int
    /// Channels of the file, before they are mixed; `nil` when it is not known.
    package var channels: Int?
    /// Samples of the decoded sound; `nil` when the file does not say.
    package var samples: Int?
    package var tags: SoundTags

    package init(sampleRate: Int, channels: Int? = nil, samples: Int? = nil, tags: SoundTags = SoundTags()) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.samples = samples
        self.tags = tags
    }

    /// Returns the rate nearest to `rate` at which sound is stored, in hertz.
    package static func keptRate(of rate: Int) -> Int {
        if rate < RecordingOrder.sampleRates.lowerBound { return RecordingOrder.sampleRates.lowerBound }
        // A higher rate would add inaudible frequencies and use more space.
        return RecordingOrder.sampleRates.contains(rate) ? rate : 48_000
    }
}
