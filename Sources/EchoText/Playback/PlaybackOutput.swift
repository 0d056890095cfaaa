/// Where recordings are heard: the port to loudspeakers and to what changes the pace of sound.
package protocol PlaybackOutput: Sendable {
    /// Opens the loudspeaker.
    ///
    /// - Throws: ``AudioFileError/noSoundOutput`` when there is none.
    func open(sampleRate: Int) async throws -> any AudioSink

    /// A way to play one run of sound at `speed` times its pace.
    func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher
}

/// Makes speech faster or slower without moving its pitch, for one run of sound that comes piece by piece.
package protocol TempoStretcher: Sendable {
    /// What can be said of the output so far.
    ///
    /// - Parameters:
    ///   - clip: The next piece.
    ///   - isLast: Whether nothing follows; the whole output then lasts as long as the speed asks for, to the sample.
    /// - Returns: Perhaps nothing yet.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    func stretch(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip
}

/// Why nothing is played.
package enum PlaybackError: UserFacingError, Equatable {
    /// The queue is empty, or a list shows no recording.
    case nothingToPlay
    /// There is no place to resume from, because none was stored.
    case noBookmark
    /// The recording in which the place to resume from was is gone.
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
