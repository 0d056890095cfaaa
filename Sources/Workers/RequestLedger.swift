internal import EchoText

/// What a worker has been asked and has not answered yet.
///
/// Holds no continuations and no clock: it says what a frame settles, and refuses frames that answer nothing.
struct RequestLedger: Sendable {
    enum Work: Sendable, Hashable {
        case opening
        case speaking
    }

    enum Settlement: Sendable {
        case opened(OpenedVoice)
        case spoken([Float])
        case failed(any Error)
    }

    private struct Entry {
        let work: Work
        var samples: [Float] = []
        /// Whether the worker has said that its engine is at it.
        var hasBegun = false
    }

    /// Most samples of one answer: twelve minutes at 22,050 Hz, for a request of at most ``PhonemeRequest/longest``
    /// symbols; 64 MiB.
    static let mostSamples = 16 << 20

    private var entries: [UInt32: Entry] = [:]
    private var nextNumber: UInt32 = 1
    /// Requests that nobody waits for any more and that the worker has not let go of.
    private(set) var abandoned: Set<UInt32> = []

    /// Whether somebody waits for an answer.
    var isAwaited: Bool { !entries.isEmpty }
    /// Whether the engine is known to be at something that somebody waits for.
    var isAtWork: Bool { entries.values.contains(where: \.hasBegun) }
    /// What the worker is to be thought busy with.
    var phase: SynthesisError.Phase {
        entries.values.contains { $0.work == .opening } ? .loading : .synthesizing
    }

    /// A number for a request, not in use.
    mutating func takeNumber() -> UInt32 {
        defer { nextNumber = nextNumber == .max ? 1 : nextNumber + 1 }
        return nextNumber
    }

    mutating func begin(_ work: Work, as request: UInt32) {
        entries[request] = Entry(work: work)
    }

    /// - Returns: Whether it was still awaited.
    mutating func abandon(_ request: UInt32) -> Bool {
        guard entries.removeValue(forKey: request) != nil else { return false }
        abandoned.insert(request)
        return true
    }

    /// Takes a frame of the worker.
    ///
    /// - Returns: How the frame's request ended, when it did and somebody waits for it.
    /// - Throws: ``WorkerError/protocolViolation``.
    mutating func receive(_ frame: Frame) throws(WorkerError) -> Settlement? {
        let reply = try EngineReply(frame)
        if abandoned.contains(frame.request) {
            if reply.isFinal { abandoned.remove(frame.request) }
            return nil
        }
        guard let work = entries[frame.request]?.work else { throw .protocolViolation }
        switch (reply, work) {
        case (.alive, _):
            entries[frame.request]?.hasBegun = true
            return nil
        case (.audio(let samples), .speaking):
            try append(samples, to: frame.request)
            return nil
        case (.opened(let voice), .opening):
            entries[frame.request] = nil
            return .opened(voice)
        case (.done, .speaking):
            return .spoken(entries.removeValue(forKey: frame.request)?.samples ?? [])
        case (.failed(let failure), _):
            entries[frame.request] = nil
            return .failed(failure.error)
        case (.audio, .opening), (.done, .opening), (.opened, .speaking): throw .protocolViolation
        }
    }

    private mutating func append(_ samples: [Float], to request: UInt32) throws(WorkerError) {
        entries[request]?.hasBegun = true
        guard entries[request]?.samples.count ?? 0 <= Self.mostSamples - samples.count else { throw .protocolViolation }
        entries[request]?.samples.append(contentsOf: samples)
    }
}

extension EngineReply {
    /// Whether nothing follows it.
    fileprivate var isFinal: Bool {
        switch self {
        case .opened, .done, .failed: true
        case .audio, .alive: false
        }
    }
}
