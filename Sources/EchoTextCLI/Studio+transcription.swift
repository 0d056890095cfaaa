import AudioFiles
import EchoText
import LibraryStore

extension Studio {
    /// What transcriptions are made with.
    var transcriptionTools: TranscriptionTools {
        TranscriptionTools(
            recognizer: recognizers,
            detector: voiceActivity,
            conversion: { try SampleRateConversion(from: $0, to: $1) },
            digest: { try await SoundDigest.sha256(of: $0) }
        )
    }
}

/// A network that is always there.
private struct NoRecognizers: NetworkWatch {
    func states() -> AsyncStream<NetworkState> {
        AsyncStream { $0.yield(.reachable) }
    }
}

extension Studio {
    var networkWatch: any NetworkWatch { NoRecognizers() }
}
