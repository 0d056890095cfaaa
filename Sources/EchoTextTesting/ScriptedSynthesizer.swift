package import EchoText
import Foundation

/// Speaks without an engine: a tone for each word, proportional to its length, so that tests know what is spoken when.
package struct ScriptedSynthesizer: SpeechSynthesizer {
    /// The samples per UTF-16 unit of a word, and of the gap between words.
    package static let samplesPerUnit = 80
    package static let sampleRate = 8_000
    package static let narrator = Voice(
        id: .init(rawValue: "espeak/en-narrator"),
        name: "Narrator",
        language: "en",
        engine: .espeakNG,
        speakers: 2,
        sampleRate: sampleRate
    )
    package static let actor = Voice(
        id: .init(rawValue: "espeak/et-actor"),
        name: "Actor",
        language: "et",
        engine: .espeakNG,
        sampleRate: sampleRate
    )

    private let beforeSpeaking: @Sendable (Utterance) async throws -> Void

    /// - Parameter beforeSpeaking: Runs before an utterance is spoken; a test waits, counts or throws in it.
    package init(beforeSpeaking: @escaping @Sendable (Utterance) async throws -> Void = { _ in }) {
        self.beforeSpeaking = beforeSpeaking
    }

    package func voices() async throws -> [Voice] { [Self.narrator, Self.actor] }

    package func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        guard !utterance.text.isBlank else { throw SynthesisError.nothingToSay }
        guard let voice = try await voices().first(where: { $0.id == utterance.voice }) else {
            throw SynthesisError.voiceNotInstalled(utterance.voice)
        }
        guard (0..<voice.speakers).contains(utterance.speaker) else {
            throw SynthesisError.noSuchSpeaker(utterance.speaker, of: voice.id, count: voice.speakers)
        }
        try Task.checkCancellation()
        try await beforeSpeaking(utterance)
        for phrase in utterance.text.phrases(longest: 1_000) where !phrase.isBlank {
            try Task.checkCancellation()
            try await deliver(Self.fragment(saying: phrase, speed: utterance.prosody.speed))
        }
    }

    private static func fragment(saying phrase: SpokenText, speed: Double) -> SpeechFragment {
        var samples: [Float] = []
        var marks: [TimedWord] = []
        let perUnit = Double(samplesPerUnit) / speed
        for word in words(of: phrase) {
            let length = Int(Double(word.text.utf16.count) * perUnit)
            let begin = samples.count
            samples += (0..<length).map { 0.5 * sin(Float($0) * 0.3) }
            marks.append(.init(source: word.source, samples: begin..<samples.count, precision: .exact))
            samples += [Float](repeating: 0, count: Int(perUnit))
        }
        return SpeechFragment(clip: AudioClip(samples: samples, sampleRate: sampleRate), marks: marks)
    }

    private static func words(of phrase: SpokenText) -> [(text: String, source: TextRange)] {
        phrase.pieces.flatMap { piece -> [(String, TextRange)] in
            switch piece.content {
            case .words(let text), .phonemes(let text): return [(text, piece.source)]
            case .written(let text):
                return text.split(whereSeparator: \.isWhitespace).map { word in
                    let start =
                        piece.source.lowerBound + text.utf16.distance(from: text.startIndex, to: word.startIndex)
                    return (String(word), start..<start + word.utf16.count)
                }
            }
        }
    }
}
