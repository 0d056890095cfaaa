import EchoText
import Glibc

/// A rule-based engine that does what a text spells, if it begins with a known word, one request at a time.
actor FixturePhonemizer: Phonemizer {
    static let voice = Voice(
        id: .init(rawValue: "espeak/xx"),
        name: "Fixture",
        language: "xx",
        engine: .espeakNG,
        sampleRate: 16_000
    )

    func introduction() -> EngineIntroduction {
        EngineIntroduction(version: "\(getpid())", voices: [Self.voice])
    }

    /// Each text, in capitals.
    func phonemes(of texts: [String], in language: String) throws -> [String] {
        try texts.map { text in
            try Task.checkCancellation()
            EngineProgress.report()
            try obey(text)
            return text.uppercased()
        }
    }

    /// A tenth of a second for each unit of a text, with one mark over all that is written.
    func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) throws -> PhraseSpeech {
        try Task.checkCancellation()
        EngineProgress.report()
        var text = ""
        for case .written(let written) in phrase.pieces.map(\.content) { text += written }
        try obey(text)
        let samples = [Int16](repeating: 8_192, count: phrase.spokenLength * 1_600)
        let source = text == "elsewhere" ? 0..<1 << 40 : phrase.extent
        return PhraseSpeech(
            samples: samples,
            sampleRate: 16_000,
            marks: [.init(source: source, samples: 0..<samples.count, precision: .exact)]
        )
    }

    private func obey(_ text: String) throws {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch words.first {
        case "crash": Misbehaviour.crash()
        case "hang":
            // Reports progress.
            _ = open("\(words.dropFirst().first ?? "")/hanging", O_CREAT | O_WRONLY, 0o600)
            Misbehaviour.hang()
        case "refuse": throw SynthesisError.engineFailed(.espeakNG, status: 5)
        case "crash-once":
            // An empty file is left behind, which no limit forbids, so that the next process behaves.
            let mark = open("\(words.dropFirst().first ?? "")/crashed", O_CREAT | O_EXCL | O_WRONLY, 0o600)
            if mark >= 0 { Misbehaviour.crash() }
        default: break
        }
    }
}
