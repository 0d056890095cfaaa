package import EchoText
internal import Foundation
internal import Logging

/// Where the pool keeps the worker with the engine of rules.
struct PronouncerSlot {
    var worker: ReadyPronouncer?
    var starting: Task<ReadyPronouncer, any Error>?
    /// What the engine said of itself when it was last loaded.
    var introduction: EngineIntroduction?
    /// Calls that use the worker at the moment.
    var users = 0
    /// When it was last used, in calls.
    var uses = 0
    /// Ends the worker after its idle time.
    var idling: Task<Void, Never>?
}

/// A worker with the engine of rules loaded.
struct ReadyPronouncer: Sendable {
    let worker: EngineWorker
    let introduction: EngineIntroduction
}

/// The engine of rules in a process of its own, beside those of the voices that read the phonemes it writes.
///
/// A voice's worker could write them itself, which would save the way between two processes: a tenth of a millisecond for a phrase that takes
/// a hundred to speak. But then a text that ends the engine takes the loaded voice with it, a second's work, and counts against a voice that
/// has done nothing; each voice's process holds the engine's data once more; and the engine's own voices need a process without any voice all
/// the same. A phrase and all its words are one request, so the way is gone once a phrase.
///
/// The worker reports the beginning of each request, so that of several under way the one that ended it is known: that one is tried
/// once more and then fails, and the others are sent to the next worker, those too whose sound was still on its way.
extension EngineWorkerPool: PronouncingEngine {
    /// Where distributions keep espeak-ng's data, if not beside the libraries.
    private static let rulesPaths = ["/usr/share/espeak-ng-data", "/usr/local/share/espeak-ng-data"]

    /// Ends of workers over other requests that one request lives through.
    private static let mostUntouched = 20

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

    /// Does `work` with the worker, and once more with the next one when it died over it.
    private func pronouncing<Result: Sendable>(
        _ work: (ReadyPronouncer) async throws -> Result
    ) async throws -> Result {
        arriveAtPronouncer()
        defer { departFromPronouncer() }
        var (deaths, untouched) = (0, 0)
        while true {
            var ready: ReadyPronouncer?
            do {
                let pronouncer = try await readyPronouncer()
                ready = pronouncer
                return try await work(pronouncer)
            } catch is EngineWorker.Untouched {
                forgetPronouncer(ready)
                untouched += 1
                guard untouched < Self.mostUntouched else { throw SynthesisError.engineDied(.espeakNG) }
            } catch WorkerError.died {
                forgetPronouncer(ready)
                deaths += 1
                guard deaths < 2 else { throw SynthesisError.engineDied(.espeakNG) }
            } catch {
                forgetPronouncer(ready)
                throw error
            }
            try Task.checkCancellation()
        }
    }

    private func arriveAtPronouncer() {
        pronouncer.users += 1
        pronouncer.uses += 1
        pronouncer.idling?.cancel()
        pronouncer.idling = nil
    }

    private func departFromPronouncer() {
        pronouncer.users -= 1
        guard pronouncer.users == 0, pronouncer.worker != nil else { return }
        pronouncer.idling = Task { [weak self, clock, timing, uses = pronouncer.uses] in
            // Thrown only when it is used again.
            guard (try? await clock.sleep(for: timing.idle)) != nil else { return }
            await self?.endIdlePronouncer(since: uses)
        }
    }

    private func endIdlePronouncer(since uses: Int) {
        guard pronouncer.users == 0, pronouncer.uses == uses, let worker = dismissPronouncer() else { return }
        retire(worker)
    }

    /// Takes the worker out of its place.
    func dismissPronouncer() -> EngineWorker? {
        defer { pronouncer.worker = nil }
        pronouncer.idling?.cancel()
        pronouncer.idling = nil
        return pronouncer.worker?.worker
    }

    /// The worker, started when there is none that lives.
    private func readyPronouncer() async throws -> ReadyPronouncer {
        while true {
            try Task.checkCancellation()
            if let ready = pronouncer.worker {
                if ready.worker.fault == nil { return ready }
                forgetPronouncer(ready)
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
            await worker.gone()
            throw error
        }
    }

    /// Removes an ended worker, once.
    private func forgetPronouncer(_ ready: ReadyPronouncer?) {
        guard let ready, let fault = ready.worker.fault, pronouncer.worker?.worker === ready.worker else { return }
        pronouncer.worker = nil
        if !ready.worker.isGone { retire(ready.worker) }
        logger.warning("the worker of the engine of rules ended", metadata: ["fault": "\(fault)"])
    }
}

extension EngineIntroduction {
    /// Of a voice or the one that it is a variant of.
    fileprivate func sampleRate(of voice: Voice.ID) -> Int? {
        let plain = voice.rawValue.prefix { $0 != "+" }
        return voices.first { $0.id.rawValue == plain }?.sampleRate
    }
}
