internal import EchoText

/// A voice of a pool; the worker behind it comes and goes.
struct PooledModel: AcousticModel {
    let voice: OpenedVoice
    let folder: VoiceFolder
    let lanes: Int
    let pool: EngineWorkerPool

    var sampleRate: Int { voice.sampleRate }
    var speakers: Int { voice.speakers }

    func speak(_ request: PhonemeRequest) async throws -> AudioClip {
        guard request.phonemes.count <= PhonemeRequest.longest else {
            throw SynthesisError.engineFailed(.sherpaOnnx, status: nil)
        }
        return try await pool.speak(request, in: folder, lanes: lanes)
    }
}
