/// Why a narration is not checked, or a sentence of it not spoken again.
package enum SpeechCheckError: UserFacingError, Equatable {
    /// No voice spoke it, or its text is that of a transcript.
    case notANarration
    /// Sentences are counted from 1.
    case noSuchSentence(Int, count: Int)
    /// The sample rate of the voice differs from the recording's.
    case otherVoice
    /// The recogniser is a remote service, which checks never use.
    case needsLocalRecognizer
    /// The narration is being checked, or a sentence of it spoken again.
    case busy

    package var failure: Failure {
        switch self {
        case .notANarration:
            Failure(
                .conflict,
                "speech-check.not-a-narration",
                "That recording was not spoken from a text, or shows a transcript in its place."
            )
            .suggesting("Only narrations are checked; “echotext transcribe” writes down other recordings.")
        case .noSuchSentence(let number, let count):
            Failure(
                .invalidRequest,
                "speech-check.no-such-sentence",
                "There is no sentence \(number) in it; there are \(count)."
            )
            .suggesting("“echotext library check-speech” shows the numbers.")
        case .otherVoice:
            Failure(
                .conflict,
                "speech-check.other-voice",
                "The voice has changed since: it does not speak at the recording's sample rate any more."
            )
            .suggesting("Make the recording again.")
        case .needsLocalRecognizer:
            Failure(
                .invalidRequest,
                "speech-check.needs-local-recognizer",
                "A narration is checked on this machine; nothing of it is sent to a service."
            )
            .suggesting("Choose a recogniser that is installed here.")
        case .busy:
            Failure(
                .busy,
                "speech-check.busy",
                "That narration is being checked, or a sentence of it spoken again, just now."
            )
            .suggesting("Wait until that is done, or stop it.")
        }
    }
}
