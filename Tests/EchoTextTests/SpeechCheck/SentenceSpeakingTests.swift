import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("A sentence spoken again")
struct SentenceSpeakingTests {
    private static let text = "The keeper sleeps. [pause:0.5s] Waves come in for $5. It is night."
    private let library = MemoryVault().library
    private let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())

    private func narration(speed: Double = 1, voice: Voice = ScriptedSynthesizer.narrator) async throws -> AudioItem {
        let order = NarrationOrder(name: "Night", voice: voice, speaker: 1, speed: speed)
        return try await StoredNarration(in: library, by: narrator, lanes: 1)
            .make(Self.text, as: order, keepsPart: false, listener: .init())
    }

    private var speaking: SentenceSpeaking {
        SentenceSpeaking(in: library, by: narrator, voices: [ScriptedSynthesizer.narrator])
    }

    @Test("sounds as the narration did, with the same voice and settings", arguments: [1, 1.25])
    func same(speed: Double) async throws {
        let item = try await narration(speed: speed)
        let timings = try await library.audio.timings(of: item.id)
        let bytes = try await bytes(of: item)
        for number in 1...3 {
            let spoken = try await speaking.speak(number, of: item.id)
            #expect(spoken.sentence == timings[number - 1])
            #expect(spoken.item == item)
            #expect(try await library.audio.timings(of: item.id) == timings)
            #expect(try await self.bytes(of: item) == bytes)
        }
    }

    @Test("keeps the decay that the narration has between its sentences", arguments: [40.0, 150])
    func decay(fall: Double) async throws {
        let narrator = Narrator(synthesizer: DecayingSynthesizer(fall: fall), segmenter: PlainSegmenter())
        let order = NarrationOrder(name: "Day", voice: ScriptedSynthesizer.narrator, speaker: 0)
        let item = try await StoredNarration(in: library, by: narrator, lanes: 1)
            .make("One. Two. Six.", as: order, keepsPart: false, listener: .init())
        let timings = try await library.audio.timings(of: item.id)
        let bytes = try await bytes(of: item)
        let speaking = SentenceSpeaking(in: library, by: narrator, voices: [ScriptedSynthesizer.narrator])
        for number in 1...2 {
            #expect(try await speaking.speak(number, of: item.id).sentence == timings[number - 1])
            #expect(try await self.bytes(of: item) == bytes)
        }
    }

    @Test("follows the pronunciation dictionary as it is now, and what comes after it moves")
    func dictionary() async throws {
        let item = try await narration()
        let before = try await library.audio.timings(of: item.id)
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "waves = enormous waves")
        let (changed, sentence, times, _) = try await speaking.speak(2, of: item.id)
        let after = try await library.audio.timings(of: item.id)
        let shift = after[1].samples.count - before[1].samples.count
        #expect(shift > 0 && after[1] == sentence && after[0] == before[0] && times == nil)
        #expect(after[2].samples.lowerBound == before[2].samples.lowerBound + shift)
        #expect(changed.sampleCount == item.sampleCount + shift)
        #expect(after[1].words.map { after[1].text(of: $0) } == before[1].words.map { before[1].text(of: $0) })
    }

    /// A narration of captions, each of which begins at its own time, in seconds.
    private func narration(of captions: [(Double, String)]) async throws -> AudioItem {
        let captions = SampleCaptions(captions)
        var order = NarrationOrder(name: "Night", voice: ScriptedSynthesizer.narrator, speaker: 1)
        order.cues = captions.cues
        return try await StoredNarration(in: library, by: narrator, lanes: 1)
            .make(captions.text, as: order, keepsPart: false, listener: .init())
    }

    @Test("leaves later captions at their times, whether it is longer or shorter")
    func captions() async throws {
        let item = try await narration(of: [(1, "The keeper sleeps."), (3, "Waves come in."), (4.5, "It is night.")])
        let before = try await library.audio.timings(of: item.id)
        let bytes = try await bytes(of: item)
        let starts = [8_000, 24_000, 36_000]
        #expect(before.map(\.samples.lowerBound) == starts)
        try await library.audio.setMarks([RecordingMark(sample: 36_000)], of: item.id)
        for (dictionary, isLonger) in [("waves = enormous waves", true), ("waves = sea", false)] {
            try await library.settings.set(SettingsCatalogue.dictionary.name, to: dictionary)
            let (changed, sentence, times, _) = try await speaking.speak(2, of: item.id)
            let after = try await library.audio.timings(of: item.id)
            #expect(after[1] == sentence && (sentence.samples.count > before[1].samples.count) == isLonger)
            #expect(after.map(\.samples.lowerBound) == starts && after[2] == before[2])
            #expect(changed.sampleCount == item.sampleCount)
            #expect(times?.captions == 3 && times?.late == 0)
            #expect(try await library.audio.marks(of: item.id) == [RecordingMark(sample: 36_000)])
        }
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "")
        _ = try await speaking.speak(2, of: item.id)
        #expect(try await library.audio.timings(of: item.id) == before)
        #expect(try await self.bytes(of: item) == bytes)
    }

    @Test("is said faster where its time is short, and what is late catches up")
    func lateCaptions() async throws {
        let item = try await narration(of: [(1, "Go."), (1.4, "It is night."), (5, "All sleep.")])
        let before = try await library.audio.timings(of: item.id)
        let bytes = try await bytes(of: item)
        let long = Array(repeating: "word", count: 12).joined(separator: " ")
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "go = \(long)")
        let (_, sentence, times, _) = try await speaking.speak(1, of: item.id)
        #expect(sentence.samples.count < ScriptedSynthesizer.samplesPerUnit * long.utf16.count)
        let after = try await library.audio.timings(of: item.id)
        let shortestPause = 1_200  // 0.15 seconds
        #expect(after[1].samples.lowerBound == sentence.samples.upperBound + shortestPause)
        #expect(after[1].samples.count == before[1].samples.count && after[2] == before[2])
        #expect(times?.captions == 3 && times?.late == 1)
        let late = Double(after[1].samples.lowerBound - before[1].samples.lowerBound)
        #expect(times?.seconds == late / Double(ScriptedSynthesizer.sampleRate) && late > 0)
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "")
        #expect(try await speaking.speak(1, of: item.id).times?.late == 0)
        #expect(try await library.audio.timings(of: item.id) == before)
        #expect(try await self.bytes(of: item) == bytes)
    }

    @Test("is spoken without what the dictionary silences of it")
    func silenced() async throws {
        let text = "Gone. Waves come in. Gone."
        var order = NarrationOrder(name: "Night", voice: ScriptedSynthesizer.narrator, speaker: 1)
        order.cues = [SubtitleCue(range: 0..<text.utf16.count, start: 0)]
        let item = try await StoredNarration(in: library, by: narrator, lanes: 1)
            .make(text, as: order, keepsPart: false, listener: .init())
        let before = try await library.audio.timings(of: item.id)
        #expect(before.map(\.text) == [text])
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "gone = .")
        let (_, sentence, _, _) = try await speaking.speak(1, of: item.id)
        #expect(sentence.samples.count < before[0].samples.count && !sentence.samples.isEmpty)
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "gone = .\nwaves = .\ncome = .\nin = .")
        await #expect(throws: SynthesisError.nothingToSay) { _ = try await speaking.speak(1, of: item.id) }
    }

    /// Cuts nothing, as other rules may have cut a text when it was narrated.
    private struct UncutSegmenter: TextSegmenter {
        func sentences(in text: String, language: String) -> [TextRange] { [0..<text.utf16.count] }

        func words(in text: String, language: String) -> [TextRange] {
            PlainSegmenter().words(in: text, language: language)
        }
    }

    @Test("has the times of its own sound behind what the dictionary silences of it")
    func timesBehindSilenced() async throws {
        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: UncutSegmenter())
        let order = NarrationOrder(name: "Night", voice: ScriptedSynthesizer.narrator)
        let item = try await StoredNarration(in: library, by: narrator, lanes: 1)
            .make("Gone. Waves come in.", as: order, keepsPart: false, listener: .init())
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "gone = .")
        let sentence = try await speaking.speak(1, of: item.id).sentence
        #expect(sentence.words.map { sentence.text(of: $0) } == ["Waves", "come", "in"])
        #expect(sentence.words.allSatisfy { $0.samples.clamped(to: sentence.samples) == $0.samples })
    }

    @Test("is refused where there is no such sentence, no such voice or no narration")
    func refusals() async throws {
        let item = try await narration()
        await #expect(throws: SpeechCheckError.noSuchSentence(4, count: 3)) {
            _ = try await speaking.speak(4, of: item.id)
        }
        for number in [0, Int.min, Int.max] {
            await #expect(throws: SpeechCheckError.noSuchSentence(number, count: 3)) {
                _ = try await speaking.speak(number, of: item.id)
            }
        }
        await #expect(throws: LibraryError.itemNotFound) { _ = try await speaking.speak(1, of: AudioItem.ID()) }
        let voiceless = SentenceSpeaking(in: library, by: narrator, voices: [ScriptedSynthesizer.actor])
        await #expect(throws: SynthesisError.self) { _ = try await voiceless.speak(1, of: item.id) }
        #expect(try await library.audio.item(item.id) == item)
    }

    private func bytes(of item: AudioItem) async throws -> Data {
        let sound = try await library.audio.sound(of: item.id)
        return try await sound.read(0..<sound.length)
    }
}
