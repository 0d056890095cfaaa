import Testing

@testable import EchoText

@Suite("Order of practice")
struct PracticeOrderTests {
    @Test("repeats each segment before the next, each time faster if that is wished")
    func repetitions() {
        let run = PracticeRun(
            .with {
                $0.repeats = 3
                $0.faster = true
            },
            known: 2
        )
        run.on(.begin)
        var rates: [Double] = []
        while run.session.phase != .finished {
            rates.append(run.session.rate)
            run.finishSound()
            run.finishEcho()
        }
        #expect(rates == [0.5, 0.55, 0.6, 0.5, 0.55, 0.6])
    }

    @Test("is never faster than the fastest")
    func fastest() {
        let run = PracticeRun(
            .with {
                $0.rate = 0.9
                $0.repeats = 10
                $0.faster = true
            }
        )
        run.on(.begin)
        for _ in 0..<9 {
            run.finishSound()
            run.finishEcho()
        }
        #expect(run.session.rate == 1)
    }

    @Test("practices a loop again and again until it is taken away")
    func loop() {
        let run = PracticeRun(
            .with {
                $0.loop = PracticeLoop(first: 2, last: 3)
                $0.faster = true
            },
            known: 4
        )
        run.on(.jump(2))
        run.on(.begin)
        var heard: [Int] = []
        for _ in 0..<5 {
            heard.append(run.session.position.segment)
            run.finishSound()
            run.finishEcho()
        }
        #expect(heard == [2, 3, 2, 3, 2])
        #expect(run.session.position == .init(segment: 3, repetition: 1, pass: 3))
        #expect(run.session.rate == 0.6)
        run.on(.setSettings(PracticeSettings()))
        #expect(run.playThrough() == [3, 4])
    }

    @Test("stays in a loop when it is skipped in, and comes back from outside it")
    func skippingInLoop() {
        let run = PracticeRun(.with { $0.loop = PracticeLoop(first: 2, last: 3) }, known: 5)
        run.on(.jump(3))
        run.on(.begin)
        run.on(.next)
        #expect(run.session.position == .init(segment: 2, repetition: 1, pass: 2))
        run.on(.previous)
        #expect(run.session.position.segment == 2)
        run.on(.jump(5))
        run.on(.next)
        #expect(run.session.position.segment == 2)
    }

    @Test("loops as far as the text goes")
    func loopBeyondTheEnd() {
        let run = PracticeRun(.with { $0.loop = PracticeLoop(first: 2, last: 9) }, known: 3)
        run.on(.jump(3))
        run.on(.begin)
        run.on(.next)
        #expect(run.session.position.segment == 2)
        run.on(.setSettings(.with { $0.loop = PracticeLoop(first: 7, last: 9) }))
        #expect(run.playThrough() == [2, 3])
    }

    @Test("reads along without pauses")
    func together() {
        let run = PracticeRun(.with { $0.order = .together })
        run.on(.begin)
        #expect(
            run.finishSound() == [
                .signal(.segmentEnd), .play(2, segment: 2, rate: 0.5), .prepare(segment: 3, rate: 0.5),
            ]
        )
        #expect(run.playThrough() == [2, 3])
    }

    @Test("reads everything once, and then with pauses")
    func listenFirst() {
        let run = PracticeRun(
            .with {
                $0.order = .listenFirst
                $0.repeats = 2
            },
            from: 2
        )
        run.on(.begin)
        var phases: [String] = []
        while run.session.phase != .finished {
            phases.append("\(run.session.phase)\(run.session.position.segment)")
            if run.session.phase == .playing { run.finishSound() } else { run.finishEcho() }
        }
        #expect(
            phases == [
                "playing2", "playing3", "playing2", "echo2", "playing2", "echo2", "playing3", "echo3", "playing3",
                "echo3",
            ]
        )
    }

    @Test("waits for silence, but not forever")
    func waiting() {
        let run = PracticeRun(
            .with {
                $0.echo = .wait
                $0.records = true
            }
        )
        run.on(.begin)
        #expect(run.finishSound(5).last == .startEcho(2, segment: 1, seconds: nil, longest: 20))
        #expect(run.on(.silenceHeard(2), after: 3).first == .stopEcho(2, keepsTake: true))
        #expect(run.finishSound(1).last == .startEcho(4, segment: 2, seconds: nil, longest: 10))
        #expect(run.on(.echoElapsed(4), after: 10).first == .stopEcho(4, keepsTake: true))
    }

    @Test("times a pause again that is not to wait for silence any more, at once or when it continues")
    func noLongerWaiting() {
        let timed = PracticeEvent.setSettings(PracticeSettings())
        let restarted = PracticeAction.startEcho(3, segment: 1, seconds: 2, longest: 2)
        for isPaused in [false, true] {
            let run = PracticeRun(.with { $0.echo = .wait })
            run.on(.begin)
            run.finishSound(2)
            if isPaused { run.on(.pause, after: 1) }
            let actions = run.on(timed, after: 1)
            #expect(actions == [.stopEcho(2, keepsTake: false)] + (isPaused ? [] : [restarted]))
            if isPaused { #expect(run.on(.resume) == [restarted]) }
            #expect(run.on(.silenceHeard(2)).isEmpty)
            #expect(run.finishEcho().contains(.play(4, segment: 2, rate: 0.5)))
        }
    }

    @Test("leaves a timed pause as it is when it is to wait for silence after all, and then not")
    func brieflyWaiting() {
        let run = PracticeRun()
        run.on(.begin)
        run.finishSound(2)
        #expect(run.on(.setSettings(.with { $0.echo = .wait }), after: 1).isEmpty)
        #expect(run.on(.setSettings(PracticeSettings())).isEmpty)
        #expect(run.session.remainingEcho == 1)
        #expect(run.finishEcho(after: 1).contains(.play(3, segment: 2, rate: 0.5)))
    }

    @Test("keeps the take of who moves forward, and not of who goes back")
    func takes() {
        for (event, keeps) in [(PracticeEvent.next, true), (.previous, false), (.jump(1), false), (.end, false)] {
            let run = PracticeRun(.with { $0.records = true })
            run.on(.begin)
            run.finishSound()
            #expect(run.on(event, after: 1).first == .stopEcho(2, keepsTake: keeps))
        }
    }

    @Test("continues at once when pauses are turned off in one")
    func echoTurnedOff() {
        let run = PracticeRun(.with { $0.records = true })
        run.on(.begin)
        run.finishSound()
        let actions = run.on(.setSettings(.with { $0.echo = .off }))
        #expect(actions.prefix(2) == [.stopEcho(2, keepsTake: false), .play(3, segment: 2, rate: 0.5)])
    }

    @Test("prepares the next segment again at another rate, and plays it so")
    func rate() {
        let run = PracticeRun()
        run.on(.begin)
        #expect(run.on(.setSettings(.with { $0.rate = 0.8 })) == [.prepare(segment: 2, rate: 0.8)])
        run.finishSound()
        #expect(run.finishEcho().contains(.play(3, segment: 2, rate: 0.8)))
    }

    @Test("takes no settings that cannot be")
    func invalidSettings() {
        let run = PracticeRun()
        run.on(.begin)
        #expect(run.on(.setSettings(.with { $0.rate = 2 })).isEmpty)
        #expect(run.session.settings == PracticeSettings())
    }

    @Test("begins its place again when the text is cut otherwise")
    func granularity() {
        let run = PracticeRun(.with { $0.loop = PracticeLoop(first: 1, last: 3) }, known: 9)
        run.on(.jump(7))
        run.on(.begin)
        let paragraphs = PracticeSettings.with {
            $0.granularity = .paragraph
            $0.loop = PracticeLoop(first: 1, last: 3)
        }
        #expect(run.on(.setSettings(paragraphs, segment: 2)) == [.stopPlayback(1), .play(2, segment: 2, rate: 0.5)])
        #expect(run.session.settings.loop == nil)
        #expect(run.on(.segmentsKnown(3, isComplete: true)) == [.prepare(segment: 3, rate: 0.5)])
        #expect(run.playThrough() == [2, 3])
    }
}

@Suite("Practice of a text that is read as it goes")
struct PracticeReadingTests {
    @Test("has the next segment prepared once it is known")
    func becomingKnown() {
        let run = PracticeRun(known: 1, isComplete: false)
        #expect(run.on(.begin) == [.play(1, segment: 1, rate: 0.5)])
        #expect(run.on(.segmentsKnown(5, isComplete: false)) == [.prepare(segment: 2, rate: 0.5)])
        #expect(run.on(.segmentsKnown(9, isComplete: false)).isEmpty)
    }

    @Test("finishes when the segment it has begun proves not to be there")
    func noSuchSegment() {
        let run = PracticeRun(known: 1, isComplete: false)
        run.on(.begin)
        run.finishSound()
        #expect(run.finishEcho().last == .play(3, segment: 2, rate: 0.5))
        #expect(run.on(.segmentsKnown(1, isComplete: true)) == [.stopPlayback(3), .signal(.finished), .summarize])
        #expect(run.session.position.segment == 1)
    }

    @Test("begins its second reading when the first proves to be over")
    func secondReading() {
        let run = PracticeRun(.with { $0.order = .listenFirst }, known: 1, isComplete: false)
        run.on(.begin)
        run.finishSound()
        #expect(run.on(.segmentsKnown(1, isComplete: true)) == [.stopPlayback(2), .play(3, segment: 1, rate: 0.5)])
        #expect(run.session.position.pass == 2)
    }

    @Test("skips no further than one segment beyond those it knows")
    func skippingAhead() {
        let run = PracticeRun(known: 2, isComplete: false)
        run.on(.begin)
        for _ in 0..<9 { run.on(.next) }
        #expect(run.session.position.segment == 3)
        run.finishSound()
        run.finishEcho()
        #expect(run.session.position.segment == 4)
    }

    @Test("finishes at once without segments")
    func empty() {
        let run = PracticeRun(known: 0)
        #expect(run.on(.begin) == [.signal(.finished), .summarize])
        #expect(run.on(.begin).isEmpty)
        #expect(run.on(.jump(1)).isEmpty)
        let other = PracticeRun(known: 0, isComplete: false)
        other.on(.begin)
        #expect(other.on(.segmentsKnown(0, isComplete: true)) == [.stopPlayback(1), .signal(.finished), .summarize])
    }
}
