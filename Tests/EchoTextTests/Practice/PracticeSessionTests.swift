import Foundation
import Testing

@testable import EchoText

@Suite("Practice session")
struct PracticeSessionTests {
    /// A state reached by events, an event, the resulting actions, and the next state.
    struct Transition: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var settings = PracticeSettings()
        var known = 3
        var isComplete = true
        let reach: [PracticeEvent]
        let event: PracticeEvent
        let actions: [PracticeAction]
        let phase: PracticeSession.Phase
        let segment: Int

        /// A session in the state that is reached.
        func reached() -> PracticeRun {
            let run = PracticeRun(settings, known: known, isComplete: isComplete)
            for event in reach { run.on(event) }
            return run
        }
    }

    private static func row(
        _ name: String,
        _ reach: [PracticeEvent],
        _ event: PracticeEvent,
        _ actions: [PracticeAction],
        _ phase: PracticeSession.Phase,
        _ segment: Int = 1,
        known: Int = 3,
        isComplete: Bool = true
    ) -> Transition {
        Transition(
            testDescription: name,
            known: known,
            isComplete: isComplete,
            reach: reach,
            event: event,
            actions: actions,
            phase: phase,
            segment: segment
        )
    }

    private static let heard = PracticeEvent.playbackFinished(1, seconds: 2)
    private static let echo = [PracticeEvent.begin, heard]
    private static let play2 = [
        PracticeAction.play(2, segment: 2, rate: 0.5), .prepare(segment: 3, rate: 0.5),
    ]
    private static let playAfterEcho = [
        PracticeAction.play(3, segment: 2, rate: 0.5), .prepare(segment: 3, rate: 0.5),
    ]
    private static let last = [PracticeEvent.jump(3), .begin]
    private static let over: [PracticeAction] = [.signal(.finished), .summarize]
    private static let navigation = PracticeAction.signal(.navigation)

    private static let idle: [Transition] = [
        row("idle, begin", [], .begin, [.play(1, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)], .playing),
        row("idle, resume", [], .resume, [.play(1, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)], .playing),
        row("idle, pause", [], .pause, [], .idle),
        row("idle, interruption", [], .interrupt(.hidden), [], .idle),
        row("idle, next", [], .next, [navigation], .idle, 2),
        row("idle at the last, next", [.jump(3)], .next, [], .idle, 3),
        row("idle, previous", [], .previous, [navigation], .idle, 1),
        row("idle, jump", [], .jump(3), [navigation], .idle, 3),
        row("idle, sound ended", [], .playbackFinished(0, seconds: 1), [], .idle),
        row("idle, sound failed", [], .playbackFailed(0), [], .idle),
        row("idle, pause ended", [], .echoElapsed(0), [], .idle),
        row("idle, silence", [], .silenceHeard(0), [], .idle),
        row("idle, end", [], .end, over, .finished),
    ]

    private static let playing: [Transition] = [
        row(
            "playing, begin",
            [.begin],
            .begin,
            [.stopPlayback(1), .play(2, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)],
            .playing
        ),
        row(
            "playing, sound ended",
            [.begin],
            heard,
            [.signal(.segmentEnd), .startEcho(2, segment: 1, seconds: 2, longest: 2)],
            .echo
        ),
        row("playing, another sound ended", [.begin], .playbackFinished(7, seconds: 2), [], .playing),
        row("playing, sound failed", [.begin], .playbackFailed(1), [], .paused(in: .playing)),
        row("playing, pause ended", [.begin], .echoElapsed(1), [], .playing),
        row("playing, silence", [.begin], .silenceHeard(1), [], .playing),
        row("playing, pause", [.begin], .pause, [.suspendPlayback(1)], .paused(in: .playing)),
        row("playing, resume", [.begin], .resume, [], .playing),
        row("playing, interruption", [.begin], .interrupt(.locked), [.suspendPlayback(1)], .paused(in: .playing)),
        row("playing, next", [.begin], .next, [.stopPlayback(1), navigation] + play2, .playing, 2),
        row("playing the last, next", last, .next, [.stopPlayback(1)] + over, .finished, 3),
        row(
            "playing, previous",
            [.begin, .next],
            .previous,
            [.stopPlayback(2), navigation, .play(3, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)],
            .playing
        ),
        row("playing, jump", [.begin], .jump(2), [.stopPlayback(1), navigation] + play2, .playing, 2),
        row(
            "playing, jump too far",
            [.begin],
            .jump(99),
            [.stopPlayback(1), navigation, .play(2, segment: 3, rate: 0.5)],
            .playing,
            3
        ),
        row("playing, end", [.begin], .end, [.stopPlayback(1)] + over, .finished),
    ]

    private static let inEcho: [Transition] = [
        row(
            "echo, begin",
            echo,
            .begin,
            [.stopEcho(2, keepsTake: false), .play(3, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)],
            .playing
        ),
        row("echo, ended", echo, .echoElapsed(2), [.stopEcho(2, keepsTake: false)] + playAfterEcho, .playing, 2),
        row("echo, sound ended late", echo, heard, [], .echo),
        row("echo, sound failed late", echo, .playbackFailed(1), [], .echo),
        row("echo, silence where none is waited for", echo, .silenceHeard(2), [], .echo),
        row("echo, pause", echo, .pause, [.suspendEcho(2)], .paused(in: .echo)),
        row("echo, resume", echo, .resume, [], .echo),
        row("echo, interruption", echo, .interrupt(.deviceLost), [.suspendEcho(2)], .paused(in: .echo)),
        row(
            "echo, next",
            echo,
            .next,
            [.stopEcho(2, keepsTake: false), navigation] + playAfterEcho,
            .playing,
            2
        ),
        row(
            "echo, previous",
            echo,
            .previous,
            [
                .stopEcho(2, keepsTake: false), navigation, .play(3, segment: 1, rate: 0.5),
                .prepare(segment: 2, rate: 0.5),
            ],
            .playing
        ),
        row("echo, jump", echo, .jump(2), [.stopEcho(2, keepsTake: false), navigation] + playAfterEcho, .playing, 2),
        row("echo, end", echo, .end, [.stopEcho(2, keepsTake: false)] + over, .finished),
        row(
            "last echo, ended",
            last + [heard],
            .echoElapsed(2),
            [.stopEcho(2, keepsTake: false)] + over,
            .finished,
            3
        ),
    ]

    private static let pausedSound = [PracticeEvent.begin, .pause]
    private static let pausedEcho = echo + [.pause]
    private static let paused: [Transition] = [
        row("paused in a sound, resume", pausedSound, .resume, [.resumePlayback(1)], .playing),
        row("paused in a sound, pause", pausedSound, .pause, [], .paused(in: .playing)),
        row("paused in a sound, interruption", pausedSound, .interrupt(.hidden), [], .paused(in: .playing)),
        row("paused in a sound, sound ended", pausedSound, heard, [.signal(.segmentEnd)], .paused(in: .echo)),
        row("paused in a sound, sound failed", pausedSound, .playbackFailed(1), [], .paused(in: .playing)),
        row("paused in a sound, next", pausedSound, .next, [.stopPlayback(1), navigation], .paused(in: .playing), 2),
        row(
            "paused in a sound, previous",
            [.begin, .next, .pause],
            .previous,
            [.stopPlayback(2), navigation],
            .paused(in: .playing)
        ),
        row(
            "paused in a sound, jump",
            pausedSound,
            .jump(3),
            [.stopPlayback(1), navigation],
            .paused(in: .playing),
            3
        ),
        row("paused in a sound, pause ended", pausedSound, .echoElapsed(1), [], .paused(in: .playing)),
        row("paused in a sound, silence", pausedSound, .silenceHeard(1), [], .paused(in: .playing)),
        row("paused and moved forward, resume", pausedSound + [.next], .resume, play2, .playing, 2),
        row(
            "paused in a sound, begin",
            pausedSound,
            .begin,
            [.stopPlayback(1), .play(2, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)],
            .playing
        ),
        row("paused in a sound, end", pausedSound, .end, [.stopPlayback(1)] + over, .finished),
        row(
            "failed, resume",
            [.begin, .playbackFailed(1)],
            .resume,
            [
                .play(2, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5),
            ],
            .playing
        ),
        row("failed, next", [.begin, .playbackFailed(1)], .next, [navigation], .paused(in: .playing), 2),
        row("paused in an echo, resume", pausedEcho, .resume, [.resumeEcho(2, remaining: 2)], .echo),
        row("paused in an echo, pause", pausedEcho, .pause, [], .paused(in: .echo)),
        row(
            "paused in an echo, ended",
            pausedEcho,
            .echoElapsed(2),
            [.stopEcho(2, keepsTake: false)],
            .paused(in: .playing),
            2
        ),
        row(
            "paused in an echo, jump",
            pausedEcho,
            .jump(3),
            [.stopEcho(2, keepsTake: false), navigation],
            .paused(in: .playing),
            3
        ),
        row(
            "paused in an echo, begin",
            pausedEcho,
            .begin,
            [.stopEcho(2, keepsTake: false), .play(3, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)],
            .playing
        ),
        row("paused in an echo, sound ended late", pausedEcho, heard, [], .paused(in: .echo)),
        row("paused in an echo, sound failed late", pausedEcho, .playbackFailed(1), [], .paused(in: .echo)),
        row("paused in an echo, silence", pausedEcho, .silenceHeard(2), [], .paused(in: .echo)),
        row("paused in an echo, interruption", pausedEcho, .interrupt(.hidden), [], .paused(in: .echo)),
        row(
            "paused in an echo, next",
            pausedEcho,
            .next,
            [.stopEcho(2, keepsTake: false), navigation],
            .paused(in: .playing),
            2
        ),
        row(
            "paused in an echo, previous",
            pausedEcho,
            .previous,
            [.stopEcho(2, keepsTake: false), navigation],
            .paused(in: .playing)
        ),
        row("paused in an echo, end", pausedEcho, .end, [.stopEcho(2, keepsTake: false)] + over, .finished),
        row(
            "paused before an echo, resume",
            pausedSound + [heard],
            .resume,
            [
                .startEcho(2, segment: 1, seconds: 2, longest: 2)
            ],
            .echo
        ),
    ]

    private static let ended: [PracticeEvent] = [.begin, .end]
    private static let finished: [Transition] = [
        row(
            "finished, begin",
            ended,
            .begin,
            [.play(2, segment: 1, rate: 0.5), .prepare(segment: 2, rate: 0.5)],
            .playing
        ),
        row("finished, jump", ended, .jump(2), [navigation] + play2, .playing, 2),
        row("finished, previous", ended, .previous, [navigation, .play(2, segment: 3, rate: 0.5)], .playing, 3),
        row("finished, next", ended, .next, [], .finished),
        row("finished, resume", ended, .resume, [], .finished),
        row("finished, pause", ended, .pause, [], .finished),
        row("finished, interruption", ended, .interrupt(.hidden), [], .finished),
        row("finished, sound ended", ended, heard, [], .finished),
        row("finished, sound failed", ended, .playbackFailed(1), [], .finished),
        row("finished, pause ended", ended, .echoElapsed(1), [], .finished),
        row("finished, silence", ended, .silenceHeard(1), [], .finished),
        row("finished, end", ended, .end, [], .finished),
    ]

    private static let faster = PracticeEvent.setSettings(.with { $0.rate = 0.8 })
    private static let prepareFaster = [PracticeAction.prepare(segment: 2, rate: 0.8)]
    private static let settings: [Transition] = [
        row("idle, settings", [], faster, [], .idle),
        row("playing, settings", [.begin], faster, prepareFaster, .playing),
        row("echo, settings", echo, faster, prepareFaster, .echo),
        row("paused in a sound, settings", pausedSound, faster, prepareFaster, .paused(in: .playing)),
        row("paused in an echo, settings", pausedEcho, faster, prepareFaster, .paused(in: .echo)),
        row("finished, settings", ended, faster, [], .finished),
    ]

    /// The events and actions when the rest of a text becomes known.
    private static func learning(
        _ name: String,
        _ reach: [PracticeEvent],
        _ actions: [PracticeAction],
        _ phase: PracticeSession.Phase
    ) -> Transition {
        row(
            "\(name), segments known",
            reach,
            .segmentsKnown(3, isComplete: true),
            actions,
            phase,
            known: 1,
            isComplete: false
        )
    }

    private static let prepare2 = [PracticeAction.prepare(segment: 2, rate: 0.5)]
    private static let learned: [Transition] = [
        learning("idle", [], [], .idle),
        learning("playing", [.begin], prepare2, .playing),
        learning("echo", echo, prepare2, .echo),
        learning("paused in a sound", pausedSound, prepare2, .paused(in: .playing)),
        learning("paused in an echo", pausedEcho, prepare2, .paused(in: .echo)),
        learning("finished", ended, [], .finished),
    ]

    private static let table: [Transition] = [idle, playing, inEcho, paused, finished, settings, learned].flatMap { $0 }

    @Test("has a row for every event in every state")
    func completeness() {
        var events: [PracticeSession.Phase: Set<PracticeEvent.Kind>] = [:]
        for transition in Self.table {
            events[transition.reached().session.phase, default: []].insert(transition.event.kind)
        }
        for phase in [.idle, .playing, .echo, .paused(in: .playing), .paused(in: .echo), .finished]
            as [PracticeSession.Phase]
        {
            let missing = Set(PracticeEvent.Kind.allCases).subtracting(events[phase] ?? [])
            #expect(missing.isEmpty, "\(phase)")
        }
    }

    @Test("goes from state to state", arguments: table)
    func transitions(_ transition: Transition) {
        let run = transition.reached()
        #expect(run.on(transition.event) == transition.actions)
        #expect(run.session.phase == transition.phase)
        #expect(run.session.position.segment == transition.segment)
    }

    @Test("says why it paused by itself until it continues")
    func interruption() {
        let run = PracticeRun()
        run.on(.begin)
        run.on(.interrupt(.deviceLost))
        #expect(run.session.interruption == .deviceLost)
        run.on(.resume)
        #expect(run.session.interruption == nil)
    }

    @Test("continues with what was left of a pause, whatever the clock does")
    func pausedEcho() {
        let run = PracticeRun(.with { $0.factor = 1.5 })
        run.on(.begin)
        #expect(run.finishSound(4).contains(.startEcho(2, segment: 1, seconds: 6, longest: 6)))
        run.on(.pause, after: 2.5)
        #expect(run.session.remainingEcho == 3.5)
        #expect(run.on(.resume, after: 60) == [.resumeEcho(2, remaining: 3.5)])
        run.on(.pause, after: -5)
        #expect(run.session.remainingEcho == 3.5)
        run.on(.resume)
        run.on(.pause, after: 100)
        #expect(run.on(.resume) == [.resumeEcho(2, remaining: 0)])
    }

    @Test("is idle at the same place in another process")
    func restored() throws {
        let run = PracticeRun()
        for event in [PracticeEvent.begin, .next, .pause] { run.on(event) }
        let written = try JSONEncoder().encode(run.session)
        run.session = try JSONDecoder().decode(PracticeSession.self, from: written).restored()
        run.seconds = 0
        #expect(run.session.phase == .idle)
        #expect(run.on(.resume) == [.play(3, segment: 2, rate: 0.5), .prepare(segment: 3, rate: 0.5)])
        run.on(.end)
        #expect(run.session.restored().phase == .finished)
    }

    @Test("continues in another process whatever numbers were stored", arguments: [Int.max, Int.min])
    func damaged(number: Int) throws {
        let run = PracticeRun(.with { $0.faster = true }, known: 2, isComplete: false)
        for event in [PracticeEvent.begin, .next, .pause] { run.on(event) }
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(run.session))
        var fields = try #require(written as? [String: Any])
        var course = try #require(fields["course"] as? [String: Any])
        course["position"] = ["segment": number, "repetition": number, "pass": number]
        (course["known"], course["origin"]) = (number, number)
        (fields["course"], fields["token"], fields["heard"]) = (course, number, -1e300)
        let read = try JSONDecoder().decode(
            PracticeSession.self,
            from: JSONSerialization.data(withJSONObject: fields)
        )
        run.session = read.restored()
        run.seconds = 0
        for event in [PracticeEvent.resume, .next, .previous, .jump(Int.max), .next, .jump(Int.min)] { run.on(event) }
        run.finishSound()
        run.finishEcho()
        run.on(.segmentsKnown(3, isComplete: true))
        #expect((1...3).contains(run.session.position.segment))
        #expect(PracticeSettings.rates.contains(run.session.rate))
    }
}

extension PracticeEvent {
    fileprivate enum Kind: CaseIterable {
        case begin, playbackFinished, playbackFailed, echoElapsed, silenceHeard, pause, resume, interrupt
        case next, previous, jump, setSettings, segmentsKnown, end
    }

    fileprivate var kind: Kind {
        switch self {
        case .begin: .begin
        case .playbackFinished: .playbackFinished
        case .playbackFailed: .playbackFailed
        case .echoElapsed: .echoElapsed
        case .silenceHeard: .silenceHeard
        case .pause: .pause
        case .resume: .resume
        case .interrupt: .interrupt
        case .next: .next
        case .previous: .previous
        case .jump: .jump
        case .setSettings: .setSettings
        case .segmentsKnown: .segmentsKnown
        case .end: .end
        }
    }
}
