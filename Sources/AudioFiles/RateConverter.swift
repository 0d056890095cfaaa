import CSampleRate
package import EchoText

/// Changes the sample rate of sound that comes piece by piece, by libsamplerate.
///
/// The whole has as many samples as its duration asks for, to the nearest.
final class RateConverter {
    private let state: OpaquePointer
    private let inputRate: Int
    private let outputRate: Int
    private var taken = 0
    private var given = 0

    /// - Parameters:
    ///   - inputRate: Hertz.
    ///   - outputRate: Hertz, from 1/256 of `inputRate` to 256 times it.
    /// - Throws: ``AudioFileError/codecFailed(_:status:)``.
    init(from inputRate: Int, to outputRate: Int) throws(AudioFileError) {
        var status: Int32 = 0
        guard let state = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), 1, &status) else {
            throw .codecFailed(nil, status: status)
        }
        self.state = state
        self.inputRate = inputRate
        self.outputRate = outputRate
    }

    deinit { src_delete(state) }

    /// The output so far; a few milliseconds are held back until `isLast`.
    func convert(_ samples: ArraySlice<Float>, isLast: Bool) throws(AudioFileError) -> [Float] {
        taken += samples.count
        var output: [Float] = []
        var rest = samples
        while true {
            let (read, made) = try step(rest, isLast: isLast)
            rest = rest.dropFirst(read)
            output += made
            if rest.isEmpty && made.isEmpty { break }
        }
        if isLast { fit(&output) }
        given += output.count
        return output
    }

    private func step(_ samples: ArraySlice<Float>, isLast: Bool) throws(AudioFileError) -> (Int, [Float]) {
        var read = 0
        var status: Int32 = 0
        let room = 4_096
        let made = [Float](unsafeUninitializedCapacity: room) { buffer, count in
            samples.withUnsafeBufferPointer { input in
                var data = SRC_DATA()
                data.data_in = input.baseAddress
                data.input_frames = input.count
                data.data_out = buffer.baseAddress
                data.output_frames = room
                data.src_ratio = Double(outputRate) / Double(inputRate)
                data.end_of_input = isLast ? 1 : 0
                status = src_process(state, &data)
                read = data.input_frames_used
                count = status == 0 ? data.output_frames_gen : 0
            }
        }
        guard status == 0 else { throw .codecFailed(nil, status: status) }
        return (read, made)
    }

    private func fit(_ output: inout [Float]) {
        let wanted = (taken * outputRate + inputRate / 2) / inputRate - given
        if output.count > wanted { output.removeLast(output.count - max(0, wanted)) }
        if output.count < wanted { output += Array(repeating: 0, count: wanted - output.count) }
    }
}

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
