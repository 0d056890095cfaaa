import EchoText
import Foundation
import Testing

@Suite("Samples of sound files")
struct StoredSamplesTests {
    @Test("are the nearest to an amplitude, clipped at full scale, and silence for what is no number")
    func stored() {
        let amplitudes: [Float] = [0, -0.0, 0.5, -0.5, 1, -1, 1.5, -7, .infinity, -.infinity, .nan, -.nan, 1e-9]
        let expected: [Int16] = [0, 0, 16_384, -16_384, 32_767, -32_767, 32_767, -32_767, 32_767, -32_767, 0, 0, 0]
        #expect(amplitudes[...].pcm16 == expected)
        #expect(amplitudes.map(\.pcm16) == expected, "one by one as all at once")
        #expect(amplitudes[2..<4].pcm16 == [16_384, -16_384])
        #expect(amplitudes[..<0].pcm16.isEmpty)
        #expect(amplitudes[...].clipped == amplitudes.map(\.clipped))
        #expect(amplitudes[5..<8].clipped == [-1, 1, -1])
    }

    @Test("become amplitudes that are stored as the same samples")
    func amplitudes() {
        let samples = [Int16](-32_767...32_767)
        let amplitudes = samples.amplitudes(fullScale: 32_767)
        let isSame = amplitudes == samples.map { Float($0) / 32_767 } && amplitudes[...].pcm16 == samples
        #expect(isSame)
        #expect([Int16.min, 0].amplitudes(fullScale: 32_768) == [-1, 0])
        #expect([Int16]().amplitudes(fullScale: 32_768).isEmpty)
    }

    @Test("are read from bytes that begin anywhere, and an odd last byte is left out")
    func bytes() {
        let data = Data([9, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x80, 7])
        #expect(data[1...].withUnsafeBytes { [Int16](samplesIn: $0) } == [1, -1, .min])
        #expect(data[1..<7].withUnsafeBytes { [Int16](samplesIn: $0) } == [1, -1, .min])
        #expect(Data().withUnsafeBytes { [Int16](samplesIn: $0) }.isEmpty)
    }

    @Test("have the peak of the largest amplitude, of either sign")
    func peak() {
        #expect(AudioClip(samples: [0.25, -0.75, .nan, 0.5], sampleRate: 8_000).peak == 0.75)
        #expect(AudioClip(samples: [], sampleRate: 8_000).peak == 0)
    }
}
