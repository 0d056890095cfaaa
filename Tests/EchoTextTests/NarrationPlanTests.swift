import EchoTextTesting
import Foundation
import Testing

@testable import EchoText

@Suite("Narration plan")
struct NarrationPlanTests {
    private func plan(_ text: String, pauses: NarrationSettings.Pauses = .init()) -> NarrationPlan {
        NarrationPlan(
            of: StringSource(text),
            language: "en",
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            pauses: pauses
        )
    }

    private func chunks(_ text: String) async throws -> [NarrationChunk] {
        var plan = plan(text)
        var chunks: [NarrationChunk] = []
        while let chunk = try await plan.nextChunk() { chunks.append(chunk) }
        return chunks
    }

    @Test("plans the first sentence alone, then 100 words, then 300")
    func chunkSizes() async throws {
        let text = String(repeating: "Ten words stand in this sentence, and not one more. ", count: 100)
        let sizes = try await chunks(text).map(\.count)
        #expect(sizes == [1, 10, 30, 30, 29])
    }

    @Test("gives a sentence that is longer than a chunk a chunk of its own")
    func longSentence() async throws {
        let long = String(repeating: "word ", count: 400) + "end. "
        let sizes = try await chunks("One. " + long + "Two. Three.").map(\.count)
        #expect(sizes == [1, 1, 2])
    }

    @Test("covers every letter once, in order, in every script", arguments: scriptSamples)
    func coverage(_ sample: (language: String, text: String)) async throws {
        let text = [sample.text, sample.text, "Last."].joined(separator: "\n\n")
        let units = Array(text.utf16)
        let sentences = try await chunks(text).flatMap(\.self)
        var end = 0
        for (number, sentence) in sentences.enumerated() {
            #expect(sentence.number == number)
            let gap = String(decoding: units[end..<sentence.source.lowerBound], as: UTF16.self)
            #expect(!gap.unicodeScalars.contains { $0.properties.isAlphabetic }, "“\(gap)” is lost")
            #expect(sentence.text == String(decoding: units[sentence.source], as: UTF16.self))
            end = sentence.source.upperBound
            for piece in sentence.phrases.flatMap(\.pieces) {
                #expect(
                    sentence.source.lowerBound <= piece.source.lowerBound
                        && piece.source.upperBound <= sentence.source.upperBound
                )
            }
        }
        #expect(end == units.count)
    }

    @Test("cuts no sentence that can be said at once, and the others short enough")
    func phraseLimits() async throws {
        let long = (0..<500).map { "word\($0)" }.joined(separator: " ")
        let sentence = try #require(try await chunks(long).first?.first)
        #expect(sentence.phrases.count > 5)
        let whole = long.prefix(NarrationPlan.longestPhrase)
        #expect(try await chunks(String(whole)).first?.first?.phrases.count == 1)
        #expect(sentence.phrases.allSatisfy { $0.spokenLength <= NarrationPlan.longestPhrase })
    }

    @Test("pauses longer after paragraphs and headings than after sentences")
    func pauses() async throws {
        var plan = plan(
            "Title\n\nOne. Two.\n\n- item\n\nEnd.",
            pauses: .init(sentence: 0.1, paragraph: 0.2, heading: 0.3)
        )
        var pauses: [Double] = []
        while let chunk = try await plan.nextChunk() { pauses += chunk.map(\.pauseAfter) }
        #expect(pauses == [0.3, 0.1, 0.2, 0.1, 0.2])
    }

    @Test("pauses as long as a tag says")
    func pauseTags() async throws {
        let sentences = try await chunks("[pause:1s] Hello [pause:1.5s] world. Again.[pause:500ms][pause:250ms] End.")
            .flatMap(\.self)
        #expect(sentences.map(\.text) == ["", "Hello", "world.", "Again.", "End."])
        #expect(sentences.map(\.pauseAfter) == [1, 1.5, 0.3, 0.75, 0.7])
        #expect(sentences.map(\.isPauseExact) == [true, true, false, true, false])
    }

    @Test("continues with a pause that is longer than a tag can ask for in sentences without text")
    func goesOnPause() async throws {
        let sentences = try await chunks("One.[pause:40s][pause:40s][pause:15s][pause:60s] Two.").flatMap(\.self)
        #expect(sentences.map(\.text) == ["One.", "", "", "Two."])
        #expect(sentences.map(\.pauseAfter) == [40, 55, 60, 0.7])
        #expect(sentences.map(\.number) == [0, 1, 2, 3])
    }

    @Test("puts no more than 300 sentences into a chunk that have no words")
    func putsNoMore() async throws {
        let sizes = try await chunks(String(repeating: "[pause:40s]", count: 2_000)).map(\.count)
        #expect(sizes.max() == 300)
    }

    @Test("refuses more than a day of pauses, after all before it")
    func refusesMoreThan() async throws {
        let day = "One. " + String(repeating: "[pause:60s]", count: 1_440)
        #expect(try await chunks(day).flatMap(\.self).map(\.pauseAfter).reduce(0, +) == 86_400)
        #expect(throws: Never.self) { try PauseTags.check(day) }
        var plan = plan("Two.\n\n\(day) Three. [pause:1ms]")
        #expect(try await plan.nextChunk()?.map(\.text) == ["Two."])
        await #expect(throws: SynthesisError.tooMuchSilence) { while try await plan.nextChunk() != nil {} }
        #expect(throws: SynthesisError.tooMuchSilence) { try PauseTags.check("[[pause:1ms]\(day)") }
    }

    @Test("cuts what continues without the end of a sentence, between words")
    func cutsGoesOn() async throws {
        let endless = String(repeating: "word after word, ", count: 900)
        let sentences = try await chunks(endless).flatMap(\.self)
        #expect(sentences.count == 4)
        #expect(sentences.allSatisfy { $0.text.utf16.count <= SentenceReader.longestSentence })
        #expect(sentences.dropLast().allSatisfy { $0.text.hasSuffix("word,") && $0.pauseAfter == 0 })
        #expect(sentences.map(\.text).joined(separator: " ") == endless.trimmingCharacters(in: .whitespaces))
        let run = String(repeating: "😀", count: 5_000)
        let runs = try await chunks(run).flatMap(\.self)
        #expect(runs.map(\.text).joined() == run, "no emoji is cut in two")
        #expect(runs.count == 3)
    }

    @Test("takes no pauses from what is kept that nobody can have asked for", arguments: [-1, 60.5, 1e300])
    func impossiblePauses(seconds: Double) throws {
        let pauses = NarrationSettings.Pauses(sentence: 0, paragraph: 0.5, heading: 60)
        #expect(try JSONDecoder().decode(NarrationSettings.Pauses.self, from: JSONEncoder().encode(pauses)) == pauses)
        for key in ["sentence", "paragraph", "heading"] {
            var fields = ["sentence": 0.25, "paragraph": 0.5, "heading": 1]
            fields[key] = seconds
            let kept = try JSONEncoder().encode(fields)
            #expect(throws: DecodingError.self, "\(key)") {
                try JSONDecoder().decode(NarrationSettings.Pauses.self, from: kept)
            }
        }
    }

    @Test("passes over what has nothing to say in it", arguments: ["", " ", "* * *", "---\n\n***", "\u{200B}"])
    func silence(_ text: String) async throws {
        #expect(try await chunks(text).isEmpty)
    }
}
