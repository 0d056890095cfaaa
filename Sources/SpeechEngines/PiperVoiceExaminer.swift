package import EchoText
import Foundation
package import Logging

/// Recognizes Piper voices by their files, and speaks a word with a new voice before it is installed.
package struct PiperVoiceExaminer: VoiceExaminer {
    /// The loader and pronouncer for one voice's examination, and the function that ends them.
    package struct Engines: Sendable {
        package let loader: any AcousticModelLoader
        package let pronouncer: any Phonemizer
        package let close: @Sendable () async -> Void

        package init(
            loader: any AcousticModelLoader,
            pronouncer: any Phonemizer,
            close: @escaping @Sendable () async -> Void
        ) {
            self.loader = loader
            self.pronouncer = pronouncer
            self.close = close
        }
    }

    /// The shortest sound that counts as speech, in seconds.
    private static let shortestSound = 0.05

    private let engines: @Sendable () -> Engines
    private let logger: Logger

    /// - Parameters:
    ///   - logger: As for ``PiperSynthesizer``.
    ///   - engines: Makes the engines of each examination.
    package init(logger: Logger, engines: @escaping @Sendable () -> Engines) {
        self.logger = logger
        self.engines = engines
    }

    package func voice(at path: String) throws -> Voice { try PiperVoice(in: VoiceFolder.find(at: path)).voice }

    package func examine(_ path: String) async throws -> ExaminedVoice {
        let voice = try PiperVoice(in: VoiceFolder.find(at: path))
        try compare(voice.folder)
        let engines = engines()
        do {
            let layout = try await examine(voice, with: engines)
            await engines.close()
            return ExaminedVoice(voice: voice.voice, layout: layout)
        } catch {
            await engines.close()
            throw error
        }
    }

    /// Compares the symbols' numbers in `tokens.txt` with those in the description.
    private func compare(_ folder: VoiceFolder) throws {
        let given = try PiperVoiceDescription.symbols(of: folder)
        let described = PiperVoiceDescription.describedSymbols(of: folder)
        guard described.allSatisfy({ given[$0.key] == $0.value }) else {
            throw ModelInstallError.inconsistent(file: "tokens.txt")
        }
    }

    private func examine(_ voice: PiperVoice, with engines: Engines) async throws -> ModelLayout {
        let model = try await engines.loader.open(voice.folder, lanes: 1, layout: nil)
        let synthesizer = PiperSynthesizer(
            voices: FixedPiperVoices([voice]),
            pronouncer: engines.pronouncer,
            loader: engines.loader,
            lanes: 1,
            logger: logger
        )
        var clip = AudioClip(samples: [], sampleRate: voice.voice.sampleRate)
        try await synthesizer.speak(Utterance(Self.word(for: voice), voice: voice.voice.id)) { fragment in
            clip.samples += fragment.clip.samples
        }
        let sound = Double(clip.soundRange().count) / Double(clip.sampleRate)
        guard sound >= Self.shortestSound else { throw ModelInstallError.silent }
        return model.layout
    }

    /// A word of the voice's language; known letters for a voice that reads letters.
    private static func word(for voice: PiperVoice) -> String {
        if voice.description.phonemes == .text {
            return String(String.UnicodeScalarView(voice.letters.prefix(12)))
        }
        let sentence = SampleSentence.sentence(in: voice.voice.language)
        return sentence.split(separator: " ").prefix(2).joined(separator: " ")
    }
}
