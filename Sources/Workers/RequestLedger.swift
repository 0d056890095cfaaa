internal import EchoText

/// The requests that a worker has received and not answered yet.
struct RequestLedger: WorkerLedger {
    enum Work: Sendable, Hashable {
        case opening
        case speaking
        case introducing
        /// The number of texts.
        case pronouncing(Int)
        case saying

        /// Whether the engine handles such requests one at a time and reports each start: then only the started request
        /// can have ended the worker.
        var isSerial: Bool {
            switch self {
            case .opening, .speaking, .introducing: false
            case .pronouncing, .saying: true
            }
        }

        /// The engine that does the work.
        var engine: Voice.Engine {
            switch self {
            case .opening, .speaking: .piper
            case .introducing, .pronouncing, .saying: .espeakNG
            }
        }
    }

    /// The meaning of a frame for its request.
    enum Event: Sendable {
        case piece(AcousticPiece)
        /// Sound of a phrase that the rule-based engine speaks; never empty.
        case sound([Int16])
        case settled(Settlement)
    }

    /// How a request ended.
    enum Settlement: Sendable {
        case opened(OpenedVoice)
        case spoken
        case introduced(EngineIntroduction)
        case pronounced([String])
        case said([TimedWord])
        case failed(any Error)
    }

    private struct Entry {
        let work: Work
        /// The number of samples received.
        var samples = 0
        var progress = Progress.waiting
    }

    /// How far the engine is with a request, according to the worker's reports.
    enum Progress: Sendable {
        /// The engine has not started it.
        case waiting
        case atWork
        /// The engine has finished with it, and the reply is not complete.
        case finished
    }

    /// The limit on the samples of one answer: twelve minutes at 22,050 Hz, for a request of at most
    /// ``PhonemeRequest/longest`` symbols; 64 MiB.
    static let maximumSamples = 16 << 20

    static var kinds: Set<Frame.Kind> { Frame.Kind.ofWorker }

    private var entries: [UInt32: Entry] = [:]
    private var nextNumber: UInt32 = 1
    /// Cancelled requests that the worker has not ended yet.
    private(set) var cancelled: Set<UInt32> = []

    /// Whether a request is pending.
    var isAwaited: Bool { !entries.isEmpty }
    /// Whether the worker has reported work on a pending request.
    var isAtWork: Bool { entries.values.contains { $0.progress == .atWork } }
    /// The engine and phase that a timeout is attributed to.
    private var occupation: (engine: Voice.Engine, phase: SynthesisError.Phase) {
        let works = entries.values.map(\.work)
        let engine = works.first?.engine ?? .piper
        if works.contains(where: { $0 == .opening || $0 == .introducing }) { return (engine, .loading) }
        let atWork = entries.values.filter { $0.progress == .atWork }.map(\.work)
        guard case .pronouncing? = atWork.first ?? works.first else { return (engine, .synthesizing) }
        return (engine, .phonemizing)
    }
    /// How far the engine is with a pending request.
    func progress(of request: UInt32) -> Progress? { entries[request]?.progress }

    /// The number of the next request.
    mutating func takeNumber() -> UInt32 {
        defer { nextNumber = nextNumber == .max ? 1 : nextNumber + 1 }
        return nextNumber
    }

    mutating func begin(_ work: Work, as request: UInt32) {
        entries[request] = Entry(work: work)
    }

    /// - Returns: Whether it was still pending.
    mutating func cancel(_ request: UInt32) -> Bool {
        guard entries.removeValue(forKey: request) != nil else { return false }
        cancelled.insert(request)
        return true
    }

    /// Handles a frame of the worker.
    ///
    /// - Returns: What the frame means for its request; `nil` if the caller need not know.
    /// - Throws: ``WorkerError/protocolViolation``; the frame's request then counts as the active one.
    mutating func receive(_ frame: Frame) throws(WorkerError) -> Event? {
        do {
            return try event(of: frame)
        } catch {
            if entries[frame.request] != nil { start(frame.request) }
            throw error
        }
    }

    private mutating func event(of frame: Frame) throws(WorkerError) -> Event? {
        let reply = try EngineReply(frame)
        if cancelled.contains(frame.request) {
            if case .alive = reply { finishSerialRequests() }
            if reply.isFinal { cancelled.remove(frame.request) }
            return nil
        }
        guard let work = entries[frame.request]?.work else { throw .protocolViolation }
        switch (reply, work) {
        case (.alive, _):
            start(frame.request)
            return nil
        case (.times(let times), .speaking):
            guard entries[frame.request]?.samples == 0 else { throw .protocolViolation }
            start(frame.request)
            return .piece(.times(times))
        case (.audio(let samples), .speaking):
            start(frame.request)
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

    static func answer(in event: Event) -> Result<Settlement, any Error>? {
        switch event {
        case .piece, .sound: nil
        case .settled(.failed(let error)): .failure(error)
        case .settled(let settlement): .success(settlement)
        }
    }

    func fault(afterSilenceOf timeout: Duration) -> ConnectionFault {
        .unresponsive(occupation.engine, occupation.phase)
    }

    /// Records that the engine works on `request`, and has finished with serial requests before it.
    private mutating func start(_ request: UInt32) {
        if entries[request]?.work.isSerial ?? false { finishSerialRequests() }
        entries[request]?.progress = .atWork
    }

    private mutating func finishSerialRequests() {
        for (request, entry) in entries where entry.work.isSerial && entry.progress == .atWork {
            entries[request]?.progress = .finished
        }
    }

    private mutating func count(_ samples: Int, of request: UInt32) throws(WorkerError) {
        guard entries[request]?.samples ?? 0 <= Self.maximumSamples - samples else { throw .protocolViolation }
        entries[request]?.samples += samples
    }
}

extension EngineReply {
    /// Whether it is the last reply to its request.
    fileprivate var isFinal: Bool {
        switch self {
        case .opened, .introduced, .pronounced, .said, .done, .failed: true
        case .times, .audio, .sound, .alive: false
        }
    }
}
