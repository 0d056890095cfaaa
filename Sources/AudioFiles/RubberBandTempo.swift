import CRubberBand
package import EchoText

/// Makes speech faster or slower by Rubber Band, as it is heard.
///
/// The faster of its two engines: while somebody listens the machine may be busy with other things, and of speech at 0.5 to
/// 3 times its pace both sound alike.
package actor RubberBandTempo: TempoStretcher {
    private nonisolated let executor = BlockingExecutor(label: "tempo")
    private let stretcher: LiveStretcher
    private let speed: Double
    private let sampleRate: Int
    private var taken = 0
    private var given = 0
    /// Samples at the start of the output that stand for what was put before the sound.
    private var surplus: Int

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - sampleRate: Of the clips to come, in hertz.
    ///   - speed: 0.5 to 3 times their own.
    package init(sampleRate: Int, speed: Double) {
        precondition((0.5...3).contains(speed), "sound is played at 0.5 to 3 times its pace, got \(speed)")
        self.sampleRate = sampleRate
        self.speed = speed
        let stretcher = LiveStretcher(sampleRate: sampleRate, timeRatio: 1 / speed)
        surplus = stretcher.delay
        stretcher.take([Float](repeating: 0, count: stretcher.padding)[...], isLast: false)
        self.stretcher = stretcher
    }

    package func stretch(_ clip: AudioClip, isLast: Bool) throws -> AudioClip {
        precondition(clip.sampleRate == sampleRate, "opened for \(sampleRate) Hz, got a clip of \(clip.sampleRate) Hz")
        try Task.checkCancellation()
        taken += clip.samples.count
        var output: [Float] = []
        var start = 0
        repeat {
            let end = min(start + LiveStretcher.block, clip.samples.count)
            stretcher.take(clip.samples[start..<end], isLast: isLast && end == clip.samples.count)
            output += stretcher.available()
            start = end
        } while start < clip.samples.count
        let dropped = min(surplus, output.count)
        surplus -= dropped
        output.removeFirst(dropped)
        let wanted = Int((Double(taken) / speed).rounded()) - given
        if isLast {
            output = Array(output.prefix(max(0, wanted)))
            output += Array(repeating: 0, count: max(0, wanted - output.count))
        }
        given += output.count
        return AudioClip(samples: output, sampleRate: sampleRate)
    }
}

/// Owns one `RubberBandState`, in the mode that knows nothing of what comes.
private final class LiveStretcher {
    static let block = 4_096

    private let state: RubberBandState

    init(sampleRate: Int, timeRatio: Double) {
        let options = [RubberBandOptionProcessRealTime, RubberBandOptionEngineFaster, RubberBandOptionThreadingNever]
            .reduce(0) { $0 | $1.rawValue }
        state = rubberband_new(UInt32(sampleRate), 1, RubberBandOptions(bitPattern: options), timeRatio, 1)
        rubberband_set_max_process_size(state, UInt32(Self.block))
    }

    deinit { rubberband_delete(state) }

    /// How much silence it wants before the sound, in samples.
    var padding: Int { min(Int(rubberband_get_preferred_start_pad(state)), Self.block) }

    /// How much of its output stands for that, in samples.
    var delay: Int { Int(rubberband_get_start_delay(state)) }

    func take(_ samples: ArraySlice<Float>, isLast: Bool) {
        guard isLast || !samples.isEmpty else { return }
        samples.withUnsafeBufferPointer { samples in
            var channel = samples.baseAddress
            rubberband_process(state, &channel, UInt32(samples.count), isLast ? 1 : 0)
        }
    }

    func available() -> [Float] {
        let count = Int(max(0, rubberband_available(state)))
        guard count > 0 else { return [] }
        return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            var channel = buffer.baseAddress
            initialized = Int(rubberband_retrieve(state, &channel, UInt32(count)))
        }
    }
}
