import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import EchoText

@Suite("Practice sessions", .endsInTime)
struct PracticeSessionsTests {
    private static let text = "The keeper sleeps. Waves come in. It is night. The lamp turns. Dawn comes."
    static let voices = [ScriptedSynthesizer.narrator, ScriptedSynthesizer.actor]

    /// A library for practice, with a record of what was synthesized.
    final class PracticedLibrary: Sendable {
        let library = MemoryVault().library
        let events = StudioEvents()
        let sessions: PracticeSessions
        let note = Note()

        init(
            hearing: any SpeechRecognizer = ScriptedRecognizer(),
            beforeSpeaking: @escaping @Sendable (Utterance) async throws -> Void = { _ in }
        ) async throws {
            var profile = VoiceProfile.standard
            profile.voice = ScriptedSynthesizer.narrator.id
            try await library.profiles.save(profile)
            let synthesizer = ScriptedSynthesizer { [note] utterance in
                try await beforeSpeaking(utterance)
                note.take(utterance.text.said)
            }
            sessions = PracticeSessions(
                in: library,
                by: Narrator(synthesizer: synthesizer, segmenter: PlainSegmenter()),
                with: .scripted(hearing),
                events: events
            )
        }

        func begin(_ text: String = PracticeSessionsTests.text, first: Int = 1) async throws -> PracticeRecord {
            var order = PracticeSessions.Order(.text(text, language: "en"))
            order.first = first
            return try await sessions.begin(order, voices: voices)
        }

        @discardableResult
        func send(_ event: PracticeEvent, at seconds: Double, to id: PracticeRecord.ID) async throws -> (
            practice: PracticeRecord, actions: [PracticeAction]
        ) {
            try await sessions.handle([.init(.event(event), at: .seconds(seconds))], in: id, voices: voices)
        }

        /// Returns the same library in another process, whose clock may be ahead, in seconds.
        func another(
            ahead: Double = 0,
            hearing: any SpeechRecognizer = ScriptedRecognizer()
        ) -> PracticeSessions {
            PracticeSessions(
                in: library,
                by: Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter()),
                with: .scripted(hearing),
                events: events,
                now: { Date(timeIntervalSinceNow: ahead) }
            )
        }
    }

    /// Records what was synthesized, for tasks that wait for it.
    final class Note: Sendable {
        private let state = Mutex<(said: [String], waiting: [(String, CheckedContinuation<Void, Never>)])>(([], []))

        func take(_ text: String) {
            let text = text.trimmingCharacters(in: .whitespaces)
            let ready = state.withLock { state in
                state.said.append(text)
                let ready = state.waiting.filter { $0.0 == text }.map(\.1)
                state.waiting.removeAll { $0.0 == text }
                return ready
            }
            for continuation in ready { continuation.resume() }
        }

        var said: [String] { state.withLock(\.said) }

        func wait(for text: String) async {
            await withCheckedContinuation { continuation in
                let isSaid = state.withLock { state in
                    if state.said.contains(text) { return true }
                    state.waiting.append((text, continuation))
                    return false
                }
                if isSaid { continuation.resume() }
            }
        }
    }

    @Test("speak the present segment and the next two ahead, and no more")
    func ahead() async throws {
        let practiced = try await PracticedLibrary()
        let practice = try await practiced.begin()
        await practiced.note.wait(for: "It is night.")
        #expect(practiced.note.said == ["The keeper sleeps.", "Waves come in.", "It is night."])
        _ = try await practiced.sessions.sound(of: 1, rate: 0.5, in: practice.id, voices: Self.voices)
        #expect(practiced.note.said.count == 3, "what was spoken ahead is not spoken again")
        try await practiced.send(.begin, at: 0, to: practice.id)
        try await practiced.send(.next, at: 1, to: practice.id)
        await practiced.note.wait(for: "The lamp turns.")
        #expect(!practiced.note.said.contains("Dawn comes."))
    }

    @Test("give up what was to be spoken when the person goes elsewhere")
    func elsewhere() async throws {
        let practiced = try await PracticedLibrary(beforeSpeaking: { utterance in
            if utterance.text.said.contains("Waves") { try await untilCancelled() }
        })
        let practice = try await practiced.begin()
        try await practiced.send(.begin, at: 0, to: practice.id)
        try await practiced.send(.jump(5), at: 1, to: practice.id)
        await practiced.note.wait(for: "Dawn comes.")
        #expect(!practiced.note.said.contains("Waves come in."), "its speaking was cancelled")
    }

    /// The parts of a sound that were handed on.
    private final class Parts: Sendable {
        private let parts = Mutex<[AudioClip]>([])

        var samples: [Float] { parts.withLock { $0.flatMap(\.samples) } }

        /// - Parameters:
        ///   - part: The next part.
        ///   - start: Where it begins, in samples.
        func take(_ part: AudioClip, _ start: Int) {
            #expect(samples.count == start)
            parts.withLock { $0.append(part) }
        }
    }

    @Test("hand on a segment while the rest of it is still being spoken, also to who asks again meanwhile")
    func growing() async throws {
        let rest = Latch()
        defer { rest.set() }
        let practiced = try await PracticedLibrary(beforeSpeaking: { utterance in
            if utterance.text.said.contains("Waves") { await rest.wait() }
        })
        var order = PracticeSessions.Order(.text("The keeper sleeps. Waves come in.", language: "en"))
        order.settings.granularity = .paragraph
        let (sessions, id) = (practiced.sessions, try await practiced.sessions.begin(order, voices: Self.voices).id)
        let (first, second) = (Parts(), Parts())
        let stopped = Task {
            try await sessions.sound(of: 1, rate: 0.5, in: id, voices: Self.voices) { first.take($0, $1) }
        }
        try await waitUntil("the first sentence is handed on") { !first.samples.isEmpty }
        #expect(practiced.note.said == ["The keeper sleeps."])
        stopped.cancel()
        let asked = Task {
            try await sessions.sound(of: 1, rate: 0.5, in: id, voices: Self.voices) { second.take($0, $1) }
        }
        try await waitUntil("it is handed on again") { second.samples.count >= first.samples.count }
        #expect(second.samples.starts(with: first.samples))
        rest.set()
        let sound = try await asked.value
        #expect(second.samples == sound.clip.samples && second.samples.count > first.samples.count)
        #expect(practiced.note.said == ["The keeper sleeps.", "Waves come in."], "each is spoken once")
        let kept = Parts()
        let again = try await sessions.sound(of: 1, rate: 0.5, in: id, voices: Self.voices) { kept.take($0, $1) }
        #expect(again == sound && kept.samples == sound.clip.samples)
    }

    @Test("hand on a segment from its beginning again where its speaking was given up in the middle")
    func givenUp() async throws {
        let attempts = Mutex(0)
        let practiced = try await PracticedLibrary(beforeSpeaking: { utterance in
            guard utterance.text.said.contains("Waves") else { return }
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt == 1 { try await untilCancelled() }
        })
        let text = "The keeper sleeps. Waves come in.\n\nIt is night."
        var order = PracticeSessions.Order(.text(text, language: "en"))
        order.settings.granularity = .paragraph
        let (sessions, id) = (practiced.sessions, try await practiced.sessions.begin(order, voices: Self.voices).id)
        let (first, second) = (Parts(), Parts())
        let stopped = Task {
            try await sessions.sound(of: 1, rate: 0.5, in: id, voices: Self.voices) { first.take($0, $1) }
        }
        try await waitUntil("the first sentence is handed on") { !first.samples.isEmpty }
        try await waitUntil("the second one is begun") { attempts.withLock(\.self) == 1 }
        stopped.cancel()
        await #expect(throws: CancellationError.self) { try await stopped.value }
        try await practiced.send(.begin, at: 0, to: id)
        try await practiced.send(.jump(2), at: 1, to: id)
        await practiced.note.wait(for: "It is night.")
        let sound = try await sessions.sound(of: 1, rate: 0.5, in: id, voices: Self.voices) { second.take($0, $1) }
        #expect(second.samples == sound.clip.samples && second.samples.count > first.samples.count)
        #expect(attempts.withLock(\.self) == 2)
    }

    @Test("report that a voice fails in the middle of a segment, of which the beginning was handed on")
    func failing() async throws {
        let error = SynthesisError.voiceNotInstalled(ScriptedSynthesizer.narrator.id)
        let practiced = try await PracticedLibrary(beforeSpeaking: { utterance in
            if utterance.text.said.contains("Waves") { throw error }
        })
        var order = PracticeSessions.Order(.text("The keeper sleeps. Waves come in.", language: "en"))
        order.settings.granularity = .paragraph
        let id = try await practiced.sessions.begin(order, voices: Self.voices).id
        await #expect(throws: error) {
            _ = try await practiced.sessions.sound(of: 1, rate: 0.5, in: id, voices: Self.voices) { _, _ in }
        }
    }

    @Test("speak at the rate that is asked for, and refuse what is none")
    func rates() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        let sounds = try await [0.1, 0.5, 1].asyncMap {
            try await practiced.sessions.sound(of: 1, rate: $0, in: id, voices: Self.voices).seconds
        }
        #expect(sounds[0] > 1.9 * sounds[1] && sounds[2] < sounds[1] / 1.4)
        await #expect(throws: PracticeError.outOfRange(setting: "rate", allowed: "0.1 to 1")) {
            _ = try await practiced.sessions.sound(of: 1, rate: 1.1, in: id, voices: Self.voices)
        }
    }

    @Test("are found again as they were left, and continue in another process")
    func reopened() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        try await practiced.send(.begin, at: 0, to: id)
        try await practiced.send(.next, at: 2, to: id)
        try await practiced.send(.pause, at: 3.5, to: id)
        let other = practiced.another()
        let kept = try #require(try await other.sessions().first)
        #expect(kept.session.phase == .paused(in: .playing) && kept.session.position.segment == 2)
        #expect(kept.tally.seconds == 3.5)
        let begun = PracticeSessions.TimedEvent(.event(.begin), at: .zero)
        let (practice, actions) = try await other.handle([begun], in: id, voices: Self.voices)
        #expect(practice.session.phase == .playing && practice.session.position.segment == 2)
        guard case .play(_, 2, 0.5) = actions.first else {
            Issue.record("\(actions)")
            return
        }
    }

    @Test("are idle where they were when their process has ended in the middle")
    func abandoned() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        try await practiced.send(.begin, at: 0, to: id)
        try await practiced.send(.next, at: 2, to: id)
        try await practiced.send(.setSettings(PracticeSettings()), at: 3, to: id)
        let other = practiced.another()
        #expect(try await practiced.sessions.session(id).session.phase == .playing)
        for kept in [try await other.session(id), try #require(try await other.sessions().first)] {
            #expect(kept.session.phase == .idle && kept.session.position.segment == 2)
        }
    }

    @Test("continue from where another process has left them meanwhile, but not while something is heard here")
    func practicedElsewhere() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        try await practiced.send(.begin, at: 0, to: id)
        try await practiced.send(.pause, at: 1, to: id)
        let other = practiced.another(ahead: 60)
        func sendToOther(_ event: PracticeEvent, at seconds: Double) async throws {
            let happened = PracticeSessions.TimedEvent(.event(event), at: .seconds(seconds))
            _ = try await other.handle([happened], in: id, voices: Self.voices)
        }
        try await sendToOther(.jump(4), at: 10)
        try await sendToOther(.begin, at: 11)
        try await sendToOther(.pause, at: 12)
        let sessions = practiced.sessions
        for kept in [try await sessions.session(id), try #require(try await sessions.sessions().first)] {
            #expect(kept.session.phase == .paused(in: .playing) && kept.session.position.segment == 4)
        }
        let (practice, actions) = try await practiced.send(.resume, at: 2, to: id)
        #expect(practice.session.phase == .playing && practice.tally.seconds == 2)
        guard case .play(_, 4, _) = actions.first else {
            Issue.record("\(actions)")
            return
        }
        try await sendToOther(.jump(2), at: 13)
        #expect(try await sessions.session(id).session.position.segment == 4)
    }

    @Test("continue from where another process has left them, though the clock has gone back meanwhile")
    func practicedEarlier() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        try await practiced.send(.begin, at: 0, to: id)
        try await practiced.send(.pause, at: 1, to: id)
        let other = practiced.another(ahead: -86_400)
        for event in [PracticeEvent.jump(4), .begin, .pause] {
            let happened = PracticeSessions.TimedEvent(.event(event), at: .seconds(1))
            _ = try await other.handle([happened], in: id, voices: Self.voices)
        }
        #expect(try await practiced.sessions.session(id).session.position.segment == 4)
    }

    @Test("are not busy for as long as the clock has gone back")
    func busyAfterClock() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        let hands = ClockHands()
        let sessions = PracticeSessions(
            in: practiced.library,
            by: Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter()),
            with: .scripted(),
            events: practiced.events,
            now: { hands.now }
        )
        for isBack in [false, true] {
            let begun = PracticeSessions.TimedEvent(.event(.begin), at: .seconds(0))
            _ = try await sessions.handle([begun], in: id, voices: Self.voices)
            #expect(await sessions.isBusy)
            guard !isBack else { return }
            hands.turnBack(by: 86_400)
            #expect(await !sessions.isBusy)
        }
    }

    /// A time of day that a test sets.
    private final class ClockHands: Sendable {
        private let time = Mutex(Date())

        var now: Date { time.withLock { $0 } }

        func turnBack(by seconds: Double) { time.withLock { $0 -= seconds } }
    }

    @Test(
        "take nothing back that another process has practised, when they are closed and when a take is deleted",
        arguments: [true, false]
    )
    func leftElsewhere(isClosed: Bool) async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        let take = try await practiced.sessions.addTake(
            WAVHeader.file(of: [Int16](repeating: 1_000, count: 24_000), sampleRate: 24_000),
            of: 1,
            repetition: 1,
            in: id,
            voices: Self.voices
        )
        let other = practiced.another(ahead: 60)
        for event in [PracticeEvent.jump(4), .begin, .pause] {
            let happened = PracticeSessions.TimedEvent(.event(event), at: .seconds(1))
            _ = try await other.handle([happened], in: id, voices: Self.voices)
        }
        if isClosed { await practiced.sessions.close() } else { try await practiced.sessions.deleteTake(take.id) }
        let kept = try await practiced.library.practice.practice(id)
        #expect(kept.session.phase == .paused(in: .playing) && kept.session.position.segment == 4)
        #expect(kept.session.interruption == nil)
    }

    @Test("are halted and kept when the library is closed, and refuse everything after that")
    func closed() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        try await practiced.send(.begin, at: 0, to: id)
        await practiced.sessions.close()
        let kept = try await practiced.library.practice.practice(id)
        #expect(kept.session.phase == .paused(in: .playing) && kept.session.interruption == .locked)
        await #expect(throws: VaultError.locked) { try await practiced.send(.resume, at: 1, to: id) }
        await #expect(throws: VaultError.locked) { _ = try await practiced.begin() }
    }

    @Test("have the settings of the last one, save those of its own segments")
    func defaults() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        var changes = PracticeSettings.Changes()
        (changes.rate, changes.order, changes.loop) = (0.35, .listenFirst, .some(PracticeLoop(first: 1, last: 2)))
        (changes.records, changes.earcon) = (true, false)
        let change = PracticeSessions.TimedEvent(.change(changes), at: .zero)
        let changed = try await practiced.sessions.handle([change], in: id, voices: Self.voices).practice
        #expect(changed.session.settings.loop == PracticeLoop(first: 1, last: 2))
        var expected = changed.session.settings
        expected.loop = nil
        #expect(try await practiced.begin().session.settings == expected)
        #expect(try await practiced.library.settings.stored()["practice.order"] == "listen-first")
        changes.rate = 7
        let refused = PracticeSessions.TimedEvent(.change(changes), at: .zero)
        await #expect(throws: PracticeError.self) {
            _ = try await practiced.sessions.handle([refused], in: id, voices: Self.voices)
        }
    }

    @Test("are recorded where a person has switched that on before, but not because another was begun with it")
    func recordedOnce() async throws {
        let practiced = try await PracticedLibrary()
        var order = PracticeSessions.Order(.text("Waves come in. It is night.", language: "en"))
        (order.settings.records, order.settings.rate) = (true, 0.3)
        let first = try await practiced.sessions.begin(order, voices: Self.voices)
        #expect(first.session.settings.records)
        let second = try await practiced.begin()
        #expect((second.session.settings.records, second.session.settings.rate) == (false, 0.3))
        var change = PracticeSettings.Changes()
        change.records = true
        let switchedOn = PracticeSessions.TimedEvent(.change(change), at: .zero)
        _ = try await practiced.sessions.handle([switchedOn], in: second.id, voices: Self.voices)
        _ = try await practiced.sessions.begin(order, voices: Self.voices)
        #expect(try await practiced.begin().session.settings.records)
    }

    @Test("discard takes where a person has chosen that before, but not because another was begun with it")
    func discardedOnce() async throws {
        let practiced = try await PracticedLibrary()
        var order = PracticeSessions.Order(.text("Waves come in. It is night.", language: "en"))
        order.settings.keepsTakes = false
        let first = try await practiced.sessions.begin(order, voices: Self.voices)
        let second = try await practiced.begin()
        #expect((first.session.settings.keepsTakes, second.session.settings.keepsTakes) == (false, true))
        let change = PracticeSessions.TimedEvent(.change(order.settings), at: .zero)
        _ = try await practiced.sessions.handle([change], in: second.id, voices: Self.voices)
        #expect(try await !practiced.begin().session.settings.keepsTakes)
    }

    @Test("are recorded or not as their process wants, which is stored nowhere and ends with what a person chooses")
    func recordedHere() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        func isRecorded(after kind: PracticeSessions.TimedEvent.Kind) async throws -> Bool {
            let event = PracticeSessions.TimedEvent(kind, at: .zero)
            let outcome = try await practiced.sessions.handle([event], in: id, voices: Self.voices)
            return outcome.practice.session.settings.records
        }
        for _ in 1...2 { #expect(try await isRecorded(after: .record(true))) }
        try await practiced.send(.begin, at: 1, to: id)
        try await practiced.send(.pause, at: 2, to: id)
        #expect(try await !practiced.library.practice.practice(id).session.settings.records)
        #expect(try await !practiced.another().session(id).session.settings.records)
        #expect(try await !practiced.begin().session.settings.records, "later ones are not recorded")
        #expect(try await !isRecorded(after: .record(nil)))

        let nowhere = PracticeSessions.TimedEvent(.event(.jump(99)), at: .zero)
        await #expect(throws: PracticeError.noSuchSegment(99)) {
            let wanted = PracticeSessions.TimedEvent(.record(true), at: .zero)
            _ = try await practiced.sessions.handle([wanted, nowhere], in: id, voices: Self.voices)
        }
        #expect(try await !isRecorded(after: .record(false)))
        var change = PracticeSettings.Changes()
        change.records = true
        #expect(try await isRecorded(after: .change(change)))
        #expect(try await practiced.library.practice.practice(id).session.settings.records)
        #expect(try await isRecorded(after: .record(nil)))
    }

    @Test("leave the settings of later ones where a person did not choose a change, also with the next change")
    func passingChange() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        var wish = PracticeSettings.Changes()
        (wish.records, wish.echo) = (true, .wait)
        let wished = PracticeSessions.TimedEvent(.change(wish), at: .zero)
        _ = try await practiced.sessions.handle([wished], in: id, voices: Self.voices)
        let last = await practiced.events.last
        var fallback = PracticeSettings.Changes()
        (fallback.records, fallback.echo) = (false, .timed)
        let fallenBack = PracticeSessions.TimedEvent(.change(fallback, isKept: false), at: .zero)
        let here = try await practiced.sessions.handle([fallenBack], in: id, voices: Self.voices).practice
        #expect((here.session.settings.records, here.session.settings.echo) == (false, .timed))
        #expect(await practiced.events.haveComeAfter(last) { $0 == .practice })
        var slower = PracticeSettings.Changes()
        slower.rate = 0.3
        let slowed = PracticeSessions.TimedEvent(.change(slower), at: .zero)
        _ = try await practiced.sessions.handle([slowed], in: id, voices: Self.voices)
        let later = try await practiced.begin().session.settings
        #expect((later.records, later.echo, later.rate) == (true, .wait, 0.3))
    }

    @Test("stay right when more are used than are kept open")
    func many() async throws {
        let practiced = try await PracticedLibrary()
        var ids: [PracticeRecord.ID] = []
        for number in 1...PracticeSessions.maximumOpen + 2 {
            let id = try await practiced.begin("First \(number). Second. Third.").id
            try await practiced.send(.begin, at: 0, to: id)
            try await practiced.send(.next, at: 1, to: id)
            ids.append(id)
        }
        for (index, id) in ids.enumerated() {
            let (segments, _, _) = try await practiced.sessions.segments(of: id, from: 1, count: 1, voices: Self.voices)
            #expect(segments.first?.text == "First \(index + 1).")
            #expect(try await practiced.sessions.session(id).session.position.segment == 2)
        }
        #expect(try await practiced.sessions.sessions().count == ids.count)
    }

    @Test("take in all of what happened or, when something of it cannot be, nothing")
    func refused() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        guard case .play(let token, _, _) = try await practiced.send(.begin, at: 0, to: id).actions.first else {
            Issue.record("nothing is played")
            return
        }
        let heard = PracticeSessions.TimedEvent(.event(.playbackFinished(token, seconds: 2)), at: .seconds(2))
        let jump = PracticeSessions.TimedEvent(.event(.jump(99)), at: .seconds(2))
        await #expect(throws: PracticeError.noSuchSegment(99)) {
            _ = try await practiced.sessions.handle([heard, jump], in: id, voices: Self.voices)
        }
        #expect(try await practiced.sessions.session(id).session.phase == .playing)
        let (practice, actions) = try await practiced.sessions.handle([heard], in: id, voices: Self.voices)
        #expect(practice.session.phase == .echo && !actions.isEmpty)
    }

    @Test("are busy while something is heard or repeated, and not while they rest")
    func busy() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        #expect(await !practiced.sessions.isBusy)
        try await practiced.send(.begin, at: 0, to: id)
        #expect(await practiced.sessions.isBusy)
        try await practiced.send(.pause, at: 1, to: id)
        #expect(await !practiced.sessions.isBusy)
    }

    @Test("stay open while something is heard, when others rest")
    func heardStayOpen() async throws {
        let practiced = try await PracticedLibrary()
        let first = try await practiced.begin().id
        guard case .play(let token, _, _) = try await practiced.send(.begin, at: 0, to: first).actions.first else {
            Issue.record("nothing is played")
            return
        }
        for _ in 1...PracticeSessions.maximumOpen { _ = try await practiced.begin() }
        let outcome = try await practiced.send(.playbackFinished(token, seconds: 2), at: 2, to: first)
        #expect(outcome.practice.session.phase == .echo)
    }

    @Test("inform other pages when the settings of one change")
    func changeIsTold() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        let last = await practiced.events.last
        var changes = PracticeSettings.Changes()
        changes.records = false
        let change = PracticeSessions.TimedEvent(.change(changes), at: .zero)
        _ = try await practiced.sessions.handle([change], in: id, voices: Self.voices)
        #expect(await practiced.events.haveComeAfter(last) { $0 == .practice })
    }

    @Test("begin at the segment that is asked for, if there is one")
    func first() async throws {
        let practiced = try await PracticedLibrary()
        #expect(try await practiced.begin(first: 3).session.position.segment == 3)
        await #expect(throws: PracticeError.noSuchSegment(9)) { _ = try await practiced.begin(first: 9) }
        #expect(try await practiced.sessions.sessions().count == 1, "what was refused is not kept")
    }

    @Test("know what was practiced, and for how long")
    func tally() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin("One here. Two here.").id
        guard case .play(let first, _, _) = try await practiced.send(.begin, at: 10, to: id).actions.first else {
            return
        }
        try await practiced.send(.playbackFinished(first, seconds: 2), at: 12, to: id)
        try await practiced.send(.pause, at: 13, to: id)
        try await practiced.send(.resume, at: 100, to: id)
        let ended = try await practiced.send(.end, at: 101, to: id)
        #expect(ended.actions.contains(.summarize) && ended.practice.isFinished)
        let summary = try #require(ended.practice.summary)
        #expect(summary.segments == 1 && summary.takes == 0 && summary.score == nil)
        #expect(summary.seconds == 4, "a pause is no practice")
    }

    @Test("know a segment as practiced whose end comes after a pause, but not one that is begun when it comes")
    func lateEnd() async throws {
        let cases: [(PracticeEvent, Set<Int>)] = [(.pause, [1]), (.next, [])]
        for (event, segments) in cases {
            let practiced = try await PracticedLibrary()
            let id = try await practiced.begin().id
            guard case .play(let token, _, _) = try await practiced.send(.begin, at: 1, to: id).actions.first else {
                Issue.record("nothing is played")
                return
            }
            try await practiced.send(event, at: 2, to: id)
            let late = try await practiced.send(.playbackFinished(token, seconds: 1), at: 3, to: id)
            #expect(late.practice.tally.segments == segments, "\(event)")
        }
    }
}

extension SpokenText {
    fileprivate var said: String {
        pieces.map { piece in
            switch piece.content {
            case .written(let text), .words(let text), .phonemes(let text): text
            }
        }.joined()
    }
}

extension Sequence {
    fileprivate func asyncMap<Output>(_ transform: (Element) async throws -> Output) async rethrows -> [Output] {
        var outputs: [Output] = []
        for element in self { outputs.append(try await transform(element)) }
        return outputs
    }
}
