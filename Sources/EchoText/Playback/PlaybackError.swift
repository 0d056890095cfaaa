/// Why nothing is played.
package enum PlaybackError: UserFacingError, Equatable {
    /// Nothing was named, the queue is empty, and no place was kept.
    case nothingToPlay
    /// There is no place to resume from: none was stored, or its recording is gone.
    case noBookmark

    package var failure: Failure {
        switch self {
        case .nothingToPlay:
            Failure(.missingInput, "playback.nothing-to-play", "There is nothing to play.")
                .suggesting("Name a recording, or fill the queue with “echotext queue add”.")
        case .noBookmark:
            Failure(.missingInput, "playback.no-bookmark", "There is no place to go on from.")
                .suggesting("Name a recording; “echotext library list” shows them.")
        }
    }
}
