import EchoText
import EchoTextTesting
import Testing

@Suite("Sound in which silence is a number")
struct SampleRunsTests {
    private static let plain: [Int16] = [1, 2, 3, 0, 0, 0, 0, 4, 5, 0]

    private var runs: SampleRuns {
        var runs = SampleRuns([1, 2])
        runs.append([3])
        runs.append(silence: 1)
        runs.append(silence: 3)
        runs.append([])
        runs.append(silence: 0)
        var rest = SampleRuns([4, 5])
        rest.append(silence: 1)
        runs.append(rest)
        return runs
    }

    @Test("is read as what it stands for, from anywhere")
    func readAsStands() {
        #expect(runs.count == Self.plain.count && runs.samples == Self.plain)
        for start in 0...Self.plain.count {
            for limit in 1...4 {
                var (read, position) = ([Int16](), start)
                while case let samples = runs.samples(from: position, limit: limit), !samples.isEmpty {
                    #expect(samples.count <= limit)
                    read += samples
                    position += samples.count
                }
                #expect(read == Array(Self.plain[start...]))
            }
        }
    }

    @Test("forgets its beginning", arguments: 0...12)
    func beginning(_ count: Int) {
        var rest = runs
        rest.removeFirst(count)
        #expect(rest.samples == Array(Self.plain.dropFirst(count)))
        #expect(rest.count == max(0, Self.plain.count - count))
    }

    @Test("lasts for a day without being as large")
    func lastsForDay() {
        var day = SampleRuns([7])
        for _ in 0..<1_440 { day.append(silence: 60 * 22_050) }
        #expect(day.count == 1 + 86_400 * 22_050)
        #expect(day.samples(from: 86_400 * 22_050 - 1, limit: 1 << 16) == [0, 0])
        day.removeFirst(day.count - 3)
        #expect(day.samples == [0, 0, 0])
    }
}

@Suite("Pauses in a narration", .endsInTime)
struct NarrationPauseTests {
    private func narration(of text: String) -> Narration {
        Narration(
            of: StringSource(text),
            voice: ScriptedSynthesizer.narrator,
            synthesizer: ScriptedSynthesizer(),
            segmenter: PlainSegmenter(),
            preparation: TextPreparation(language: "en"),
            settings: .init(lanes: 2)
        )
    }

    @Test("are numbers, however many and long they are")
    func numbersHoweverMany() async throws {
        let text = "One. " + String(repeating: "[pause:60s] ", count: 1_000) + " Two."
        var (silence, samples, end) = (0, 0, 0)
        for try await passage in narration(of: text) {
            #expect(passage.start == end)
            #expect(passage.silence <= 60 * 8_000)
            silence += passage.silence
            samples += passage.clip.samples.count
            end = passage.end
        }
        #expect(silence == 60_000 * 8_000)
        #expect(samples < 8_000 && end == silence + samples)
    }

    @Test("are handed on by the second")
    func handedOnSecond() async throws {
        let first = try #require(try await narration(of: "One. [pause:2500ms] Two.").makeAsyncIterator().next())
        var clips: [AudioClip] = []
        await first.forEachClip { clips.append($0) }
        #expect(clips.map(\.samples.count) == [first.speech, 8_000, 8_000, 4_000])
        #expect(clips.dropFirst().allSatisfy { $0.level == nil })
    }

    @Test("are kept in the library as they were heard, and read from anywhere")
    func keptLibraryAs() async throws {
        let library = MemoryVault().library
        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
        let order = NarrationOrder(name: "Quiet", voice: ScriptedSynthesizer.narrator)
        let item = try await StoredNarration(in: library, by: narrator, lanes: 1).make(
            "One. [pause:60s][pause:60s][pause:3s] Two.",
            as: order,
            keepsPart: false,
            listener: .init()
        )
        #expect(Int(item.duration) == 123)
    }
}
