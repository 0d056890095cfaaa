/// An engine that converts text to phonemes by rules, for voices that read phonemes, and has voices of its own.
///
/// Calls may overlap; the engine works on one at a time. It calls ``EngineProgress/report()`` when it starts a call,
/// before it reads the text, so that a worker knows which text crashed its process. A cancelled call throws
/// `CancellationError`.
package protocol Phonemizer: Sendable {
    /// The engine's name, version and voices.
    ///
    /// - Throws: ``EngineError/missing(_:)``, ``WorkerError`` or `CancellationError`.
    func introduction() async throws -> EngineIntroduction

    /// How each of `texts` is pronounced.
    ///
    /// - Parameters:
    ///   - texts: Plain texts in any script the language is written in.
    ///   - language: A BCP 47 tag or a name of the engine's.
    /// - Returns: As many as `texts`: International Phonetic Alphabet with a space between words and each clause's mark after it, as
    ///   Piper's voices were trained to read it; empty for a text without speech.
    /// - Throws: ``SynthesisError/engineFailed(_:status:)`` for a language the engine does not know,
    ///   ``SynthesisError/engineDied(_:over:)`` when the texts ended its process, ``WorkerError`` or `CancellationError`.
    func phonemes(of texts: [String], in language: String) async throws -> [String]

    /// Synthesizes `phrase`.
    ///
    /// - Parameters:
    ///   - phrase: At most about a minute of speech.
    ///   - voice: A voice of the engine, with an optional variant after a `+` (`espeak/en-US+f3`).
    ///   - prosody: Speed and pitch; settings that the engine lacks are ignored.
    /// - Returns: Speech with the times of its words; empty when there is nothing to say.
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)``, and as ``phonemes(of:in:)``.
    func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech
}

/// A phrase synthesized by a rule-based engine.
///
/// It has 16-bit samples, as such engines produce: they need half the bytes of floats on the way from the engine's
/// process, and no conversion.
package struct PhraseSpeech: Sendable, Hashable {
    /// Full scale is ±32,768.
    package let samples: [Int16]
    /// In hertz.
    package let sampleRate: Int
    /// In order of time, inside the samples, not overlapping.
    package let marks: [SpeechFragment.Mark]

    package init(samples: [Int16], sampleRate: Int, marks: [SpeechFragment.Mark]) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.marks = marks
    }

    /// The same, as every engine's speech is handed on.
    package var fragment: SpeechFragment {
        let sound = samples.amplitudes(fullScale: .fullScale)
        return SpeechFragment(clip: AudioClip(samples: sound, sampleRate: sampleRate), marks: marks)
    }
}

/// An engine's description of itself.
package struct EngineIntroduction: Sendable, Hashable {
    /// The version of its library, such as “1.51”.
    package let version: String
    /// Its voices, sorted by their ids.
    package let voices: [Voice]

    package init(version: String, voices: [Voice]) {
        self.version = version
        self.voices = voices
    }
}
