import EchoText

extension AudioClip {
    /// A sawtooth of 160 Hz at −45 dBFS (RMS), with which a model is tried: it is no silence, which need not be heard at all.
    static func faintHum(seconds: Int) -> AudioClip {
        let samples = (0..<seconds * RecognitionClip.sampleRate).map { Float($0 % 100) / 5_000 - 0.01 }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }
}
