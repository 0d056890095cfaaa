internal import EchoText

/// A voice of a pool, whose worker may be replaced between requests.
struct PooledModel: AcousticModel {
    let voice: OpenedVoice
    let folder: VoiceFolder
    let lanes: Int
    let pool: EngineWorkerPool

    var sampleRate: Int { voice.sampleRate }
    var speakers: Int { voice.speakers }

    var layout: ModelLayout { voice.layout }

    func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws {
        guard request.phonemes.count <= PhonemeRequest.longest else {
            throw SynthesisError.engineFailed(.piper, status: nil)
        }
        let (pieces, listener) = AsyncStream.makeStream(
            of: AcousticPiece.self,
            bufferingPolicy: .unbounded  // It holds one request at most, whose size the worker's ledger bounds.
        )
        async let spoken: Void = say(request, to: listener)
        for await piece in pieces { try await deliver(piece) }
        // The stream ends early when its consumer is cancelled.
        try Task.checkCancellation()
        try await spoken
    }

    /// Speaks, and finishes the stream with the result or the error.
    private func say(_ request: PhonemeRequest, to listener: AsyncStream<AcousticPiece>.Continuation) async throws {
        defer { listener.finish() }
        try await pool.speak(request, in: folder, lanes: lanes) { listener.yield($0) }
    }
}
