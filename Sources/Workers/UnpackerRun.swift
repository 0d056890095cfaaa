internal import EchoText
internal import Foundation
internal import Logging
internal import Synchronization

/// One process at one archive, from its start until nothing is left of it.
final class UnpackerRun: Sendable {
    enum Outcome {
        case done
        case failed(any Error)
    }

    /// Used on the thread that listens to the process.
    struct Intake {
        var decoder = FrameDecoder(accepting: Frame.Kind.ofUnpacker)
        var count: ArchiveCount
        /// Whether a file has begun, to which bytes belong.
        var isInFile = false
        let take: @Sendable (ArchivePiece) throws -> Void
    }

    private struct State {
        var outcome: Outcome?
        var process: WorkerProcess?
        /// Wait for the time to be over.
        var watches: [Task<Void, Never>] = []
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let request: UnpackerRequest
    private let intake: Mutex<Intake>
    private let state = Mutex(State())
    private let watchdog: Watchdog
    private let longest: Duration
    private let clock: any Clock<Duration>

    init(
        _ request: UnpackerRequest,
        archiveSize: Int,
        idleTimeout: Duration,
        longest: Duration,
        clock: any Clock<Duration>,
        take: @escaping @Sendable (ArchivePiece) throws -> Void
    ) {
        self.request = request
        intake = Mutex(Intake(count: ArchiveCount(request.rules, archiveSize: archiveSize), take: take))
        watchdog = Watchdog(timeout: idleTimeout, clock: clock)
        self.longest = longest
        self.clock = clock
    }

    /// - Returns: When the archive is unpacked and the process is gone.
    /// - Throws: ``VoiceInstallError``, what takes the pieces threw, or `CancellationError`.
    func run(_ launch: WorkerLaunch, in isolation: WorkerIsolation, logger: Logger) async throws {
        let asked = try request.frame
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                WorkerProcess.start(launch, in: isolation, logger: logger) { [self] in
                    receive($0)
                } started: { [self] process in
                    begin(process, asked)
                } ended: { [self] _ in
                    finish(.failed(VoiceInstallError.unpackerDied))
                }
            }
        } onCancel: {
            end(.failed(CancellationError()))
        }
    }

    private func begin(_ process: WorkerProcess?, _ asked: [UInt8]) {
        guard let process else { return finish(.failed(VoiceInstallError.cannotStartUnpacker)) }
        let isOver = state.withLock { state in
            state.process = process
            guard state.outcome == nil else { return true }
            state.watches = watches()
            return false
        }
        if isOver { return process.kill() }
        process.send(FrameFormat.preamble)
        process.send(asked)
    }

    /// Whatever it says, it has only so long in all.
    private func watches() -> [Task<Void, Never>] {
        let idleTimeout = Task { [weak self, watchdog] in
            // Thrown only when there is nothing to wait for any more.
            guard (try? await watchdog.expiration()) != nil else { return }
            self?.end(.failed(VoiceInstallError.tooSlow(seconds: Int(watchdog.timeout.components.seconds))))
        }
        let whole = Task { [weak self, clock, longest] in
            guard (try? await clock.sleep(for: longest)) != nil else { return }
            self?.end(.failed(VoiceInstallError.tooSlow(seconds: Int(longest.components.seconds))))
        }
        return [idleTimeout, whole]
    }

    /// - Returns: Whether to continue listening.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // A whole frame is a sign of life; bytes of one that never comes to its end are none.
        var hasFrame = false
        let outcome = intake.withLock { intake -> Outcome? in
            intake.decoder.append(bytes)
            do {
                while let frame = try intake.decoder.next() {
                    hasFrame = true
                    if let outcome = try Self.take(frame, into: &intake) { return outcome }
                    guard state.withLock({ $0.outcome == nil }) else { return nil }
                }
                return nil
            } catch is WorkerError {
                return .failed(VoiceInstallError.unpackerDied)
            } catch is DecodingError {
                return .failed(VoiceInstallError.unpackerDied)
            } catch {
                return .failed(error)
            }
        }
        // Reported after the write, whose time does not count as the worker's.
        if hasFrame { watchdog.heard() }
        return state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return state.outcome == nil
        }
    }

    /// What a file says through its worker is held to the rules once more: it may have taken the worker over.
    static func take(_ frame: Frame, into intake: inout Intake) throws -> Outcome? {
        switch frame.kind {
        case .done: return .done
        case .failed: return .failed(try refusal(frame.payload))
        default: break
        }
        let piece = try ArchivePiece(frame)
        switch piece {
        case .folder(let name):
            try intake.count.begin(name, size: nil, isFolder: true)
            intake.isInFile = false
        case .file(let name):
            try intake.count.begin(name, size: nil, isFolder: false)
            intake.isInFile = true
        case .bytes(let bytes):
            guard intake.isInFile else { throw WorkerError.protocolViolation }
            try intake.count.add(bytes.count)
        }
        try intake.take(piece)
        return nil
    }

    /// Why the worker says that it refuses the archive; in our words, whatever it says.
    private static func refusal(_ payload: [UInt8]) throws -> VoiceInstallError {
        switch try JSONDecoder().decode(VoiceInstallError.self, from: Data(payload)) {
        case .forbidden(let what, let name): .forbidden(what, name: ArchiveRules.shown(name))
        case let error: error.isOfArchive ? error : .unpackerDied
        }
    }

    /// Ends the process, if it is still at work.
    private func end(_ outcome: Outcome) {
        let process = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return state.process
        }
        process?.kill()
    }

    private func finish(_ fallback: Outcome) {
        let (continuation, outcome) = state.withLock { state in
            for watch in state.watches { watch.cancel() }
            defer {
                state.continuation = nil
                state.process = nil
            }
            return (state.continuation, state.outcome ?? fallback)
        }
        switch outcome {
        case .done: continuation?.resume()
        case .failed(let error): continuation?.resume(throwing: error)
        }
    }
}

extension VoiceInstallError {
    /// Whether it is one that an unpacker has to say, with nothing in it but numbers.
    fileprivate var isOfArchive: Bool {
        switch self {
        case .damagedArchive, .notAnArchive, .bomb, .tooManyFiles, .tooMuchInside: true
        default: false
        }
    }
}
