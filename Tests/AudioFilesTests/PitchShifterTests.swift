import AudioFiles
import EchoText
import Testing

@Suite("Pitch shifter")
struct PitchShifterTests {
    let shifter = RubberBandPitchShifter(lanes: 2)

    @Test("moves the pitch of a voice by the ratio asked for", arguments: [0.5, 0.8, 1.25, 1.6, 2.0], [110.0, 210.0])
    func ratio(_ ratio: Double, hertz: Double) async throws {
        let vowel = AudioClip.vowel(hertz, seconds: 1, sampleRate: 22_050)
        let shifted = try await shifter.shift(vowel, by: ratio)
        #expect(abs(shifted.fundamental / vowel.fundamental / ratio - 1) < 0.03)
    }

    @Test(
        "moves the pitch of a spoken vowel",
        .enabled(if: espeak != nil, "needs the program espeak-ng"),
        arguments: [0.5, 0.8, 1.25, 1.6, 2.0]
    )
    func spoken(_ ratio: Double) async throws {
        let program = try #require(espeak)
        try await withTemporaryFolder { folder in
            _ = try await output(of: program, ["-v", "en", "-s", "80", "-p", "99", "-w", "\(folder)/a.wav", "[[A:]]"])
            var vowel = try await SoundFileReader().read("\(folder)/a.wav", limit: 1_000_000)
            vowel.samples.removeLast(vowel.samples.count * 2 / 5)  // the voice fades, and silence follows it
            let shifted = try await shifter.shift(vowel, by: ratio)
            #expect(vowel.fundamental > 60)
            #expect(abs(shifted.fundamental / vowel.fundamental / ratio - 1) < 0.03)
        }
    }

    @Test("keeps every sample's place", arguments: [1, 2, 100, 8_191, 8_192, 8_193, 30_000], [0.5, 1.3, 2.0])
    func length(_ count: Int, ratio: Double) async throws {
        var clip = AudioClip.vowel(150, seconds: 2, sampleRate: 16_000)
        clip.samples.removeLast(clip.samples.count - count)
        let shifted = try await shifter.shift(clip, by: ratio)
        #expect(shifted.samples.count == count)
        #expect(shifted.sampleRate == 16_000)
    }

    @Test("does not move the sound in time", arguments: [0.7, 1.5])
    func timing(_ ratio: Double) async throws {
        let silence = [Float](repeating: 0, count: 11_025)
        let vowel = AudioClip.vowel(150, seconds: 0.5, sampleRate: 22_050)
        let shifted = try await shifter.shift(
            AudioClip(samples: silence + vowel.samples + silence, sampleRate: 22_050),
            by: ratio
        )
        let loudest = shifted.samples.map(abs).max() ?? 0
        let first = try #require(shifted.samples.firstIndex { abs($0) > loudest / 10 })
        let last = try #require(shifted.samples.lastIndex { abs($0) > loudest / 10 })
        #expect(abs(first - 11_025) < 22_050 / 40)
        #expect(abs(last - 22_050) < 22_050 / 40)
    }

    @Test("leaves silence silent", arguments: [0.5, 2.0])
    func silence(_ ratio: Double) async throws {
        let shifted = try await shifter.shift(
            AudioClip(samples: Array(repeating: 0, count: 20_000), sampleRate: 22_050),
            by: ratio
        )
        #expect(shifted.samples.allSatisfy { abs($0) < 1e-6 })
    }

    @Test("gives back what there is nothing to do for")
    func nothing() async throws {
        let vowel = AudioClip.vowel(150, seconds: 0.2, sampleRate: 22_050)
        let empty = AudioClip(samples: [], sampleRate: 22_050)
        #expect(try await shifter.shift(vowel, by: 1).samples == vowel.samples)
        #expect(try await shifter.shift(empty, by: 2) == empty)
    }

    @Test("shifts many clips at once, each as if it were alone")
    func many() async throws {
        let vowels = (0..<8).map { AudioClip.vowel(100 + 20 * Double($0), seconds: 0.4, sampleRate: 16_000) }
        var alone: [AudioClip] = []
        for vowel in vowels { alone.append(try await shifter.shift(vowel, by: 1.5)) }
        let together = try await withThrowingTaskGroup { group in
            for (index, vowel) in vowels.enumerated() {
                group.addTask { (index, try await shifter.shift(vowel, by: 1.5)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(alone.indices.allSatisfy { together[$0]?.samples == alone[$0].samples })
    }

    @Test("stops when the task is cancelled")
    func cancelled() async throws {
        let vowel = AudioClip.vowel(150, seconds: 0.5, sampleRate: 22_050)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shifter.shift(vowel, by: 1.5)
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await shifter.shift(vowel, by: 1.5).samples.count == vowel.samples.count)
    }
}
