import Testing

@testable import SpeechEngines

@Suite("How far Whisper is believed")
struct DecodingQualityTests {
    private func quality(_ mean: Double, _ ratio: Double = 1.2, noSpeech: Double = 0) -> DecodingQuality {
        DecodingQuality(meanLogProbability: mean, compressionRatio: ratio, noSpeech: noSpeech)
    }

    /// Ratios by Python's zlib.
    @Test
    func `a text that repeats itself is compressed to a part of itself`() {
        let repeated = Array(repeating: "the same words", count: 12).joined(separator: " ")
        #expect(abs(DecodingQuality.compressionRatio(of: repeated) - 6.8846) < 0.4)
        let plain = "And so my fellow Americans ask not what your country can do for you"
        #expect(abs(DecodingQuality.compressionRatio(of: plain) - 1.0152) < 0.1)
        #expect(DecodingQuality.compressionRatio(of: "") == 0)
    }

    @Test
    func `what is improbable or repeats itself is doubtful, but not silence`() {
        #expect(!quality(-0.9).isDoubtful && quality(-1.1).isDoubtful && quality(-0.1, 2.5).isDoubtful)
        #expect(quality(-1.1, noSpeech: 0.7).isSilence && !quality(-1.1, noSpeech: 0.7).isDoubtful)
        #expect(!quality(-0.9, noSpeech: 0.7).isSilence && !quality(-1.1, noSpeech: 0.5).isSilence)
        #expect(quality(-1.5).isBetter(than: quality(-0.1, 3)))
        #expect(quality(-1.2).isBetter(than: quality(-1.3)) && !quality(-1.3).isBetter(than: quality(-1.2)))
    }

    /// Values of tiny.en: a clip's last 0.5 to 1 s with noise alone, or with a word or two.
    @Test(arguments: [
        (-0.91, 0.46, true), (-0.88, 0.72, true), (-1.21, 0.34, true), (-0.87, 0.91, true), (-0.86, 0.72, true),
        (-0.85, 0.04, false), (-0.79, 0.09, false), (-0.57, 0.18, false), (-0.45, 0.01, false),
    ])
    func `the rest of a clip behind the end of a text is silence sooner`(
        mean: Double,
        noSpeech: Double,
        isSilence: Bool
    ) {
        var rest = quality(mean, noSpeech: noSpeech)
        #expect(!rest.isSilence)
        rest.isOfRest = true
        #expect(rest.isSilence == isSilence && !rest.isDoubtful)
    }

    @Test
    func `the first try that is believed is taken, else the best of all`() {
        var asked: [Double] = []
        func best(_ qualities: [DecodingQuality]) -> Double {
            asked = []
            return TemperatureFallback.best { temperature in
                asked.append(temperature)
                return (written: temperature, quality: qualities[min(asked.count, qualities.count) - 1])
            }.written
        }
        #expect(best([quality(-0.2)]) == 0 && asked == [0])
        #expect(best([quality(-2), quality(-0.1, 5), quality(-0.3)]) == 0.4 && asked == [0, 0.2, 0.4])
        let doubtful = [quality(-2), quality(-0.1, 5), quality(-1.4), quality(-1.6), quality(-1.8), quality(-3)]
        #expect(best(doubtful) == 0.4 && asked == TemperatureFallback.temperatures)
    }

    @Test
    func `a doubtful try is taken when there is no time for another`() {
        var asked: [Double] = []
        func hasTime() -> Bool { asked.count < 3 }
        let best = TemperatureFallback.best(while: hasTime) { temperature in
            asked.append(temperature)
            return (written: temperature, quality: quality(-2 + temperature))
        }
        #expect(best.written == 0.4 && asked == [0, 0.2, 0.4])
    }
}
