import CRubberBand
import Dispatch
package import EchoText
import Foundation
import Synchronization

/// Shifts pitch by Rubber Band, several clips at once, each on a thread of its own.
///
/// Rubber Band's finer engine keeps the resonances of the mouth where they are, so that a higher voice is not a smaller
/// person, and with its short window costs no more than the older engine does without that: 0.5 to 1.7 % of the
/// speech's duration on one core, against 1.4 to 3.2 % with the long window.
package struct RubberBandPitchShifter: Sendable {
    private let lanes: Lanes

    /// - Parameter lanes: How many clips are shifted at once, at least 1; each takes one core.
    package init(lanes: Int = ProcessInfo.processInfo.activeProcessorCount) {
        precondition(lanes > 0, "shifting pitch needs at least 1 lane, got \(lanes)")
        self.lanes = Lanes(count: lanes)
    }

    /// The clip at `ratio` times its frequency (2 is an octave up), as long as before.
    ///
    /// - Parameters:
    ///   - clip: Any length, also empty.
    ///   - ratio: 0.5 to 2; 1 returns the clip unchanged.
    /// - Returns: As many samples as `clip` has, at its rate.
    /// - Throws: `CancellationError` when the calling task is cancelled.
    package func shift(_ clip: AudioClip, by ratio: Double) async throws -> AudioClip {
        precondition((0.5...2).contains(ratio), "pitch shifts by 0.5 to 2, got \(ratio)")
        try Task.checkCancellation()
        guard ratio != 1, !clip.samples.isEmpty else { return clip }
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lanes.run {
                    continuation.resume(with: Result { try Self.shifted(clip, by: ratio, cancellation) })
                }
            }
        } onCancel: {
            cancellation.isSet.store(true, ordering: .relaxed)
        }
    }

    private static func shifted(_ clip: AudioClip, by ratio: Double, _ cancellation: Cancellation) throws -> AudioClip {
        guard !cancellation.isSet.load(ordering: .relaxed) else { throw CancellationError() }
        let stretcher = RubberBandStretcher(sampleRate: clip.sampleRate, pitchRatio: ratio, count: clip.samples.count)
        var samples: [Float] = []
        samples.reserveCapacity(clip.samples.count)
        for pass in [RubberBandStretcher.Pass.study, .process] {
            for start in stride(from: 0, to: clip.samples.count, by: RubberBandStretcher.clipBlock) {
                guard !cancellation.isSet.load(ordering: .relaxed) else { throw CancellationError() }
                let end = min(start + RubberBandStretcher.clipBlock, clip.samples.count)
                stretcher.take(clip.samples[start..<end], isLast: end == clip.samples.count, in: pass)
                samples += stretcher.available()
            }
        }
        return AudioClip(samples: samples.fitted(to: clip.samples.count), sampleRate: clip.sampleRate)
    }
}

/// Queues with a thread each, kept apart from the global queue, whose few threads Swift's tasks need.
private final class Lanes: Sendable {
    private let queues: [DispatchQueue]
    /// How much each queue has been given and not yet done.
    private let waiting: Mutex<[Int]>

    init(count: Int) {
        queues = (0..<count).map { DispatchQueue(label: "pitch \($0)") }
        waiting = Mutex(Array(repeating: 0, count: count))
    }

    /// Runs `work` on the queue with the least to do.
    func run(_ work: @escaping @Sendable () -> Void) {
        let lane = waiting.withLock { waiting in
            let lane = waiting.indices.min { waiting[$0] < waiting[$1] } ?? 0
            waiting[lane] += 1
            return lane
        }
        queues[lane].async {
            work()
            self.waiting.withLock { $0[lane] -= 1 }
        }
    }
}

private final class Cancellation: Sendable {
    let isSet = Atomic(false)
}

/// Makes speech faster or slower by Rubber Band, as it is heard.
///
/// The faster of its two engines: while somebody listens the machine may be busy with other things, and of speech at 0.5 to
/// 3 times its pace both sound alike.
package actor RubberBandTempo: TempoStretcher {
    private nonisolated let executor = BlockingExecutor(label: "tempo")
    private let stretcher: RubberBandStretcher
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
        let stretcher = RubberBandStretcher(sampleRate: sampleRate, timeRatio: 1 / speed)
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
            let end = min(start + RubberBandStretcher.liveBlock, clip.samples.count)
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

/// Owns one `RubberBandState`.
private final class RubberBandStretcher {
    enum Pass {
        case study
        case process
    }

    /// The most samples of a whole clip that it takes at once.
    static let clipBlock = 8_192
    /// The most samples that it takes at once as they are heard.
    static let liveBlock = 4_096

    private let state: RubberBandState

    /// Shifts the pitch of a clip of `count` samples, in the mode that hears all of it before it changes it and so needs no run-up.
    init(sampleRate: Int, pitchRatio: Double, count: Int) {
        let options = [
            RubberBandOptionProcessOffline, RubberBandOptionEngineFiner, RubberBandOptionWindowShort,
            RubberBandOptionFormantPreserved, RubberBandOptionThreadingNever,
        ]
        state = Self.state(sampleRate, options, timeRatio: 1, pitchRatio: pitchRatio)
        rubberband_set_expected_input_duration(state, UInt32(count))
        rubberband_set_max_process_size(state, UInt32(Self.clipBlock))
    }

    /// Changes the pace, in the mode that knows nothing of what comes.
    init(sampleRate: Int, timeRatio: Double) {
        let options = [RubberBandOptionProcessRealTime, RubberBandOptionEngineFaster, RubberBandOptionThreadingNever]
        state = Self.state(sampleRate, options, timeRatio: timeRatio, pitchRatio: 1)
        rubberband_set_max_process_size(state, UInt32(Self.liveBlock))
    }

    deinit { rubberband_delete(state) }

    private static func state(
        _ sampleRate: Int,
        _ options: [RubberBandOption],
        timeRatio: Double,
        pitchRatio: Double
    ) -> RubberBandState {
        let bits = options.reduce(0) { $0 | $1.rawValue }
        return rubberband_new(UInt32(sampleRate), 1, RubberBandOptions(bitPattern: bits), timeRatio, pitchRatio)
    }

    /// How much silence it wants before live sound, in samples.
    var padding: Int { min(Int(rubberband_get_preferred_start_pad(state)), Self.liveBlock) }

    /// How much of its output stands for that, in samples.
    var delay: Int { Int(rubberband_get_start_delay(state)) }

    func take(_ samples: ArraySlice<Float>, isLast: Bool, in pass: Pass = .process) {
        guard isLast || !samples.isEmpty else { return }
        samples.withUnsafeBufferPointer { samples in
            var channel = samples.baseAddress
            let count = UInt32(samples.count)
            switch pass {
            case .study: rubberband_study(state, &channel, count, isLast ? 1 : 0)
            case .process: rubberband_process(state, &channel, count, isLast ? 1 : 0)
            }
        }
    }

    /// The output that is ready; empty while studying.
    func available() -> [Float] {
        let count = Int(max(0, rubberband_available(state)))
        guard count > 0 else { return [] }
        return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            var channel = buffer.baseAddress
            initialized = Int(rubberband_retrieve(state, &channel, UInt32(count)))
        }
    }
}

extension [Float] {
    /// Exactly `count` of them: cut at the end, or filled with silence.
    fileprivate func fitted(to count: Int) -> [Float] {
        self.count >= count ? Array(prefix(count)) : self + Array(repeating: 0, count: count - self.count)
    }
}
