import Dispatch
package import EchoText
import Foundation
import Synchronization

/// The microphones of this machine, through PulseAudio or PipeWire, else ALSA.
package struct Microphones: CaptureDevices {
    /// A way to a microphone.
    package enum Route: Sendable, Hashable {
        /// PulseAudio or PipeWire; `server` is an address as in `PULSE_SERVER`, or `nil` for the person's own.
        case pulseAudio(server: String? = nil)
        case alsa
    }

    private let routes: [Route]
    private let executor = BlockingExecutor(label: "microphones")

    /// - Parameter routes: In order of preference.
    package init(routes: [Route] = [.pulseAudio(), .alsa]) {
        self.routes = routes
    }

    package func all() async -> [CaptureDeviceListing] {
        await executor.run { [routes] in
            routes.flatMap { route in
                switch route {
                case .pulseAudio(let server): PulseAudioSources.all(server: server)
                case .alsa: ALSACapture.all()
                }
            }
        }
    }

    package func open(_ id: String?, rates: [Int]) async throws -> any CaptureDevice {
        try await executor.run { [routes] in
            for route in routes {
                let source: (any CaptureSource)? =
                    switch route {
                    case .pulseAudio(let server): PulseAudioCapture(server: server, source: id, rates: rates)
                    case .alsa: ALSACapture(name: id ?? "default", rates: rates)
                    }
                if let source { return Microphone(source) }
            }
            throw id.map { CaptureError.deviceNotFound($0) } ?? CaptureError.noMicrophone
        }
    }
}

/// An open way to a microphone.
///
/// Its calls block; only ``Microphone`` makes them, on its thread.
protocol CaptureSource: AnyObject {
    var name: String { get }
    /// In hertz.
    var sampleRate: Int { get }

    /// Waits for some 50 ms of sound.
    ///
    /// - Returns: Nothing when the device is gone.
    func read() -> [Int16]

    /// Returns how many seconds of sound were lost before what was read last, since the last call.
    func takeLost() -> Double
}

/// Measures how much sound of a device is lost because it is not read in time; while the machine sleeps, none is.
struct CaptureLoss {
    private var lastRead: SuspendingClock.Instant?
    private var lost = 0.0

    /// Notes that the next sound is read.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - capacity: How many seconds the device holds until they are read.
    mutating func willRead(at now: SuspendingClock.Instant = .now, of capacity: Double) {
        guard let lastRead else { return }
        lost += max(0, (now - lastRead) / .seconds(1) - capacity)
    }

    /// Notes that sound was read.
    mutating func didRead(at now: SuspendingClock.Instant = .now) { lastRead = now }

    /// Notes that the device has dropped all since the last reading, and begins again.
    mutating func didOverrun(at now: SuspendingClock.Instant = .now) {
        if let lastRead { lost += (now - lastRead) / .seconds(1) }
        lastRead = now
    }

    /// Returns how many seconds were lost since the last call.
    mutating func take() -> Double {
        defer { lost = 0 }
        return lost
    }
}

/// Reads a microphone on a thread of its own, so that a device that hangs holds up nobody.
final class Microphone: CaptureDevice {
    /// The most pieces of some 50 ms that wait to be taken, a minute; the thread, and then the device, waits beyond.
    private static let maximumPending = 1_200

    private struct Piece {
        let sound: [Int16]
        /// Seconds that were lost before it.
        let lost: Double
    }

    private struct State {
        var pieces: [Piece] = []
        /// Seconds that were lost before what was taken.
        var lost = 0.0
        var isOver = false
        var isClosed = false
        var waiting: CheckedContinuation<[Int16]?, Never>?

        mutating func takeFirst() -> [Int16] {
            let piece = pieces.removeFirst()
            lost += piece.lost
            return piece.sound
        }
    }

    let name: String
    let sampleRate: Int
    private let state = Mutex(State())
    /// Begins at 0, because a semaphore must not end below what it began with.
    private let room = DispatchSemaphore(value: 0)

    init(_ source: consuming sending any CaptureSource) {
        (name, sampleRate) = (source.name, source.sampleRate)
        for _ in 0..<Self.maximumPending { room.signal() }
        start(source)
    }

    func next() async throws -> [Int16] {
        try Task.checkCancellation()
        let piece: [Int16]? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: [Int16]?? = state.withLock { state in
                    if !state.pieces.isEmpty { return .some(state.takeFirst()) }
                    if state.isOver || state.isClosed || Task.isCancelled { return .some(nil) }
                    state.waiting = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }?
            .resume(returning: nil)
        }
        guard let piece else {
            try Task.checkCancellation()
            throw CaptureError.deviceGone
        }
        room.signal()
        return piece
    }

    func takePending() -> [Int16] {
        let pieces = state.withLock { state -> [[Int16]] in
            var taken: [[Int16]] = []
            while !state.pieces.isEmpty { taken.append(state.takeFirst()) }
            return taken
        }
        for _ in pieces { room.signal() }
        return pieces.flatMap(\.self)
    }

    func takeLost() -> Double {
        state.withLock { state in
            defer { state.lost = 0 }
            return state.lost
        }
    }

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
        room.signal()
    }

    private func start(_ source: consuming sending any CaptureSource) {
        let box = SourceBox(source)
        let thread = Thread { [weak self] in
            while true {
                let (sound, lost) = box.read()
                guard let self, !state.withLock(\.isClosed) else { return }
                guard !sound.isEmpty else { return end() }
                room.wait()
                put(Piece(sound: sound, lost: lost))
            }
        }
        thread.name = "echotext microphone"
        thread.start()
    }

    private func put(_ piece: Piece) {
        let waiting = state.withLock { state -> CheckedContinuation<[Int16]?, Never>? in
            guard let waiting = state.waiting else {
                state.pieces.append(piece)
                return nil
            }
            state.waiting = nil
            state.lost += piece.lost
            return waiting
        }
        waiting?.resume(returning: piece.sound)
    }

    private func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}

/// Brings a device, which nobody else has, to the thread that reads it.
private final class SourceBox: Sendable {
    private let source: Mutex<any CaptureSource>

    init(_ source: consuming sending any CaptureSource) {
        self.source = Mutex(source)
    }

    /// The next sound, and how many seconds were lost before it.
    func read() -> (sound: [Int16], lost: Double) {
        source.withLock { source in
            let sound = source.read()
            return (sound, source.takeLost())
        }
    }
}
