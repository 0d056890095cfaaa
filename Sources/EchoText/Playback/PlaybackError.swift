/// Why nothing is played.
package enum PlaybackError: UserFacingError, Equatable {
    /// Nothing was named, the queue is empty, and no place was kept.
    case nothingToPlay
    /// There is no place to resume from: none was stored, or its recording is gone.
    case noBookmark

    package var code: String {
        switch self {
        case .nothingToPlay: "playback.nothing-to-play"
        case .noBookmark: "playback.no-bookmark"
        }
    }

    package var message: String {
        switch self {
        case .nothingToPlay: "There is nothing to play."
        case .noBookmark: "There is no place to go on from."
        }
    }

    package var suggestion: String? {
        switch self {
        case .nothingToPlay: "Name a recording, or fill the queue with “echotext queue add”."
        case .noBookmark: "Name a recording; “echotext library list” shows them."
        }
    }
}
