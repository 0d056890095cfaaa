package import EchoText
import Foundation
package import Logging
import Synchronization

/// Speaks with Piper's neural voices: phonemes by espeak-ng, sound by a model behind ``AcousticModelLoader``.
///
/// Word times are estimated, since the models tell none.
package struct PiperSynthesizer: SpeechSynthesizer {
    /// Most UTF-16 units pronounced at once; what comes of it is cut again by its symbols.
    private static let longestPhrase = 400
    /// Most symbols that are spoken at once on one or two lanes, all requests together.
    ///
    /// A model's memory grows with them: with two requests of a medium voice in flight a process has 320 MB at 100 symbols
    /// each, 440 MB at 150 and 740 MB at 300 (measured with ONNX Runtime 1.31.1, memory patterns off). Fewer cost melody,
    /// because every part ends as a sentence does: at 64 each the same text lasts 1 to 2 % longer than at 80, at 56 it
    /// lasts 6 % longer. Long ones also fit beside one another less often, by ``ModelLanes``.
    private static let symbolsInFlight = 128
    /// Fewer symbols than this are not cut, however many lanes there are: a cut costs some of the sentence's melody.
    private static let shortestCut = 64
    /// The largest amplitude taken for sound.
    ///
    /// Piper's models end in a hyperbolic tangent, so theirs is at most 1.
    private static let loudest: Float = 4

    /// Requests that a model has besides those it speaks, so that it can choose one that fits beside the others.
    private static let queued = 4

    private let list: any PiperVoiceList
    private let phonemizer: EspeakPhonemizer
    private let models: OpenModels
    private let order = PhraseOrder()
    /// How many requests a model is given at once.
    private let places: Int
    private let logger: Logger
    /// Most symbols given to a model at once.
    private let longestRequest: Int

    /// - Parameters:
    ///   - voices: Those that can be spoken with at the moment.
    ///   - phonemizer: Pronounces text for them.
    ///   - loader: Opens their models.
    ///   - lanes: How many requests a model answers at once, at least 1.
    ///   - logger: Told what was left out; never of the text.
    package init(
        voices: any PiperVoiceList,
        phonemizer: EspeakPhonemizer,
        loader: any AcousticModelLoader,
        lanes: Int,
        logger: Logger
    ) {
        list = voices
        self.phonemizer = phonemizer
        places = max(lanes, 1) + Self.queued
        models = OpenModels(loader: loader, lanes: lanes, places: places)
        self.logger = logger
        longestRequest = max(Self.shortestCut, Self.symbolsInFlight / max(lanes, 1))
    }

    package func voices() async throws -> [Voice] {
        await list.voices().map(\.voice)
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
        for phrase in utterance.text.phrases(longest: Self.longestPhrase) where !phrase.isBlank {
            let phonemes = try await PiperPhonemes(of: phrase, for: voice, by: phonemizer)
            note(phonemes.dropped)
            let requests = phonemes.requests(longest: longestRequest)
            try await speakAtOnce(requests, of: utterance, in: voice, by: opened, rank: rank) { index, fragment in
                guard !fragment.clip.samples.isEmpty else { return }
                spoke = true
                let seam = Seam(requests[index], isFirst: index == 0, isLast: index == requests.count - 1)
                try await deliver(seam.joined(fragment))
            }
            // Others have their turn between the phrases of an endless sentence.
            rank = order.next()
        }
        guard spoke else { throw SynthesisError.nothingToSay }
    }

    /// Speaks requests at the same time, as many as the model takes, and hands them on in their order.
    ///
    /// Those of the phrase that came first go first, so that one is done and handed on instead of several half done.
    private func speakAtOnce(
        _ requests: [PiperPhonemes],
        of utterance: Utterance,
        in voice: PiperVoice,
        by opened: OpenModel,
        rank: Int,
        handOn: (_ index: Int, SpeechFragment) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Int, SpeechFragment).self) { group in
            var waiting = requests.indices
            func begin() {
                guard let index = waiting.popFirst() else { return }
                group.addTask {
                    let fragment = try await opened.turnstile.pass(rank: rank) { _ in
                        try await speech(for: requests[index], of: utterance, in: voice, by: opened.model)
                    }
                    return (index, fragment)
                }
            }
            // As many again stand ready, so that nothing of a later phrase comes between.
            for _ in 0..<2 * places { begin() }
            var early: [Int: SpeechFragment] = [:]
            var next = 0
            while let (index, fragment) = try await group.next() {
                begin()
                early[index] = fragment
                while let fragment = early.removeValue(forKey: next) {
                    try await handOn(next, fragment)
                    next += 1
                }
            }
        }
    }

    private func speech(
        for phonemes: PiperPhonemes,
        of utterance: Utterance,
        in voice: PiperVoice,
        by model: any AcousticModel
    ) async throws -> SpeechFragment {
        guard phonemes.symbols.contains(where: { !PiperPhonemes.isSilent($0) }) else {
            return SpeechFragment(clip: AudioClip(samples: [], sampleRate: model.sampleRate), marks: [])
        }
        let padded = ShortUtterance.padded(phonemes.symbols, for: voice)
        let request = PhonemeRequest(
            phonemes: padded,
            speaker: utterance.speaker,
            speed: utterance.prosody.speed
        )
        var clip = try await model.speak(request)
        guard clip.samples.allSatisfy({ abs($0) <= Self.loudest }) else {  // nor is NaN
            throw VoiceFolderError.badModel("\(voice.folder.name).onnx")
        }
        let sound = clip.soundRange()
        if padded.count > phonemes.symbols.count {
            clip = ShortUtterance.trimmed(clip, to: sound)
        }
        return SpeechFragment(clip: clip, marks: marks(of: phonemes.words, in: clip))
    }

    /// Shares the sounding part of `clip` out among `words` by their weights.
    private func marks(of words: [PiperPhonemes.Word], in clip: AudioClip) -> [SpeechFragment.Mark] {
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

/// Makes the parts of a phrase that had to be spoken one by one sound as one.
private struct Seam {
    private let isFirst: Bool
    private let isLast: Bool
    /// Silence after the part, in seconds.
    private let pause: Double

    /// Kept of the model's own silence where parts meet, in seconds.
    private static let margin = 0.02
    /// What a reader pauses at a comma, in seconds.
    private static let clausePause = 0.12

    init(_ request: PiperPhonemes, isFirst: Bool, isLast: Bool) {
        self.isFirst = isFirst
        self.isLast = isLast
        let last = request.symbols.last { $0 != " " }
        pause = !isLast && last.map { ".,;:!?".unicodeScalars.contains($0) } ?? false ? Self.clausePause : 0
    }

    func joined(_ fragment: SpeechFragment) -> SpeechFragment {
        guard !(isFirst && isLast) else { return fragment }
        var joined = fragment.trimmed(start: !isFirst, end: !isLast, margin: Self.margin)
        let silence = Int(pause * Double(joined.clip.sampleRate))
        joined.clip.samples.append(contentsOf: repeatElement(0, count: silence))
        return joined
    }
}

/// Keeps what is said in few symbols from being garbled.
///
/// VITS predicts durations badly for short inputs. Pad symbols before and after bring them to a length it was trained on; the
/// silence that they become is cut off again.
///
/// - SeeAlso: piper-plus, `docs/spec/short-text-contract.toml`: 40 symbols, pads shared out before and after.
enum ShortUtterance {
    /// Fewer symbols than this are padded.
    static let shortest = 40
    private static let pad: Unicode.Scalar = "_"
    /// Kept of the silence around the sound, in seconds.
    private static let margin = 0.03

    /// `symbols` with pads around them, or as they are when there are enough of them.
    static func padded(_ symbols: [Unicode.Scalar], for voice: PiperVoice) -> [Unicode.Scalar] {
        let missing = shortest - symbols.count
        guard missing > 0, voice.knows(pad) else { return symbols }
        // The engine puts a pad of its own after every symbol, so half as many are needed, shared between both ends.
        let pads = [Unicode.Scalar](repeating: pad, count: (missing + 3) / 4)
        return pads + symbols + pads
    }

    /// `clip` without the silence that pads became; whole when nothing in it can be told from silence.
    static func trimmed(_ clip: AudioClip, to sound: Range<Int>) -> AudioClip {
        guard !sound.isEmpty else { return clip }
        let margin = Int(margin * Double(clip.sampleRate))
        let kept = max(0, sound.lowerBound - margin)..<min(clip.samples.count, sound.upperBound + margin)
        return AudioClip(samples: Array(clip.samples[kept]), sampleRate: clip.sampleRate)
    }
}

/// Numbers phrases as they come.
private final class PhraseOrder: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// A model, and the way to it.
private struct OpenModel: Sendable {
    let model: any AcousticModel
    let turnstile: Turnstile
}

/// The models that have been asked for, each opened once however many ask at once.
private actor OpenModels {
    /// One is spoken with; a second keeps a change of voice and back from loading twice.
    private static let kept = 2

    private let loader: any AcousticModelLoader
    private let lanes: Int
    private let places: Int
    private var opening: [(voice: PiperVoice, model: Task<OpenModel, any Error>)] = []

    /// - Parameters:
    ///   - loader: Opens them.
    ///   - lanes: How many requests each answers at once.
    ///   - places: How many it is given at once.
    init(loader: any AcousticModelLoader, lanes: Int, places: Int) {
        self.loader = loader
        self.lanes = lanes
        self.places = places
    }

    /// - Throws: `CancellationError` as soon as the caller is cancelled, while the model goes on loading for the others; what
    ///   the loader threw, as ``VoiceFolderError/badModel(_:)`` when the model ended the engine's process.
    func model(of voice: PiperVoice) async throws -> OpenModel {
        let task = opening.first { $0.voice == voice }?.model ?? open(voice)
        let (outcomes, decide) = AsyncStream.makeStream(
            of: Result<OpenModel, any Error>.self,
            bufferingPolicy: .bufferingOldest(1)  // there is but one outcome
        )
        // Ends with the loading, which it only listens to.
        Task { decide.yield(await task.result) }
        for await outcome in outcomes {
            do {
                return try outcome.get()
            } catch {
                opening.removeAll { $0.voice == voice && $0.model == task }
                if case WorkerError.died = error { throw VoiceFolderError.badModel("\(voice.folder.name).onnx") }
                throw error
            }
        }
        throw CancellationError()  // the stream ends early only when this caller is cancelled
    }

    private func open(_ voice: PiperVoice) -> Task<OpenModel, any Error> {
        // Not a caller's child: one that gives up must not take the model from the others. The loader's watchdog ends it.
        let task = Task { [loader, lanes, places] in
            OpenModel(
                model: try await loader.open(voice.folder, lanes: lanes),
                turnstile: Turnstile(places: places)
            )
        }
        opening.append((voice, task))
        if opening.count > Self.kept { opening.removeFirst() }
        return task
    }
}
