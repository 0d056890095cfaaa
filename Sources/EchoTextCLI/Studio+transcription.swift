import AudioFiles
import EchoText
import LibraryStore

extension Studio {
    /// What transcriptions are made with.
    var transcriptionTools: TranscriptionTools {
        TranscriptionTools(
            recognizer: NoRecognizers(),
            detector: NoRecognizers(),
            conversion: { try SampleRateConversion(from: $0, to: $1) },
            digest: { try await SoundDigest.sha256(of: $0) }
        )
    }
}

/// What there is before a recogniser is installed.
private struct NoRecognizers: SpeechRecognizer, VoiceActivityDetector, NetworkWatch {
    func recognizers() async throws -> [Recognizer] { [] }

    func open(_ recognizer: Recognizer.ID, _ settings: RecognitionSettings) async throws -> any RecognitionSession {
        throw RecognitionError.noRecognizer
    }

    func open() async throws -> any VoiceActivitySession { throw RecognitionError.noRecognizer }

    func states() -> AsyncStream<NetworkState> {
        AsyncStream { $0.yield(.reachable) }
    }
}

extension Studio {
    var networkWatch: any NetworkWatch { NoRecognizers() }
}
