package import EchoText

/// The rule-based engine in a process of its own, separate from the voices that read its phonemes.
///
/// A voice's worker could make the phonemes itself. This would save one exchange between processes: 0.1 ms for a
/// phrase that takes 100 ms to speak. But a text that crashes the engine would then also end the loaded voice, which
/// takes a second to load again, and would count as a failure of that voice. Each voice's process would hold another
/// copy of the engine's data, and the engine's own voices would still need a process without a voice. A phrase and
/// all its words are one request, so there is one exchange for each phrase.
///
/// The worker reports the start of each request, so the pool knows which of several pending requests ended it. That
/// request is tried once more and then fails. The others are sent to the next worker, including those whose sound had
/// not arrived completely.
extension EngineWorkerPool: Phonemizer {
    /// How often a request is sent again because another request ended the worker.
    private static let maximumUnstarted = 20
    /// How often a request is sent again whose reply was lost with the worker: the request itself may have damaged the process.
    private static let maximumLostReplies = 3

    package func introduction() async throws -> EngineIntroduction {
        if let lastIntroduction { return lastIntroduction }
        guard case .rules(let introduction) = try await pronouncing({ $0.loaded }) else {
            throw WorkerError.protocolViolation
        }
        return introduction
    }

    package func phonemes(of texts: [String], in language: String) async throws -> [String] {
        try await pronouncing { try await $0.worker.pronounce(texts, language: language) }
    }

    package func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech {
        try await pronouncing { ready in
            guard case .rules(let introduction) = ready.loaded, let rate = introduction.sampleRate(of: voice) else {
                throw SynthesisError.voiceNotInstalled(voice)
            }
            let (samples, marks) = try await ready.worker.say(phrase, by: voice, prosody: prosody)
            return PhraseSpeech(samples: samples, sampleRate: rate, marks: marks)
        }
    }

    /// Does `work` with the worker, and retries it once with the next worker if the first died during it.
    private func pronouncing<Result: Sendable>(
        _ work: (ReadyWorker) async throws -> Result
    ) async throws -> Result {
        beginUse(of: .rules)
        defer { endUse(of: .rules) }
        var (deaths, unstarted, lostReplies) = (0, 0, 0)
        while true {
            var ready: ReadyWorker?
            do {
                let pronouncer = try await worker(for: .rules, lanes: 1)
                ready = pronouncer
                return try await work(pronouncer)
            } catch {
                if let ready { noteFault(of: ready.worker, in: .rules) }
                switch error {
                case is EngineWorker.RequestNotStarted: unstarted += 1
                case is EngineWorker.ReplyLost: lostReplies += 1
                case WorkerError.died: deaths += 1
                default: throw error
                }
            }
            guard deaths < 2, unstarted < Self.maximumUnstarted, lostReplies < Self.maximumLostReplies else {
                throw SynthesisError.engineDied(.espeakNG)
            }
            try Task.checkCancellation()
        }
    }
}

extension EngineIntroduction {
    /// The sample rate of a voice, or of the voice that it is a variant of.
    fileprivate func sampleRate(of voice: Voice.ID) -> Int? {
        let plain = voice.rawValue.prefix { $0 != "+" }
        return voices.first { $0.id.rawValue == plain }?.sampleRate
    }
}
