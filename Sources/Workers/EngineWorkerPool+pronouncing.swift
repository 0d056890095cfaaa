package import EchoText
internal import Foundation
internal import Logging

/// The pool's state for the worker with the rule-based engine.
struct PronouncerSlot {
    var worker: ReadyPronouncer?
    var starting: Task<ReadyPronouncer, any Error>?
    /// The engine's version and voices when it was last loaded.
    var introduction: EngineIntroduction?
    /// Calls that use the worker at the moment.
    var users = 0
    /// The number of calls so far.
    var uses = 0
    /// Ends the worker after its idle time.
    var idling: Task<Void, Never>?
}

/// A worker with the rule-based engine loaded.
struct ReadyPronouncer: Sendable {
    let worker: EngineWorker
    let introduction: EngineIntroduction
}

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
    /// The folders in which distributions install espeak-ng's data, if not next to the libraries.
    private static let rulesPaths = ["/usr/share/espeak-ng-data", "/usr/local/share/espeak-ng-data"]

    /// How often a request is sent again because another request ended the worker.
    private static let maximumUnstarted = 20
    /// How often a request is sent again whose reply was lost with the worker: the request itself may have damaged the process.
    private static let maximumLostReplies = 3

    package func introduction() async throws -> EngineIntroduction {
        if let introduction = pronouncer.introduction { return introduction }
        return try await pronouncing { $0.introduction }
    }

    package func phonemes(of texts: [String], in language: String) async throws -> [String] {
        try await pronouncing { try await $0.worker.pronounce(texts, language: language) }
    }

    package func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech {
        try await pronouncing { ready in
            let rate = ready.introduction.sampleRate(of: voice)
            guard let rate else { throw SynthesisError.voiceNotInstalled(voice) }
            let (samples, marks) = try await ready.worker.say(phrase, by: voice, prosody: prosody)
            return PhraseSpeech(samples: samples, sampleRate: rate, marks: marks)
        }
    }

    /// Does `work` with the worker, and retries it once with the next worker if the first died during it.
    private func pronouncing<Result: Sendable>(
        _ work: (ReadyPronouncer) async throws -> Result
    ) async throws -> Result {
        beginPronouncerUse()
        defer { endPronouncerUse() }
        var (deaths, unstarted, lostReplies) = (0, 0, 0)
        while true {
            var ready: ReadyPronouncer?
            do {
                let pronouncer = try await readyPronouncer()
                ready = pronouncer
                return try await work(pronouncer)
            } catch is EngineWorker.RequestNotStarted {
                removeEndedPronouncer(ready)
                unstarted += 1
                guard unstarted < Self.maximumUnstarted else { throw SynthesisError.engineDied(.espeakNG) }
            } catch is EngineWorker.ReplyLost {
                removeEndedPronouncer(ready)
                lostReplies += 1
                guard lostReplies < Self.maximumLostReplies else { throw SynthesisError.engineDied(.espeakNG) }
            } catch WorkerError.died {
                removeEndedPronouncer(ready)
                deaths += 1
                guard deaths < 2 else { throw SynthesisError.engineDied(.espeakNG) }
            } catch {
                removeEndedPronouncer(ready)
                throw error
            }
            try Task.checkCancellation()
        }
    }

    private func beginPronouncerUse() {
        pronouncer.users += 1
        pronouncer.uses += 1
        pronouncer.idling?.cancel()
        pronouncer.idling = nil
    }

    private func endPronouncerUse() {
        pronouncer.users -= 1
        guard pronouncer.users == 0, pronouncer.worker != nil else { return }
        pronouncer.idling = Task { [weak self, clock, timing, uses = pronouncer.uses] in
            // This throws only when the worker is used again.
            guard (try? await clock.sleep(for: timing.idle)) != nil else { return }
            await self?.endIdlePronouncer(since: uses)
        }
    }

    private func endIdlePronouncer(since uses: Int) {
        guard pronouncer.users == 0, pronouncer.uses == uses, let worker = dismissPronouncer() else { return }
        retire(worker)
    }

    /// Removes the worker from its slot without ending it.
    func dismissPronouncer() -> EngineWorker? {
        defer { pronouncer.worker = nil }
        pronouncer.idling?.cancel()
        pronouncer.idling = nil
        return pronouncer.worker?.worker
    }

    /// The running worker; starts one if there is none.
    private func readyPronouncer() async throws -> ReadyPronouncer {
        while true {
            try Task.checkCancellation()
            if let ready = pronouncer.worker {
                if ready.worker.fault == nil { return ready }
                removeEndedPronouncer(ready)
            }
            let ready = try await (pronouncer.starting ?? startPronouncer()).valueUnlessCancelled
            if ready.worker.fault == nil { return ready }
        }
    }

    private func startPronouncer() -> Task<ReadyPronouncer, any Error> {
        let task = Task {
            defer { pronouncer.starting = nil }
            let ready = try await makePronouncer()
            pronouncer.worker = ready
            pronouncer.introduction = ready.introduction
            return ready
        }
        pronouncer.starting = task
        return task
    }

    private func makePronouncer() async throws -> ReadyPronouncer {
        let isolation = await isolation.isolation
        try Task.checkCancellation()
        var launch = launch
        launch.readablePaths += Self.rulesPaths.filter(FileManager.default.fileExists)
        let worker = try await EngineWorker.start(launch, in: isolation, timing: timing, clock: clock, logger: logger)
        do {
            let introduction = try await worker.introduce()
            try Task.checkCancellation()
            return ReadyPronouncer(worker: worker, introduction: introduction)
        } catch {
            worker.end()
            await worker.waitForExit()
            throw error
        }
    }

    /// Removes the worker from its slot if it has ended.
    private func removeEndedPronouncer(_ ready: ReadyPronouncer?) {
        guard let ready, let fault = ready.worker.fault, pronouncer.worker?.worker === ready.worker else { return }
        pronouncer.worker = nil
        if !ready.worker.hasExited { retire(ready.worker) }
        logger.warning("the worker of the engine of rules ended", metadata: ["fault": "\(fault)"])
    }
}

extension EngineIntroduction {
    /// The sample rate of a voice, or of the voice that it is a variant of.
    fileprivate func sampleRate(of voice: Voice.ID) -> Int? {
        let plain = voice.rawValue.prefix { $0 != "+" }
        return voices.first { $0.id.rawValue == plain }?.sampleRate
    }
}
