import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import SpeechEngines

@Suite("What Whisper hears")
struct WhisperFeaturesTests {
    /// Two tones, the second of which becomes louder.
    private static let sound = (0..<16_000).map { index -> Float in
        let time = Double(index) / 16_000
        return Float(0.3 * sin(2 * .pi * 440 * time) + 0.1 * time * sin(2 * .pi * 3_000 * time))
    }

    struct Figure: Sendable {
        let bands: Int
        let band: Int
        let frame: Int
        let value: Float

        init(_ bands: Int, _ band: Int, _ frame: Int, _ value: Float) {
            (self.bands, self.band, self.frame, self.value) = (bands, band, frame, value)
        }
    }

    /// Computed by faster-whisper 1.2.1.
    static let figures = [
        Figure(80, 0, 0, 0.87235), Figure(80, 11, 50, 1.32728), Figure(80, 54, 50, 0.81405),
        Figure(80, 54, 98, 0.96017), Figure(80, 79, 99, -0.57652), Figure(80, 79, 100, -0.06642),
        Figure(80, 5, 101, 0.24746),
        Figure(80, 5, 2_999, -0.67272), Figure(128, 0, 0, 0.7966), Figure(128, 17, 50, 1.22657),
        Figure(128, 86, 50, 0.57959), Figure(128, 86, 98, 0.7257), Figure(128, 127, 99, -0.57713),
        Figure(128, 127, 100, -0.06706), Figure(128, 5, 101, 0.15808), Figure(128, 5, 2_999, -0.62557),
    ]

    @Test
    func `are the figures that others compute`() {
        for bands in [80, 128] {
            let spectrogram = WhisperFeatures(bands: bands).spectrogram(of: Self.sound)
            #expect(spectrogram.count == bands * WhisperFeatures.frames)
            for figure in Self.figures where figure.bands == bands {
                let value = spectrogram[figure.band * WhisperFeatures.frames + figure.frame]
                #expect(abs(value - figure.value) < 1e-4, "\(figure)")
            }
        }
    }

    @Test
    func `of nothing, of one sample and of more than 30 s are numbers`() {
        let features = WhisperFeatures(bands: 80)
        for count in [0, 1, 200, WhisperFeatures.samples, WhisperFeatures.samples + 5] {
            let sound = AudioClip.noise(Double(count) / 16_000, amplitude: 0.3).samples
            #expect(sound.count == count)
            let spectrogram = features.spectrogram(of: sound)
            #expect(spectrogram.count == 80 * WhisperFeatures.frames && spectrogram.allSatisfy(\.isFinite))
        }
        #expect(Set(features.spectrogram(of: [])) == [-1.5])
    }

    @Test
    func `powers are those of the definition`() {
        let transform = FourierTransform(factors: [2, 3, 5])
        let sound = (0..<FourierTransform.rows * 30).map { Double(($0 * 7_919) % 101) / 50 - 1 }
        let powers = transform.powers(of: sound)
        for row in [0, 1, FourierTransform.rows - 1] {
            for bin in 0..<transform.bins {
                var (real, imaginary) = (0.0, 0.0)
                for place in 0..<30 {
                    let angle = 2 * Double.pi * Double(bin * place) / 30
                    real += sound[row * 30 + place] * cos(angle)
                    imaginary -= sound[row * 30 + place] * sin(angle)
                }
                let wanted = real * real + imaginary * imaginary
                #expect(abs(powers[row * transform.bins + bin] - wanted) < 1e-9 * max(1, wanted))
            }
        }
    }
}
