import EchoText

extension AudioClip {
    /// A sawtooth of 160 Hz at −45 dBFS (RMS), for trying a model: silence might be skipped.
    static func faintHum(seconds: Int) -> AudioClip {
        let samples = (0..<seconds * RecognitionClip.sampleRate).map { Float($0 % 100) / 5_000 - 0.01 }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }
}
