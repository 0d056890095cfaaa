import CEspeakNG
package import EchoText

/// espeak-ng in this process, for workers and tests.
///
/// A text that corrupts the library's memory corrupts the process's; see ``EspeakLibrary``.
package struct EspeakEngine: Phonemizer {
    let library: EspeakLibrary
    let voices: EspeakVoices
    private let version: String
    /// Samples per second of every voice, in hertz.
    private let sampleRate: Int

    /// Loads the library and its data.
    ///
    /// - Parameter dataDirectory: The folder that holds `espeak-ng-data`, or `nil` for the system's own.
    /// - Throws: ``EngineError/missing(_:)`` when the library or its data is missing or unreadable,
    ///   ``EngineError/wrongVersion(_:found:wanted:)`` for a library that lacks a function that is used here.
    package init(dataDirectory: String? = nil) async throws(EngineError) {
        let library = try EspeakLibrary()
        guard let loaded = await Self.load(library, dataDirectory) else { throw .missing(.espeakNG) }
        self = loaded
    }

    private init(_ library: EspeakLibrary, _ voices: EspeakVoices, version: String, sampleRate: Int) {
        self.library = library
        self.voices = voices
        self.version = version
        self.sampleRate = sampleRate
    }

    @EspeakThread
    private static func load(_ library: EspeakLibrary, _ dataDirectory: String?) -> EspeakEngine? {
        let keepProcessAlive = Int32(espeakINITIALIZE_DONT_EXIT)
        let rate = Int(library.initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, dataDirectory, keepProcessAlive))
        guard rate > 0, let voices = EspeakVoices(of: library, sampleRate: rate) else { return nil }
        let version = library.info(nil).map { String(cString: $0) } ?? ""
        return EspeakEngine(library, voices, version: version, sampleRate: rate)
    }

    package func introduction() -> EngineIntroduction { EngineIntroduction(version: version, voices: voices.voices) }

    package func phonemes(of texts: [String], in language: String) async throws -> [String] {
        guard let identifier = voices.identifier(ofLanguage: language) else {
            throw SynthesisError.engineFailed(.espeakNG, status: Int32(EE_NOT_FOUND.rawValue))
        }
        return try await phonemes(of: texts, identifier: identifier, marks: ClauseMarks(language: language))
    }

    package func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech {
        guard let identifier = voices.identifier(of: voice) else { throw SynthesisError.voiceNotInstalled(voice) }
        let call = EspeakCall(phrase: phrase, prosody: prosody, voice: voice, identifier: identifier)
        return try await call.run(by: library, sampleRate: sampleRate)
    }
}
