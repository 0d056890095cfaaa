import CEspeakNG
package import EchoText
import Foundation

/// Speaks with espeak-ng: small, robotic, always there.
///
/// Word times are espeak-ng's own, exact to the sample.
package struct EspeakSynthesizer: SpeechSynthesizer {
    /// Most UTF-16 units given to the library at once, about a minute of speech; a cancelled call stops far sooner.
    private static let longestPhrase = 800

    private let library: EspeakLibrary
    private let watch: EngineWatch

    /// - Parameters:
    ///   - library: The loaded library.
    ///   - watch: Gives up on a call that the library does not return from.
    package init(library: EspeakLibrary, watch: EngineWatch) {
        self.library = library
        self.watch = watch
    }

    package func voices() async throws -> [Voice] { library.voices }

    package func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        guard !utterance.text.isBlank else { throw SynthesisError.nothingToSay }
        guard let identifier = library.identifier(of: utterance.voice) else {
            throw SynthesisError.voiceNotInstalled(utterance.voice)
        }
        guard utterance.speaker == 0 else {
            throw SynthesisError.noSuchSpeaker(utterance.speaker, of: utterance.voice, count: 1)
        }
        var spoke = false
        for phrase in utterance.text.phrases(longest: Self.longestPhrase) where !phrase.isBlank {
            try Task.checkCancellation()
            let fragment = try await speech(for: phrase, of: utterance, identifier: identifier)
            guard !fragment.clip.samples.isEmpty else { continue }
            spoke = true
            try await deliver(fragment)
        }
        guard spoke else { throw SynthesisError.nothingToSay }
    }

    private func speech(
        for phrase: SpokenText,
        of utterance: Utterance,
        identifier: String
    ) async throws -> SpeechFragment {
        let sampleRate = library.sampleRate
        let call = EspeakCall(
            phrase: phrase,
            prosody: utterance.prosody,
            voice: utterance.voice,
            identifier: identifier
        )
        return try await watch.guarding(.espeakNG, phase: .synthesizing) {
            try await call.run(sampleRate: sampleRate)
        }
    }
}

/// One call of `espeak_Synth` and what it needs to know.
private struct EspeakCall: Sendable {
    let phrase: SpokenText
    let prosody: Prosody
    let voice: Voice.ID
    let identifier: String

    @EspeakThread
    func run(sampleRate: Int) throws -> SpeechFragment {
        try Task.checkCancellation()
        guard espeak_SetVoiceByName(identifier) == EE_OK else { throw SynthesisError.voiceNotInstalled(voice) }
        setProsody()
        let text = EspeakText(phrase, spelling: .ofVoice(identifier))
        var recording = EspeakRecording()
        espeak_SetSynthCallback(record)
        let status = withUnsafeMutablePointer(to: &recording) { destination in
            espeak_Synth(
                text.string,
                text.string.utf8.count + 1,
                0,
                POS_CHARACTER,
                0,
                UInt32(espeakCHARS_UTF8 | espeakPHONEMES),
                nil,
                destination
            )
        }
        try Task.checkCancellation()
        guard status == EE_OK else {
            throw SynthesisError.engineFailed(.espeakNG, status: Int32(status.rawValue))
        }
        return recording.fragment(of: text.engineText, sampleRate: sampleRate)
    }

    @EspeakThread
    private func setProsody() {
        let wordsPerMinute = Int32((Double(espeakRATE_NORMAL) * prosody.speed).rounded())
        espeak_SetParameter(espeakRATE, min(max(wordsPerMinute, espeakRATE_MINIMUM), espeakRATE_MAXIMUM), 0)
        // 0 to 100, an octave below to an octave above the voice's own pitch at 50.
        let pitch = Int32((50 + 50 * log2(prosody.pitch)).rounded())
        espeak_SetParameter(espeakPITCH, min(max(pitch, 0), 100), 0)
    }
}

/// What the callback hears during one call.
private struct EspeakRecording {
    struct Event {
        /// In characters from the start of the text.
        let range: Range<Int>
        let sample: Int
    }

    var samples: [Float] = []
    var words: [Event] = []
    /// Where the last sentence or clause ended.
    var end: Int?

    /// Words last until the next begins, the last until the clause ends.
    func fragment(of text: EngineText, sampleRate: Int) -> SpeechFragment {
        let heard = text.coveringSilentWords(of: merged)
        let marks = heard.compactMap { word in
            text.source(of: word.range).map {
                SpeechFragment.Mark(source: $0, samples: word.samples, precision: .exact)
            }
        }
        return SpeechFragment(clip: AudioClip(samples: samples, sampleRate: sampleRate), marks: marks)
    }

    /// The events, those put together that tell of the same writing: several words said for one, or a number whose places
    /// the library counts backwards.
    private var merged: [HeardWord] {
        var heard: [HeardWord] = []
        for (index, word) in words.enumerated() {
            let until = min(index + 1 < words.count ? words[index + 1].sample : end ?? samples.count, samples.count)
            guard word.sample <= until else { continue }
            if let last = heard.last, word.range.lowerBound < last.range.upperBound {
                heard[heard.count - 1] = HeardWord(
                    range: last.range.lowerBound..<max(last.range.upperBound, word.range.upperBound),
                    samples: last.samples.lowerBound..<until
                )
            } else {
                heard.append(HeardWord(range: word.range, samples: word.sample..<until))
            }
        }
        return heard
    }
}

/// When a stretch of what is said is heard.
private struct HeardWord {
    /// In scalars of the engine's text.
    var range: Range<Int>
    var samples: Range<Int>
}

extension EngineText {
    /// `heard` with the words that the library said in one breath with their neighbour (“was a”) put to that neighbour.
    fileprivate func coveringSilentWords(of heard: [HeardWord]) -> [HeardWord] {
        var covering = heard
        for index in covering.indices {
            let end = covering[index].range.upperBound
            let next = index + 1 < covering.count ? covering[index + 1].range.lowerBound : scalars.count
            guard end < next, next <= scalars.count,
                let last = scalars[end..<next].lastIndex(where: {
                    $0.properties.isAlphabetic || $0.properties.numericType != nil
                })
            else { continue }
            covering[index].range = covering[index].range.lowerBound..<last + 1
        }
        return covering
    }
}

/// Takes one block of speech and the events in it, on the thread that synthesises.
///
/// `user_data` of the events is the ``EspeakRecording``. Answers 0 to go on or 1 to stop, as `espeak_SetSynthCallback`
/// asks. It runs within the task that made the call, so that task's cancellation is what it sees.
private func record(
    _ block: UnsafeMutablePointer<Int16>?,
    _ count: Int32,
    _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
    guard let events, let destination = events.pointee.user_data else { return 0 }
    let recording = destination.assumingMemoryBound(to: EspeakRecording.self)
    EngineProgress.report()
    if let block {
        recording.pointee.samples.append(
            contentsOf: UnsafeBufferPointer(start: block, count: Int(count)).lazy.map { Float($0) / 32_768 }
        )
    }
    var event = events
    while event.pointee.type != espeakEVENT_LIST_TERMINATED {
        let position = Int(event.pointee.text_position) - 1
        switch event.pointee.type {
        case espeakEVENT_WORD:
            recording.pointee.words.append(
                .init(
                    range: max(0, position)..<max(0, position) + Int(event.pointee.length),
                    sample: Int(event.pointee.sample)
                )
            )
        case espeakEVENT_END: recording.pointee.end = Int(event.pointee.sample)
        default: break
        }
        event += 1
    }
    return Task.isCancelled ? 1 : 0
}
