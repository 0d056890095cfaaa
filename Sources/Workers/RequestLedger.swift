internal import EchoText

/// What a worker has been asked and has not answered yet.
///
/// Holds no continuations and no clock: it says what a frame settles, and refuses frames that answer nothing.
struct RequestLedger: Sendable {
    enum Work: Sendable, Hashable {
        case opening
        case speaking
        case introducing
        /// So many texts.
        case pronouncing(Int)
        case saying

        /// Whether the engine is at one such request at a time, and says when it begins: only that one can have ended it.
        var isOneAtATime: Bool {
            switch self {
            case .opening, .speaking, .introducing: false
            case .pronouncing, .saying: true
            }
        }

        /// Whose work it is.
        var engine: Voice.Engine {
            switch self {
            case .opening, .speaking: .piper
            case .introducing, .pronouncing, .saying: .espeakNG
            }
        }
    }

    /// What a frame means for the request it names.
    enum Event: Sendable {
        case piece(AcousticPiece)
        /// Of a phrase that the engine of rules says; never empty.
        case sound([Int16])
        case settled(Settlement)
    }

    /// How a request ended.
    enum Settlement: Sendable {
        case opened(OpenedVoice)
        case spoken
        case introduced(EngineIntroduction)
        case pronounced([String])
        case said([SpeechFragment.Mark])
        case failed(any Error)
    }

    private struct Entry {
        let work: Work
        /// How many samples have arrived.
        var samples = 0
        /// Whether the engine is at it, as far as the worker has said.
        var isAtWork = false
    }

    /// Most samples of one answer: twelve minutes at 22,050 Hz, for a request of at most ``PhonemeRequest/longest``
    /// symbols; 64 MiB.
    static let mostSamples = 16 << 20

    private var entries: [UInt32: Entry] = [:]
    private var nextNumber: UInt32 = 1
    /// Cancelled requests that the worker has not ended yet.
    private(set) var abandoned: Set<UInt32> = []

    /// Whether somebody waits for an answer.
    var isAwaited: Bool { !entries.isEmpty }
    /// Whether the engine is known to be at something that somebody waits for.
    var isAtWork: Bool { entries.values.contains(where: \.isAtWork) }
    /// What the worker is to be thought busy with, and by which engine.
    var occupation: (engine: Voice.Engine, phase: SynthesisError.Phase) {
        let works = entries.values.map(\.work)
        let engine = works.first?.engine ?? .piper
        if works.contains(where: { $0 == .opening || $0 == .introducing }) { return (engine, .loading) }
        let atWork = entries.values.filter(\.isAtWork).map(\.work)
        guard case .pronouncing? = atWork.first ?? works.first else { return (engine, .synthesizing) }
        return (engine, .phonemizing)
    }
    /// Whether the engine is not at a request that has no answer yet: it has not begun with it, or is through with it.
    func isWaiting(_ request: UInt32) -> Bool { entries[request].map { !$0.isAtWork } ?? false }

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
    /// - Returns: What somebody who waits for the frame's request is to hear of it, if anything.
    /// - Throws: ``WorkerError/protocolViolation``.
    mutating func receive(_ frame: Frame) throws(WorkerError) -> Event? {
        let reply = try EngineReply(frame)
        if abandoned.contains(frame.request) {
            if reply.isFinal { abandoned.remove(frame.request) }
            return nil
        }
        guard let work = entries[frame.request]?.work else { throw .protocolViolation }
        switch (reply, work) {
        case (.alive, _):
            if work.isOneAtATime { leaveOneAtATime() }
            entries[frame.request]?.isAtWork = true
            return nil
        case (.times(let times), .speaking):
            guard entries[frame.request]?.samples == 0 else { throw .protocolViolation }
            entries[frame.request]?.isAtWork = true
            return .piece(.times(times))
        case (.audio(let samples), .speaking):
            entries[frame.request]?.isAtWork = true
            try count(samples.count, of: frame.request)
            return samples.isEmpty ? nil : .piece(.samples(samples))
        case (.sound(let samples), .saying):
            try count(samples.count, of: frame.request)
            return samples.isEmpty ? nil : .sound(samples)
        case (.opened(let voice), .opening):
            entries[frame.request] = nil
            return .settled(.opened(voice))
        case (.done, .speaking):
            entries[frame.request] = nil
            return .settled(.spoken)
        case (.introduced(let introduction), .introducing):
            entries[frame.request] = nil
            return .settled(.introduced(introduction))
        case (.pronounced(let phonemes), .pronouncing(let count)) where phonemes.count == count:
            entries[frame.request] = nil
            return .settled(.pronounced(phonemes))
        case (.said(let marks), .saying):
            guard marks.last?.samples.upperBound ?? 0 <= entries[frame.request]?.samples ?? 0 else {
                throw .protocolViolation
            }
            entries[frame.request] = nil
            return .settled(.said(marks))
        case (.failed(let failure), _):
            entries[frame.request] = nil
            return .settled(.failed(failure.error))
        case (.times, _), (.audio, _), (.done, _), (.opened, _), (.introduced, _), (.pronounced, _), (.sound, _),
            (.said, _):
            throw .protocolViolation
        }
    }

    /// The engine begins with another request, and is through with those it was at.
    private mutating func leaveOneAtATime() {
        for (request, entry) in entries where entry.work.isOneAtATime { entries[request]?.isAtWork = false }
    }

    private mutating func count(_ samples: Int, of request: UInt32) throws(WorkerError) {
        guard entries[request]?.samples ?? 0 <= Self.mostSamples - samples else { throw .protocolViolation }
        entries[request]?.samples += samples
    }
}

extension EngineReply {
    /// Whether nothing follows it.
    fileprivate var isFinal: Bool {
        switch self {
        case .opened, .introduced, .pronounced, .said, .done, .failed: true
        case .times, .audio, .sound, .alive: false
        }
    }
}
