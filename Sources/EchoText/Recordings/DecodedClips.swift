/// The sound of a file that is not stored, decoded as fast as it is consumed.
package struct DecodedClips: ClipSource {
    package let sampleRate: Int
    private let sound: SoundChannel

    /// Decodes a file, or the `track` of it, while `work` takes its sound; where `keepsPart`, the sound of a damaged file ends where the
    /// damage is.
    ///
    /// - Throws: ``SoundImportError/damaged(seconds:)`` for a file without sound, what `decoder` throws, after all
    ///   sound before the error was consumed, and what `work` throws.
    package static func use<Output: Sendable>(
        of file: any StoredBytes,
        by decoder: any SoundFileDecoder,
        keepsPart: Bool = false,
        track: Int? = nil,
        _ work: (DecodedClips) async throws -> Output
    ) async throws -> Output {
        let sound = SoundChannel()
        let decoding = Task {
            do {
                try await decoder.decode(file, track: track) { try await sound.give($0) }
                await sound.end(.success(()))
            } catch SoundImportError.damaged where keepsPart {
                await sound.keep(.damaged)
                await sound.end(.success(()))
            } catch {
                await sound.end(.failure(error))
            }
        }
        do {
            let output = try await withTaskCancellationHandler {
                guard case .facts(let facts)? = try await sound.take() else {
                    throw SoundImportError.damaged(seconds: 0)
                }
                return try await work(DecodedClips(sampleRate: facts.sampleRate, sound: sound))
            } onCancel: {
                // The end of decoding wakes the waiting consumer.
                decoding.cancel()
            }
            await end(decoding, sound)
            return output
        } catch {
            await end(decoding, sound)
            throw error
        }
    }

    package func next() async throws -> AudioClip? {
        while let piece = try await sound.take() {
            switch piece {
            case .samples(let samples):
                return AudioClip(samples: samples.amplitudes(fullScale: .fullScale), sampleRate: sampleRate)
            case .notice(let notice): await sound.keep(notice)
            case .facts: continue
            }
        }
        return nil
    }

    /// What a person is to know of the file, as far as its sound has been taken.
    package var notices: [SoundImportNotice] { get async { await sound.notices } }

    private static func end(_ decoding: Task<Void, Never>, _ sound: SoundChannel) async {
        decoding.cancel()
        await sound.end(.failure(CancellationError()))
        await decoding.value
    }
}

/// Passes sound on piece by piece; the producer waits for the consumer.
private actor SoundChannel {
    private var piece: DecodedSound?
    private var outcome: Result<Void, any Error>?
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var notices: [SoundImportNotice] = []

    /// - Throws: `CancellationError` when it has ended.
    func give(_ sound: DecodedSound) async throws {
        while piece != nil, outcome == nil { await change() }
        guard outcome == nil else { throw CancellationError() }
        piece = sound
        resume()
    }

    /// - Returns: The next piece; `nil` at the end.
    /// - Throws: Why it has ended.
    func take() async throws -> DecodedSound? {
        while piece == nil, outcome == nil { await change() }
        guard let taken = piece else {
            try outcome?.get()
            return nil
        }
        piece = nil
        resume()
        return taken
    }

    func keep(_ notice: SoundImportNotice) { notices.append(notice) }

    /// Ends it after the last piece; only the first end counts.
    func end(_ result: Result<Void, any Error>) {
        outcome = outcome ?? result
        resume()
    }

    private func change() async {
        await withCheckedContinuation { waiting.append($0) }
    }

    private func resume() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
