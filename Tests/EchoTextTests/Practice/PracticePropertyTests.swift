import EchoTextTesting
import Testing

@testable import EchoText

@Suite("Any practice")
struct PracticePropertyTests {
    /// Determines the active sound or pause from the actions alone.
    private struct Performer {
        var sound: Int?
        var echo: Int?
        /// Whether the pause has no length of its own, and ends with the silence of the speaker.
        var isUntilSilence = false
        var isSuspended = false

        /// Whether the speaker's silence ends a pause that lasts until then.
        func canGoOn(_ session: PracticeSession) -> Bool {
            guard let echo, isUntilSilence else { return true }
            var later = session
            return !later.handle(.silenceHeard(echo), at: .zero).isEmpty
        }

        /// Whether actions after a change of the settings begin a pause again only if it waits for the speaker.
        func staysTimed(_ actions: [PracticeAction]) -> Bool {
            guard echo != nil, !isUntilSilence else { return true }
            return !actions.contains { if case .startEcho = $0 { true } else { false } }
        }

        /// - Returns: Whether at most one is active, and each action concerns the active one.
        mutating func perform(_ action: PracticeAction) -> Bool {
            switch action {
            case .play(let token, _, _):
                guard sound == nil, echo == nil else { return false }
                (sound, isSuspended) = (token, false)
            case .startEcho(let token, _, let seconds, _):
                guard sound == nil, echo == nil else { return false }
                (echo, isUntilSilence, isSuspended) = (token, seconds == nil, false)
            case .suspendPlayback(let token): return token == sound && suspend()
            case .resumePlayback(let token): return token == sound && resume()
            case .suspendEcho(let token): return token == echo && suspend()
            case .resumeEcho(let token, let remaining): return token == echo && remaining >= 0 && resume()
            case .stopPlayback(let token):
                guard token == sound else { return false }
                sound = nil
            case .stopEcho(let token, _):
                guard token == echo else { return false }
                echo = nil
            case .prepare, .signal, .summarize: break
            }
            return true
        }

        private mutating func suspend() -> Bool {
            defer { isSuspended = true }
            return !isSuspended
        }

        private mutating func resume() -> Bool {
            defer { isSuspended = false }
            return isSuspended
        }
    }

    private static func settings(_ random: inout SeededNumbers) -> PracticeSettings {
        .with {
            $0.rate = Double.random(in: 0.1...1, using: &random)
            $0.granularity = Int.random(in: 0..<8, using: &random) == 0 ? .paragraph : .sentence
            $0.echo = PracticeSettings.Echo.allCases.randomElement(using: &random) ?? .off
            $0.factor = Double.random(in: 0.5...3, using: &random)
            $0.repeats = Int.random(in: 1...3, using: &random)
            $0.order = PracticeSettings.Order.allCases.randomElement(using: &random) ?? .together
            $0.faster = Bool.random(using: &random)
            $0.records = Bool.random(using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                let first = Int.random(in: 1...6, using: &random)
                $0.loop = PracticeLoop(first: first, last: first + Int.random(in: 0...3, using: &random))
            }
        }
    }

    private static func event(_ run: PracticeRun, _ random: inout SeededNumbers) -> PracticeEvent {
        let token = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 0...9, using: &random) : run.token
        switch Int.random(in: 0..<26, using: &random) {
        case 0: return .begin
        case 1..<8: return .playbackFinished(token, seconds: Double.random(in: 0...9, using: &random))
        case 8: return .playbackFailed(token)
        case 9..<14: return .echoElapsed(token)
        case 14: return .silenceHeard(token)
        case 15: return .pause
        case 16, 17: return .resume
        case 18: return .interrupt([.hidden, .deviceLost, .locked].randomElement(using: &random) ?? .hidden)
        case 19: return .next
        case 20: return .previous
        case 21: return .jump(Int.random(in: -1...12, using: &random))
        case 22: return .setSettings(settings(&random), segment: Int.random(in: 1...4, using: &random))
        case 23, 24:
            let known = Int.random(in: 0...9, using: &random)
            return .segmentsKnown(known, isComplete: Int.random(in: 0..<4, using: &random) == 0)
        default: return Int.random(in: 0..<6, using: &random) == 0 ? .end : .resume
        }
    }

    private static func start(_ random: inout SeededNumbers) -> PracticeRun {
        PracticeRun(
            settings(&random),
            from: Int.random(in: 1...4, using: &random),
            known: Int.random(in: 0...8, using: &random),
            isComplete: Bool.random(using: &random)
        )
    }

    private static func isValid(_ session: PracticeSession) -> Bool {
        let place = session.position
        let last = session.isComplete ? max(1, session.known) : session.known + 1
        return (1...last).contains(place.segment) && place.pass >= 1
            && (1...PracticeSettings.repetitions.upperBound).contains(place.repetition)
            && PracticeSettings.rates.contains(session.rate) && (session.remainingEcho ?? 0) >= 0
    }

    @Test("has one sound at most and a valid place, and comes to its end from anywhere", arguments: 0..<10)
    func sequences(_ part: Int) throws {
        for number in 0..<1_000 {
            var random = SeededNumbers(seed: UInt64(part * 1_000 + number))
            let run = Self.start(&random)
            var performer = Performer()
            func check(_ actions: [PracticeAction], _ event: PracticeEvent) throws {
                let staysTimed = performer.staysTimed(actions)
                try #require(staysTimed, "a timed pause begins again after \(event), seed \(part * 1_000 + number)")
                for action in actions {
                    let isPossible = performer.perform(action)
                    try #require(isPossible, "\(action) after \(event), seed \(part * 1_000 + number)")
                }
                try #require(Self.isValid(run.session), "\(run.session) after \(event), seed \(part * 1_000 + number)")
                let canGoOn = performer.canGoOn(run.session)
                try #require(canGoOn, "the silence ends no pause after \(event), seed \(part * 1_000 + number)")
            }
            for _ in 0..<Int.random(in: 5...60, using: &random) {
                let event = Self.event(run, &random)
                let actions = run.on(event, after: Double.random(in: -1...3, using: &random))
                switch event {
                case .playbackFinished(let token, _), .playbackFailed(let token):
                    if token == performer.sound { performer.sound = nil }
                default: break
                }
                try check(actions, event)
            }
            let granularity = run.session.settings.granularity
            run.on(.setSettings(.with { $0.granularity = granularity }))
            run.on(.segmentsKnown(max(9, run.session.known), isComplete: true))
            if run.session.phase == .idle { run.on(.begin) }
            _ = run.playThrough()
            try #require(run.session.phase == .finished, "seed \(part * 1_000 + number)")
        }
    }

    @Test("is the same with pauses that are ended at once", arguments: 0..<10)
    func pauses(_ part: Int) throws {
        for seed in part * 1_000..<(part + 1) * 1_000 {
            var random = SeededNumbers(seed: UInt64(seed))
            let plain = Self.start(&random)
            let paused = PracticeRun()
            paused.session = plain.session
            for _ in 0..<40 {
                let event = Self.event(plain, &random)
                let wait = Double.random(in: 0...3, using: &random)
                if [.playing, .echo].contains(paused.session.phase) {
                    paused.on(.pause)
                    paused.on(.resume)
                }
                let actions = (plain.on(event, after: wait), paused.on(event, after: wait))
                try #require(actions.0.map(\.rounded) == actions.1.map(\.rounded), "seed \(seed)")
                let (one, other) = (plain.session, paused.session)
                try #require(one.phase == other.phase && one.position == other.position, "seed \(seed)")
                let left = (one.remainingEcho ?? 0) - (other.remainingEcho ?? 0)
                try #require(abs(left) < 1e-6, "seed \(seed)")
            }
        }
    }
}

extension PracticeAction {
    /// Without the rounding errors of different orders of addition.
    fileprivate var rounded: PracticeAction {
        guard case .resumeEcho(let token, let remaining) = self else { return self }
        return .resumeEcho(token, remaining: (remaining * 1e6).rounded() / 1e6)
    }
}
