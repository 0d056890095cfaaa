/// Why speech is not recognised.
package enum RecognitionError: UserFacingError, Equatable, Codable {
    /// No such recogniser is installed or set up.
    case noSuchRecognizer(Recognizer.ID)
    /// No recogniser is installed.
    case noRecognizer
    /// The recogniser does not know the language; BCP 47.
    case unsupportedLanguage(String)
    /// The model's files cannot be used.
    case badModel(String)
    /// The folder holds no recogniser that EchoText knows.
    case notARecognizer
    /// A bare file name.
    case missingFile(String)
    /// The model is of an unsupported family, such as a streaming one.
    case unsupportedModel(String)
    /// The recogniser stopped in the middle of its work.
    case recognizerDied
    case cannotStart
    /// The machine cannot confine the recogniser's process.
    case notConfined
    case tooSlow(seconds: Int)

    package var failure: Failure {
        switch self {
        case .noSuchRecognizer(let id):
            Failure(.notFound, "recognition.not-installed", "The recogniser “\(id)” is not on this machine.")
                .suggesting(
                    "“echotext recognizers list” shows what there is, “echotext recognizers download” brings one."
                )
        case .noRecognizer:
            Failure(.unavailable, "recognition.none", "There is no recogniser on this machine yet.")
                .suggesting("Download one: “echotext recognizers download”.")
        case .unsupportedLanguage(let language):
            Failure(.invalidRequest, "recognition.unsupported-language", "This recogniser does not know “\(language)”.")
                .suggesting("Choose another recogniser, or another language.")
        case .badModel(let name):
            Failure(.invalidContent, "recognition.bad-model", "The recogniser's file “\(name)” cannot be used.")
                .suggesting("Download the recogniser again.")
        case .notARecognizer:
            Failure(
                .invalidContent,
                "recognition.not-a-recognizer",
                "There is no recogniser there that EchoText knows."
            )
            .suggesting("Take an archive of sherpa-onnx's “asr-models”, such as one of Whisper or Parakeet.")
        case .missingFile(let name):
            Failure(.invalidContent, "recognition.missing-file", "The recogniser is incomplete: “\(name)” is missing.")
                .suggesting("Download the recogniser again.")
        case .unsupportedModel(let name):
            Failure(
                .invalidContent,
                "recognition.unsupported-model",
                "The model “\(name)” is of a kind that EchoText cannot use."
            )
            .suggesting("Whisper, Moonshine, Zipformer, Paraformer, Parakeet and SenseVoice can be used.")
        case .recognizerDied:
            Failure(.processFailed, "recognition.died", "The recogniser stopped unexpectedly.")
                .suggesting("Try again; if it happens every time, use another recogniser.")
        case .cannotStart:
            Failure(.processFailed, "recognition.cannot-start", "The recogniser could not be started.")
                .suggesting("“echotext vault doctor” checks this machine.")
        case .notConfined:
            Failure(.unavailable, "recognition.not-confined", "This machine cannot confine the recogniser.")
                .suggesting("Install bubblewrap, or use a kernel with Landlock.")
        case .tooSlow(let seconds):
            Failure(.processFailed, "recognition.too-slow", "The recogniser has not answered for \(seconds) seconds.")
                .suggesting("Use a smaller recogniser, or try again when the machine has less to do.")
        }
    }
}
