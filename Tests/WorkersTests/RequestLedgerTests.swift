import EchoText
import Testing

@testable import Workers

@Suite("Request ledger")
struct RequestLedgerTests {
    @Test func `hands each request's sound on by itself`() throws {
        var ledger = RequestLedger()
        let (one, two) = (ledger.takeNumber(), ledger.takeNumber())
        ledger.begin(.speaking, as: one)
        ledger.begin(.speaking, as: two)
        #expect(!ledger.isAtWork)
        let pieces: [(EngineReply, UInt32, AcousticPiece)] = [
            (.times([0, 2, 3]), one, .times([0, 2, 3])), (.audio([1, 2]), one, .samples([1, 2])),
            (.audio([9]), two, .samples([9])), (.audio([3]), one, .samples([3])),
        ]
        for (reply, request, expected) in pieces {
            guard case .piece(expected) = try ledger.receive(reply.frame(request: request)) else {
                Issue.record("\(expected) is not handed on")
                continue
            }
        }
        #expect(ledger.isAtWork)
        guard case .settled(.spoken) = try ledger.receive(EngineReply.done.frame(request: one)) else {
            Issue.record("the first request is complete")
            return
        }
        #expect(ledger.isAwaited)
        _ = try ledger.receive(EngineReply.done.frame(request: two))
        #expect(!ledger.isAwaited)
    }

    @Test func `ignores a cancelled request until the worker ends it`() throws {
        var ledger = RequestLedger()
        let request = ledger.takeNumber()
        ledger.begin(.speaking, as: request)
        let first = ledger.cancel(request)
        #expect(first)
        let again = ledger.cancel(request)
        #expect(!again)
        let heard = try ledger.receive(EngineReply.audio([1]).frame(request: request))
        #expect(heard.isNothing)
        #expect(ledger.cancelled == [request])
        let ended = try ledger.receive(EngineReply.failed(.cancelled).frame(request: request))
        #expect(ended.isNothing)
        #expect(ledger.cancelled.isEmpty)
        #expect(throws: WorkerError.protocolViolation) {
            try ledger.receive(EngineReply.done.frame(request: request))
        }
    }

    @Test func `refuses answers to another question`() throws {
        let voice = try OpenedVoice(sampleRate: 16_000, speakers: 1, layout: .parts)
        for (work, reply) in [
            (RequestLedger.Work.opening, EngineReply.done), (.opening, .audio([1])), (.speaking, .opened(voice)),
            (.opening, .times([0])),
        ] {
            var ledger = RequestLedger()
            let request = ledger.takeNumber()
            ledger.begin(work, as: request)
            #expect(throws: WorkerError.protocolViolation) { try ledger.receive(reply.frame(request: request)) }
            #expect(throws: WorkerError.protocolViolation) { try ledger.receive(reply.frame(request: request + 1)) }
        }
    }

    @Test func `refuses times after sound`() throws {
        var ledger = RequestLedger()
        let request = ledger.takeNumber()
        ledger.begin(.speaking, as: request)
        _ = try ledger.receive(EngineReply.audio([1]).frame(request: request))
        #expect(throws: WorkerError.protocolViolation) {
            try ledger.receive(EngineReply.times([0, 1]).frame(request: request))
        }
    }

    @Test func `has the rule-based engine at the request that it began with last`() throws {
        var ledger = RequestLedger()
        let requests = (0..<3).map { _ in ledger.takeNumber() }
        for request in requests { ledger.begin(.saying, as: request) }
        let alive = EngineReply.alive
        #expect(try ledger.receive(alive.frame(request: requests[0])).isNothing)
        #expect(requests.map { ledger.progress(of: $0) } == [.atWork, .waiting, .waiting])
        #expect(try ledger.receive(alive.frame(request: requests[1])).isNothing)
        #expect(requests.map { ledger.progress(of: $0) } == [.finished, .atWork, .waiting])
        // The reply to the first request follows, and does not show what the engine is working on.
        guard case .sound([1, 2]) = try ledger.receive(EngineReply.sound([1, 2]).frame(request: requests[0])) else {
            Issue.record("it is no sound")
            return
        }
        #expect(requests.map { ledger.progress(of: $0) } == [.finished, .atWork, .waiting])
        guard case .settled(.said) = try ledger.receive(EngineReply.said([]).frame(request: requests[0])) else {
            Issue.record("it has not ended")
            return
        }
        #expect(requests.map { ledger.progress(of: $0) } == [nil, .atWork, .waiting])
    }

    @Test func `holds an invalid reply against its own request`() throws {
        var ledger = RequestLedger()
        let requests = (0..<2).map { _ in ledger.takeNumber() }
        for request in requests {
            ledger.begin(.saying, as: request)
            _ = try ledger.receive(EngineReply.alive.frame(request: request))
        }
        let mark = TimedWord(source: 0..<1, samples: 0..<9, precision: .exact)
        #expect(throws: WorkerError.protocolViolation) {
            try ledger.receive(EngineReply.said([mark]).frame(request: requests[0]))
        }
        #expect(requests.map { ledger.progress(of: $0) } == [.atWork, .finished])
    }

    @Test func `learns from a cancelled request that the engine has started that the one before is finished`() throws {
        var ledger = RequestLedger()
        let requests = (0..<2).map { _ in ledger.takeNumber() }
        for request in requests { ledger.begin(.saying, as: request) }
        _ = try ledger.receive(EngineReply.alive.frame(request: requests[0]))
        let wasPending = ledger.cancel(requests[1])
        #expect(wasPending)
        _ = try ledger.receive(EngineReply.alive.frame(request: requests[1]))
        #expect(ledger.progress(of: requests[0]) == .finished && !ledger.isAtWork)
    }

    @Test func `refuses sound without end`() throws {
        var ledger = RequestLedger()
        let request = ledger.takeNumber()
        ledger.begin(.speaking, as: request)
        let piece = EngineReply.audio(Array(repeating: 0, count: 1 << 20)).frame(request: request)
        for _ in 0..<RequestLedger.maximumSamples >> 20 { _ = try ledger.receive(piece) }
        #expect(throws: WorkerError.protocolViolation) { try ledger.receive(piece) }
    }
}

extension RequestLedger.Event? {
    /// Some carry errors, which cannot be compared.
    fileprivate var isNothing: Bool {
        if case .none = self { true } else { false }
    }
}
