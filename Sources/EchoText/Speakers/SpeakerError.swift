/// Why the speakers of a transcript are not found.
package enum SpeakerError: UserFacingError, Equatable, Codable {
    /// These kinds of model are not installed.
    case missingModels([SpeakerModel.Kind])
    /// The model's files cannot be used.
    case badModel(String)
    /// The diarization process ended in the middle of its work.
    case died
    case tooSlow(seconds: Int)
    /// The recording is longer than ``SpeakerDiarization/longest``.
    case tooLong
    /// No speech was found in the recording.
    case nobodyHeard
    case invalidCount
    /// The speakers of this transcript are not being looked for.
    case notFound
    /// The speakers of this transcript are being looked for already.
    case busy

    package var failure: Failure {
        switch self {
        case .missingModels(let kinds): Self.missing(kinds)
        case .badModel(let name):
            Failure(.invalidContent, "speakers.bad-model", "The model “\(name)” cannot be used to tell speakers apart.")
                .suggesting("Take one of sherpa-onnx's releases, and add it again.")
        case .died:
            Failure(.processFailed, "speakers.died", "The process that tells speakers apart stopped unexpectedly.")
                .suggesting("Try again; if it happens every time, use other models.")
        case .tooSlow(let seconds):
            Failure(.processFailed, "speakers.too-slow", "The models gave no result for \(seconds) seconds.")
                .suggesting("Try again when the machine has less to do, or use smaller models.")
        case .tooLong:
            Failure(.invalidRequest, "speakers.too-long", "Speakers are told apart in recordings of up to four hours.")
                .suggesting("Name the speakers by hand.")
        case .nobodyHeard:
            Failure(.invalidContent, "speakers.nobody-heard", "Nobody's voice was found in the recording.")
                .suggesting("Name the speakers by hand.")
        case .invalidCount:
            Failure(
                .invalidRequest,
                "speakers.invalid-count",
                "The number of speakers is from 1 to \(SpeakerCount.most)."
            )
            .suggesting("Leave it out to have it found.")
        case .notFound:
            Failure(.notFound, "speakers.not-found", "The speakers of this transcript are not being looked for.")
        case .busy:
            Failure(.conflict, "speakers.busy", "The speakers of this transcript are being looked for already.")
                .suggesting("Wait until they are found, or cancel it.")
        }
    }

    private static func missing(_ kinds: [SpeakerModel.Kind]) -> Failure {
        let which =
            switch (kinds.contains(.segmentation), kinds.contains(.embedding)) {
            case (true, false): "A model that finds who speaks is missing."
            case (false, true): "A model that compares voices is missing."
            default: "The models that tell speakers apart are not installed."
            }
        let names = kinds.map(\.recommended.rawValue).joined(separator: " ")
        return Failure(.unavailable, "speakers.missing-models", which)
            .suggesting(
                """
                Download what is missing by “echotext recognizers download \(names)”, or add others by “echotext recognizers \
                add”.
                """
            )
    }
}
