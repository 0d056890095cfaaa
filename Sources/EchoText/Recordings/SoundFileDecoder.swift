/// Decodes an untrusted sound or video file.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - the facts come first and once, then the samples in their order, none of the pieces empty, and notices among them;
/// - the track that is asked for is the one that is given, and one that the file does not have is an error that lists its tracks;
/// - sound that the file holds and that was not given, or that it does not hold as it says, is a notice or an error;
/// - `take` gets one piece at a time, and the next only when it has returned, so that memory stays bounded;
/// - what `take` throws ends the decoding and is thrown;
/// - a damaged end is an error that comes after all sound before it.
package protocol SoundFileDecoder: Sendable {
    /// Decodes a sound track of `file`, mixed down to one channel, with silence where the file has none for a while.
    ///
    /// - Parameters:
    ///   - file: The file; its kind is detected from its content.
    ///   - track: Among those with sound, from 1; `nil` for the one that the file prefers, or in which somebody speaks.
    ///   - take: Receives the facts, then the sound.
    /// - Throws: ``SoundImportError``, `CancellationError`, and what `take` and reading `file` throw.
    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws
}

extension SoundFileDecoder {
    /// Decodes the usual sound track of `file`.
    ///
    /// - Throws: As ``decode(_:track:take:)`` does.
    package func decode(
        _ file: any StoredBytes,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try await decode(file, track: nil, take: take)
    }
}

/// A sound track of a file, as it is listed for a person.
package struct SoundTrack: Sendable, Hashable {
    /// From 1.
    package let number: Int
    /// BCP 47, where the file says it.
    package let language: String?
    /// Whether it is the one of several that the file prefers.
    package let isUsual: Bool

    package init(number: Int, language: String? = nil, isUsual: Bool = false) {
        (self.number, self.language, self.isUsual) = (number, language, isUsual)
    }
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

    /// How many samples a sound has as it is stored.
    ///
    /// - Parameters:
    ///   - samples: How many it has at its own rate.
    ///   - rate: Its own rate, in hertz.
    /// - Returns: `nil` for numbers that no sound has.
    package static func keptCount(of samples: Int, at rate: Int) -> Int? {
        let (product, isTooMuch) = samples.multipliedReportingOverflow(by: keptRate(of: rate))
        return isTooMuch || samples < 0 || rate <= 0 ? nil : product / rate
    }
}
