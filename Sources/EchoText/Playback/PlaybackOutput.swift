/// The port to loudspeakers and to changes of tempo.
package protocol PlaybackOutput: Sendable {
    /// Opens the loudspeaker.
    ///
    /// - Throws: ``AudioFileError/noSoundOutput`` when there is none.
    func open(sampleRate: Int) async throws -> any AudioSink

    /// Makes a stretcher that plays one continuous run of sound at `speed`.
    func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher
}

/// Changes the tempo of speech without changing its pitch, for one run of sound, piece by piece.
package protocol TempoStretcher: Sendable {
    /// Stretches the next piece, and returns the output so far available.
    ///
    /// - Parameters:
    ///   - clip: The next piece.
    ///   - isLast: Whether it is the last piece; the length of the whole output is then exact to the sample.
    /// - Returns: Samples, possibly none yet.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    func stretch(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip
}

/// Why nothing can be played.
package enum PlaybackError: UserFacingError, Equatable {
    /// The queue is empty, or a list shows no recording.
    case nothingToPlay
    /// There is no bookmark to resume from.
    case noBookmark
    /// The recording of the bookmark was deleted.
    case bookmarkLost

    package var failure: Failure {
        switch self {
        case .nothingToPlay:
            Failure(.missingInput, "playback.nothing-to-play", "There is nothing to play.")
                .suggesting("Name a recording, or fill the queue with “echotext queue add”.")
        case .noBookmark:
            Failure(.missingInput, "playback.no-bookmark", "There is no place to continue from.")
                .suggesting("Name a recording; “echotext library list” shows them.")
        case .bookmarkLost:
            Failure(.missingInput, "playback.bookmark-lost", "The recording that was heard last is gone.")
                .suggesting("Name a recording; “echotext library list” shows them.")
        }
    }
}
