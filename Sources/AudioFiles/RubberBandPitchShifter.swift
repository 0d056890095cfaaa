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
package struct RubberBandPitchShifter: PitchShifter {
    private let lanes: Lanes

    /// - Parameter lanes: How many clips are shifted at once, at least 1; each takes one core.
    package init(lanes: Int = ProcessInfo.processInfo.activeProcessorCount) {
        precondition(lanes > 0, "shifting pitch needs at least 1 lane, got \(lanes)")
        self.lanes = Lanes(count: lanes)
    }

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
        let stretcher = Stretcher(sampleRate: clip.sampleRate, ratio: ratio, count: clip.samples.count)
        var samples: [Float] = []
        samples.reserveCapacity(clip.samples.count)
        for pass in [Stretcher.Pass.study, .process] {
            for start in stride(from: 0, to: clip.samples.count, by: Stretcher.block) {
                guard !cancellation.isSet.load(ordering: .relaxed) else { throw CancellationError() }
                let end = min(start + Stretcher.block, clip.samples.count)
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

/// Owns one `RubberBandState`, in the mode that hears the whole clip before it changes it and so needs no run-up.
private struct Stretcher: ~Copyable {
    enum Pass {
        case study
        case process
    }

    static let block = 8_192

    private let state: RubberBandState

    init(sampleRate: Int, ratio: Double, count: Int) {
        let options = [
            RubberBandOptionProcessOffline, RubberBandOptionEngineFiner, RubberBandOptionWindowShort,
            RubberBandOptionFormantPreserved, RubberBandOptionThreadingNever,
        ].reduce(0) { $0 | $1.rawValue }
        state = rubberband_new(UInt32(sampleRate), 1, RubberBandOptions(bitPattern: options), 1, ratio)
        rubberband_set_expected_input_duration(state, UInt32(count))
        rubberband_set_max_process_size(state, UInt32(Self.block))
    }

    deinit { rubberband_delete(state) }

    borrowing func take(_ samples: ArraySlice<Float>, isLast: Bool, in pass: Pass) {
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
    borrowing func available() -> [Float] {
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
