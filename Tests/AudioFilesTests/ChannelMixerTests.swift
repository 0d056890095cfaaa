import EchoText
import EchoTextTesting
import Testing

@testable import AudioFiles

@Suite("Channels that are mixed")
struct ChannelMixerTests {
    private static let rate = 16_000

    private func mix(_ channels: [[Float]], center: Int? = nil, piece: Int = 1_001) -> [Float] {
        let interleaved = channels[0].indices.flatMap { frame in channels.map { $0[frame] } }
        var mixer = ChannelMixer(channels: channels.count, center: center, sampleRate: Self.rate)
        var mixed: [Float] = []
        for start in stride(from: 0, to: interleaved.count, by: piece) {
            mixed += mixer.mix(interleaved[start..<min(start + piece, interleaved.count)], isLast: false)
        }
        return mixed + mixer.mix([], isLast: true)
    }

    private func level(_ samples: [Float]) -> Double {
        AudioClip(samples: samples, sampleRate: Self.rate).level ?? -120
    }

    private let tone = AudioClip.tone(300, seconds: 3.1, sampleRate: 16_000).samples
    private let noise = (0..<49_600).map { (index: Int) -> Float in
        let mixed = index * 7_919 + index / 7 * 104_729
        return Float(mixed % 20_001 - 10_000) / 100_000
    }

    @Test("do not cancel each other, however opposite", arguments: [-1, -0.9, -0.5] as [Float])
    func opposite(_ share: Float) {
        let mixed = mix([tone, tone.map { $0 * share }])
        #expect(mixed.count == tone.count)
        #expect(level(mixed) > level(tone) - 6.1)
        #expect(level(Array(mixed[..<1_600])) > level(tone) - 6.1, "not even at the beginning")
    }

    @Test("that are alike keep their level")
    func alike() {
        let mixed = mix([tone, tone])
        #expect(mixed.count == tone.count)
        #expect(abs(level(mixed) - level(tone)) < 0.01)
    }

    @Test("lose half their level at most where the others are silent", arguments: [2, 4, 6, 8])
    func alone(_ count: Int) {
        let silence = [Float](repeating: 0, count: tone.count)
        for place in 0..<count {
            let mixed = mix((0..<count).map { $0 == place ? tone : silence }, center: count == 6 ? 2 : nil)
            #expect(level(mixed) > level(tone) - 6.1)
            if count == 6, place == 2 { #expect(level(mixed) > level(tone) - 3.1) }
        }
    }

    @Test("change nothing of one channel, and do not depend on how the sound comes")
    func pieces() {
        #expect(mix([tone]) == tone)
        #expect(mix([tone, noise], piece: 7) == mix([tone, noise], piece: 40_000))
    }

    @Test("that become opposite in the middle are still heard")
    func turning() {
        let second = tone.enumerated().map { $0.offset < 24_000 ? $0.element : -$0.element }
        let mixed = mix([tone, second])
        #expect(level(Array(mixed[..<20_000])) > level(tone) - 1)
        #expect(level(Array(mixed[26_000..<30_000])) > level(tone) - 1)
        #expect(level(Array(mixed[40_000...])) > level(tone) - 1)
    }

    @Test("are turned down together where their sum is too loud")
    func loud() {
        let full = tone.map { $0 * 5 }
        #expect(mix(Array(repeating: full, count: 6)).dropFirst(200).allSatisfy { abs($0) <= 1.001 })
    }
}
