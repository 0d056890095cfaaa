/// Why a recording is not made or continued.
package enum RecordingError: UserFacingError, Equatable {
    case sessionNotFound
    /// Another process holds the session.
    case sessionBusy
    case nothingRecorded
    /// In hertz.
    case unsupportedRate(Int)
    case invalidChunk
    /// Earlier chunks have not arrived; `next` is the number of the first missing one.
    case chunkMissing(next: Int)
    /// Another chunk of that number is there: somebody else sends into the session, too.
    case chunkTaken
    case tooManyMarks(limit: Int)
    case tooManySessions(limit: Int)

    package var failure: Failure {
        switch self {
        case .sessionNotFound:
            Failure(.notFound, "recording.not-found", "There is no such unfinished recording.")
                .suggesting("It may be in the library already: “echotext recordings list” shows all of them.")
        case .sessionBusy:
            Failure(.conflict, "recording.busy", "Another EchoText is recording this.")
                .suggesting("Stop it there first.")
        case .nothingRecorded:
            Failure(.invalidContent, "recording.empty", "Nothing was recorded.")
                .suggesting("Check the microphone and its level, and record again.")
        case .unsupportedRate(let rate):
            Failure(
                .invalidRequest,
                "recording.unsupported-rate",
                "\(rate) hertz is no sample rate that can be recorded."
            )
            .suggesting("Use a rate from 8000 to 192000, such as 48000.")
        case .invalidChunk:
            Failure(
                .invalidRequest,
                "recording.invalid-chunk",
                "A chunk holds whole 16-bit samples, up to a minute of them."
            )
        case .chunkMissing(let next):
            Failure(.conflict, "recording.chunk-missing", "Sound before this chunk has not arrived.")
                .suggesting("Send the chunks from number \(next) on.")
        case .chunkTaken:
            Failure(
                .conflict,
                "recording.chunk-taken",
                "Another page records this, so the sound from here is not in it."
            )
            .suggesting("Stop one of the two; what was not taken can become a recording of its own.")
        case .tooManyMarks(let limit):
            Failure(.conflict, "recording.too-many-marks", "The recording has \(limit) marks, and takes no more.")
        case .tooManySessions(let limit):
            Failure(.conflict, "recording.too-many-sessions", "There are \(limit) unfinished recordings already.")
                .suggesting("Keep or discard some of them first.")
        }
    }
}
