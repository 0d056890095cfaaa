package import EchoText
import Foundation
package import Logging
import Synchronization

/// Speaks with Piper's neural voices: phonemes by espeak-ng, sound by a model behind ``AcousticModelLoader``.
///
/// A sentence is spoken whole and delivered in fragments of whole words. Word times are exact if the model gives
/// durations, else estimated.
package struct PiperSynthesizer: SpeechSynthesizer {
    /// The limit on UTF-16 units pronounced at once; the result is cut again by its symbols.
    private static let longestPhrase = 600
    /// The largest valid amplitude.
    ///
    /// Piper's models end in a hyperbolic tangent, so their amplitude is at most 1.
    private static let loudest: Float = 4

    /// Requests that are queued at a model in addition to those it speaks, so that no lane waits for the exchange between
    /// processes.
    private static let queued = 2

    private let list: any PiperVoiceList
    private let pronouncer: any Phonemizer
    private let models: OpenModels
    private let order = PhraseOrder()
    /// The number of requests that a model receives at once.
    private let permits: Int
    private let logger: Logger

    /// - Parameters:
    ///   - voices: The available voices.
    ///   - pronouncer: Makes phonemes for them.
    ///   - loader: Opens their models.
    ///   - lanes: The number of requests that a model answers at once, at least 1.
    ///   - logger: Logs how many symbols were left out; never the text.
    package init(
        voices: any PiperVoiceList,
        pronouncer: any Phonemizer,
        loader: any AcousticModelLoader,
        lanes: Int,
        logger: Logger
    ) {
        list = voices
        self.pronouncer = pronouncer
        permits = max(lanes, 1) + Self.queued
        models = OpenModels(voices: voices, loader: loader, lanes: lanes, permits: permits)
        self.logger = logger
    }

    package func voices() async throws -> [Voice] {
        await list.voices().map(\.voice)
    }

    /// Begins to open the model of a voice that is about to speak, and returns without waiting for it.
    ///
    /// A failure is thrown by the first ``speak(_:deliver:)`` with the voice.
    ///
    /// - Parameters:
    ///   - id: The voice; without effect when it is not installed.
    ///   - language: The language of the text as BCP 47, if it is known; without effect when the voice does not speak it.
    package func prepare(_ id: Voice.ID, for language: String?) async {
        // A voice that cannot be read reports its error when it is used.
        guard Voice.Engine(of: id) == .piper, let voice = try? await list.voice(id) else { return }
        if let language, !voice.voice.speaks(language) { return }
        await models.prepare(voice)
    }

    package func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        guard !utterance.text.isBlank else { throw SynthesisError.nothingToSay }
        var rank = order.next()
        guard let voice = try await list.voice(utterance.voice) else {
            throw SynthesisError.voiceNotInstalled(utterance.voice)
        }
        guard (0..<voice.description.speakers).contains(utterance.speaker) else {
            throw SynthesisError.noSuchSpeaker(
                utterance.speaker,
                of: utterance.voice,
                count: voice.description.speakers
            )
        }
        try Task.checkCancellation()
        let opened = try await models.model(of: voice)
        let model = opened.model
        guard model.sampleRate == voice.description.sampleRate, model.speakers > utterance.speaker else {
            throw VoiceFolderError.badDescription("\(voice.folder.name).onnx.json")
        }
        var spoke = false
        var unknown: [Unicode.Scalar] = []
        for phrase in utterance.text.phrases(longest: Self.longestPhrase) where !phrase.isBlank {
            let phonemes = try await PiperPhonemes(of: phrase, for: voice, by: pronouncer)
            note(phonemes.dropped.count)
            unknown += phonemes.unknownSounds
            for part in phonemes.requests(longest: PhonemeRequest.longest) where part.isSpoken {
                spoke = true
                try await opened.semaphore.pass(rank: rank) { _ in
                    try await speak(part, of: utterance, in: voice, by: model) { fragment in
                        var fragment = fragment
                        (fragment.unknown, unknown) = (unknown, [])
                        try await deliver(fragment)
                    }
                }
                // Other phrases are served between the parts of a very long sentence.
                rank = order.next()
            }
        }
        guard spoke else { throw SynthesisError.nothingToSay }
    }

    private func speak(
        _ phonemes: PiperPhonemes,
        of utterance: Utterance,
        in voice: PiperVoice,
        by model: any AcousticModel,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        let request = PhonemeRequest(
            phonemes: phonemes.symbols,
            speaker: utterance.speaker,
            speed: utterance.prosody.speed,
            liveliness: utterance.prosody.liveliness,
            rhythm: utterance.prosody.rhythm
        )
        var fragments: PiperWordTimes?
        var untimed = AudioClip(samples: [], sampleRate: model.sampleRate)
        try await model.speak(request) { piece in
            switch piece {
            case .times(let times):
                fragments = PiperWordTimes(phonemes.words, times: times, sampleRate: model.sampleRate)
            case .samples(let samples):
                guard samples.allSatisfy({ abs($0) <= Self.loudest }) else {  // this also excludes NaN
                    throw VoiceFolderError.badModel(voice.folder.modelFile)
                }
                guard fragments != nil else {
                    untimed.samples += samples
                    return
                }
                if let fragment = fragments?.add(samples) { try await deliver(fragment) }
            }
        }
        if let fragment = fragments?.finish() { try await deliver(fragment) }
        guard !untimed.samples.isEmpty else { return }
        try await deliver(SpeechFragment(clip: untimed, marks: Self.estimate(phonemes.words, in: untimed)))
    }

    /// Divides the audible part of `clip` among `words` by their weights.
    private static func estimate(_ words: [PiperPhonemes.Word], in clip: AudioClip) -> [TimedWord] {
        let sound = clip.soundRange()
        let total = words.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return [] }
        var passed = 0.0
        return words.map { word in
            let start = sound.lowerBound + Int(passed / total * Double(sound.count))
            passed += word.weight
            let end = sound.lowerBound + Int(passed / total * Double(sound.count))
            return .init(
                source: word.source,
                samples: start..<max(start, min(end, clip.samples.count)),
                precision: .estimated
            )
        }
    }

    private func note(_ dropped: Int) {
        guard dropped > 0 else { return }
        logger.info("symbols the voice does not know were left out", metadata: ["count": "\(dropped)"])
    }
}

/// Numbers phrases in the order of their requests.
private final class PhraseOrder: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// A model, and the semaphore that limits its requests.
private struct OpenModel: Sendable {
    let model: any AcousticModel
    let semaphore: PrioritySemaphore
}

/// The open models; concurrent requests for one voice open it once.
private actor OpenModels {
    /// The number of open models: a second one avoids loading again when voices alternate.
    private static let kept = 2

    private let voices: any PiperVoiceList
    private let loader: any AcousticModelLoader
    private let lanes: Int
    private let permits: Int
    private var opening: [(voice: PiperVoice, model: Task<OpenModel, any Error>)] = []

    /// - Parameters:
    ///   - voices: Stores a model's layout once it is known.
    ///   - loader: Opens them.
    ///   - lanes: The number of requests that each answers at once.
    ///   - permits: The number of requests that each receives at once.
    init(voices: any PiperVoiceList, loader: any AcousticModelLoader, lanes: Int, permits: Int) {
        self.voices = voices
        self.loader = loader
        self.lanes = lanes
        self.permits = permits
    }

    /// - Throws: `CancellationError` as soon as the caller is cancelled, while the model continues to load for other
    ///   callers; otherwise the loader's error, which is ``VoiceFolderError/badModel(_:)`` if the model ended the
    ///   engine's process.
    func model(of voice: PiperVoice) async throws -> OpenModel {
        let task = opening.first { $0.voice.isSame(as: voice) }?.model ?? open(voice)
        let (outcomes, decide) = AsyncStream.makeStream(
            of: Result<OpenModel, any Error>.self,
            bufferingPolicy: .bufferingOldest(1)  // there is only one result
        )
        // This task ends with the loading, which it only observes.
        Task { decide.yield(await task.result) }
        for await outcome in outcomes {
            do {
                return try outcome.get()
            } catch {
                opening.removeAll { $0.voice.isSame(as: voice) && $0.model == task }
                if case WorkerError.died = error { throw VoiceFolderError.badModel("\(voice.folder.name).onnx") }
                throw error
            }
        }
        throw CancellationError()  // the stream ends early only when this caller is cancelled
    }

    /// Begins to open a voice's model; the outcome is kept for ``model(of:)``.
    func prepare(_ voice: PiperVoice) {
        guard !opening.contains(where: { $0.voice.isSame(as: voice) }) else { return }
        _ = open(voice)
    }

    private func open(_ voice: PiperVoice) -> Task<OpenModel, any Error> {
        // Not a child of the caller's task: a cancelled caller must not cancel the loading for others. The loader's
        // watchdog limits it.
        let task = Task { [voices, loader, lanes, permits] in
            let model = try await loader.open(voice.folder, lanes: lanes, layout: voice.layout)
            if voice.layout == nil, model.layout.isLasting { await voices.keep(model.layout, of: voice) }
            return OpenModel(model: model, semaphore: PrioritySemaphore(permits: permits))
        }
        opening.append((voice, task))
        if opening.count > Self.kept { opening.removeFirst() }
        return task
    }
}
