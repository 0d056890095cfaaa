import AudioFiles
import EchoText
import Testing

@Suite("Tempo")
struct TempoTests {
    /// `clip` at `speed`, handed over in pieces of `piece` samples.
    private func stretched(_ clip: AudioClip, _ speed: Double, piece: Int = 2_205) async throws -> AudioClip {
        let tempo = RubberBandTempo(sampleRate: clip.sampleRate, speed: speed)
        var samples: [Float] = []
        for start in stride(from: 0, to: clip.samples.count, by: piece) {
            let end = min(start + piece, clip.samples.count)
            let part = AudioClip(samples: Array(clip.samples[start..<end]), sampleRate: clip.sampleRate)
            samples += try await tempo.stretch(part, isLast: end == clip.samples.count).samples
        }
        return AudioClip(samples: samples, sampleRate: clip.sampleRate)
    }

    @Test("changes how long a voice speaks and keeps its pitch", arguments: [0.5, 0.8, 1.25, 2, 3], [110.0, 210])
    func ratio(_ speed: Double, hertz: Double) async throws {
        let vowel = AudioClip.vowel(hertz, seconds: 3, sampleRate: 22_050)
        let result = try await stretched(vowel, speed)
        #expect(result.samples.count == Int((Double(vowel.samples.count) / speed).rounded()))
        #expect(abs(result.fundamental / vowel.fundamental - 1) < 0.03)
    }

    @Test("does not move the sound in time", arguments: [0.5, 0.7, 1.5, 3])
    func timing(_ speed: Double) async throws {
        let silence = [Float](repeating: 0, count: 22_050)
        let vowel = AudioClip.vowel(150, seconds: 1, sampleRate: 22_050)
        let result = try await stretched(
            AudioClip(samples: silence + vowel.samples + silence, sampleRate: 22_050),
            speed
        )
        let loudest = result.samples.map(abs).max() ?? 0
        let first = try #require(result.samples.firstIndex { abs($0) > loudest / 4 })
        let last = try #require(result.samples.lastIndex { abs($0) > loudest / 4 })
        #expect(abs(Double(first) / 22_050 - 1 / speed) < 0.06)
        #expect(abs(Double(last) / 22_050 - 2 / speed) < 0.06)
    }

    @Test("takes pieces of any size, and none", arguments: [1, 100, 4_096, 4_097, 50_000], [0, 1, 9_000])
    func pieces(_ piece: Int, count: Int) async throws {
        let tempo = RubberBandTempo(sampleRate: 16_000, speed: 1.5)
        var clip = AudioClip.vowel(150, seconds: 1, sampleRate: 16_000)
        clip.samples.removeLast(clip.samples.count - count)
        var given = 0
        for start in stride(from: 0, to: count, by: piece) {
            let part = AudioClip(samples: Array(clip.samples[start..<min(start + piece, count)]), sampleRate: 16_000)
            given += try await tempo.stretch(part, isLast: false).samples.count
        }
        given += try await tempo.stretch(AudioClip(samples: [], sampleRate: 16_000), isLast: true).samples.count
        #expect(given == Int((Double(count) / 1.5).rounded()))
    }
}
