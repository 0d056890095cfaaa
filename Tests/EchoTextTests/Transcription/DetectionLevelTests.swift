import EchoText
import Foundation
import Testing

@Suite("The level at which speech is detected")
struct DetectionLevelTests {
    private func tone(_ level: Float, windows: Int) -> [Float] {
        let peak = pow(10, level / 20) * Float(2).squareRoot()
        return (0..<windows * VoiceWindow.samples).map { peak * sin(Float($0) * 0.3) }
    }

    private func leveled(_ samples: [Float]) -> [[Float]] {
        var level = DetectionLevel()
        return stride(from: 0, to: samples.count, by: VoiceWindow.samples).map { start in
            let window = samples[start..<start + VoiceWindow.samples]
            return level.leveled(window, level: VoiceWindow.level(of: window))
        }
    }

    @Test("raises quiet sound from its first window on", arguments: [-45, -59, -68] as [Float])
    func quiet(_ level: Float) {
        for window in leveled(tone(level, windows: 100)) {
            #expect(abs(VoiceWindow.level(of: window) + 32) < 0.5)
        }
    }

    @Test("raises by 40 decibels at most, and silence not at all")
    func most() {
        for window in leveled(tone(-85, windows: 20)) { #expect(abs(VoiceWindow.level(of: window) + 45) < 0.5) }
        let silence = [Float](repeating: 0, count: 20 * VoiceWindow.samples)
        #expect(leveled(silence).allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test("leaves sound alone that is loud enough", arguments: [-31, -20, -3] as [Float])
    func loud(_ level: Float) {
        let samples = tone(level, windows: 50)
        #expect(leveled(samples).flatMap(\.self) == samples)
    }

    @Test("is not set by a cough")
    func cough() {
        let windows = leveled(tone(-59, windows: 60) + tone(-6, windows: 9) + tone(-59, windows: 60))
        #expect(windows.allSatisfy { $0.allSatisfy { abs($0) <= 1 } })
        for window in windows[80...] { #expect(abs(VoiceWindow.level(of: window) + 32) < 0.5) }
    }

    private func filtered(_ samples: [Float]) -> [Float] {
        var filter = OffsetFilter()
        return stride(from: 0, to: samples.count, by: VoiceWindow.samples).flatMap { start in
            filter.filtered(samples[start..<start + VoiceWindow.samples])
        }
    }

    @Test("is that of the voice where a constant is added to all samples", arguments: [0.05, -0.05] as [Float])
    func offset(_ constant: Float) {
        let voice = tone(-59, windows: 100)
        let windows = leveled(filtered(voice.map { $0 + constant }))
        for window in windows { #expect(abs(VoiceWindow.level(of: window) + 32) < 0.5) }
    }

    @Test("is that of the sound as it is where no constant is added to it")
    func noOffset() {
        let thump = (0..<100 * VoiceWindow.samples).map { 0.1 * sin(Float($0) * 0.004) }
        let quiet = tone(-59, windows: 100).map { $0 + 0.001 }
        for sound in [tone(-12, windows: 100), tone(-59, windows: 100), thump, quiet] {
            #expect(filtered(sound) == sound)
        }
    }

    @Test("is that of speech, not of the pauses in it")
    func pauses() {
        let words = (0..<12).flatMap { _ in tone(-59, windows: 10) + tone(-80, windows: 10) }
        let windows = leveled(words)
        for (index, window) in windows.enumerated() where index % 20 > 1 && index % 20 < 10 {
            #expect(abs(VoiceWindow.level(of: window) + 32) < 3)
        }
    }
}
