/// An engine that reads text by rules: it writes down how a text is pronounced, for voices that read phonemes, and speaks it in voices of
/// its own.
///
/// Calls may overlap; the engine works on one at a time. It calls ``EngineProgress/report()`` when it starts on one, before it reads the text:
/// a worker knows by that which text ended its process. A cancelled call throws `CancellationError`.
package protocol PronouncingEngine: Sendable {
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

    /// Pronounces `phrase`.
    ///
    /// - Parameters:
    ///   - phrase: At most about a minute of speech.
    ///   - voice: One of the engine's own, a variant after a `+` (`espeak/en-US+f3`) included.
    ///   - prosody: How; what an engine of rules has no use for is passed over.
    /// - Returns: Speech with the times of its words; without samples when there is nothing to say.
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)``, and as ``phonemes(of:in:)``.
    func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech
}

/// A phrase spoken by an engine of rules, in 16 bits as such engines make sound: half the bytes of other samples on the way from the
/// engine's process, and nothing to work out before they leave.
package struct PhraseSpeech: Sendable, Hashable {
    /// Full scale is ±32,768.
    package let samples: [Int16]
    /// In hertz.
    package let sampleRate: Int
    /// In the order they are heard, inside the samples, not overlapping.
    package let marks: [SpeechFragment.Mark]

    package init(samples: [Int16], sampleRate: Int, marks: [SpeechFragment.Mark]) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.marks = marks
    }

    /// The same, as every engine's speech is handed on.
    package var fragment: SpeechFragment {
        let sound = [Float](unsafeUninitializedCapacity: samples.count) { sound, count in
            for place in samples.indices { sound[place] = Float(samples[place]) * (1 / 32_768) }
            count = samples.count
        }
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
