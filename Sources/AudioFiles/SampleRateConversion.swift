package import EchoText

/// Changes the sample rate of sound that comes piece by piece, by libsamplerate, off the shared pool.
package actor SampleRateConversion: RateConversion {
    private nonisolated let executor = BlockingExecutor(label: "sample rate")
    private let converter: RateConverter
    private let outputRate: Int

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - inputRate: Hertz.
    ///   - outputRate: Hertz, from 1/256 of `inputRate` to 256 times it.
    /// - Throws: ``AudioFileError/codecFailed(_:status:)``.
    package init(from inputRate: Int, to outputRate: Int) throws(AudioFileError) {
        converter = try RateConverter(from: inputRate, to: outputRate)
        self.outputRate = outputRate
    }

    package func convert(_ clip: AudioClip, isLast: Bool) throws -> AudioClip {
        AudioClip(samples: try converter.convert(clip.samples[...], isLast: isLast), sampleRate: outputRate)
    }
}
