import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import EchoText

/// Takes, the recognizers for them, and the segments that they leave to practice again.
extension PracticeSessionsTests {
    /// A change after which takes are not kept.
    private static var keepingNoTakes: PracticeSessions.TimedEvent {
        var changes = PracticeSettings.Changes()
        changes.keepsTakes = false
        return PracticeSessions.TimedEvent(.change(changes), at: .zero)
    }

    @Test("hear takes by recognizers of this machine only")
    func services() async throws {
        let remote = Recognizer(
            id: Recognizer.ID(rawValue: "service/elsewhere"),
            name: "Elsewhere",
            engine: .remote,
            languages: ["mul"],
            timing: .words,
            takesLanguage: true,
            takesHotwords: true,
            takesPrompt: true,
            size: 0
        )
        let alone = try await PracticedLibrary(hearing: ScriptedRecognizer([remote]))
        #expect(try await alone.sessions.recognizers()("en") == nil)
        let beside = try await PracticedLibrary(hearing: ScriptedRecognizer([remote, ScriptedRecognizer.standard]))
        #expect(try await beside.sessions.recognizers()("en")?.id == ScriptedRecognizer.standard.id)
    }

    /// Recognizers that are listed, and how often.
    private final class ListedRecognizers: SpeechRecognizer {
        private let state = Mutex<(offered: [Recognizer], listings: Int)>(([], 0))

        var listings: Int { state.withLock(\.listings) }

        func offer(_ recognizers: [Recognizer]) { state.withLock { $0.offered = recognizers } }

        func recognizers() async throws -> [Recognizer] {
            state.withLock { state in
                state.listings += 1
                return state.offered
            }
        }

        func open(_ id: Recognizer.ID, _: RecognitionSettings) async throws -> any RecognitionSession {
            throw RecognitionError.noSuchRecognizer(id)
        }
    }

    @Test("list recognizers once for all that happens, until there are others")
    func recognizers() async throws {
        let listed = ListedRecognizers()
        let practiced = try await PracticedLibrary(hearing: listed)
        let sessions = practiced.sessions
        #expect(try await sessions.knownRecognizers()("en") == nil)
        await practiced.events.post(.history)
        #expect(try await sessions.knownRecognizers()("en") == nil && listed.listings == 1)
        listed.offer([ScriptedRecognizer.standard])
        for (index, event) in [StudioEvent.voices, .settings].enumerated() {
            await practiced.events.post(event)
            #expect(try await sessions.knownRecognizers()("en") == ScriptedRecognizer.standard)
            #expect(try await sessions.knownRecognizers()("en") != nil && listed.listings == index + 2)
        }
        for _ in 0...StudioEvents.capacity { await practiced.events.post(.history) }
        _ = try await sessions.knownRecognizers()
        #expect(listed.listings == 4, "more has come than is remembered")
    }

    @Test("offer a hard paragraph whole, so that it is known again, and cut other texts as before")
    func hardParagraph() async throws {
        let text = "The keeper sleeps. Waves come in."
        let practiced = try await PracticedLibrary(hearing: ScriptedRecognizer(saying: [text]))
        let marked = Date(timeIntervalSinceNow: -2 * 86_400)
        for hard in [text, "It is night."] {
            let segment = HardSegment(text: hard, language: "en", score: nil, at: marked)
            try await practiced.library.practice.keep(segment)
        }
        let session = try await practiced.sessions.begin(PracticeSessions.Order(.hard), voices: Self.voices)
        let segments = try await practiced.sessions.segments(of: session.id, from: 1, count: 9, voices: Self.voices)
        #expect(Set(segments.segments.map(\.text)) == [text, "It is night."])
        let number = try #require(segments.segments.first { $0.text == text }?.number)
        // Without the silence at its end it would be a hum.
        let sound = (0..<24_000).map { $0 < 20_000 ? Int16(8_000 * sin(Double($0) / 20)) : 0 }
        let take = try await practiced.sessions.addTake(
            WAVHeader.file(of: sound, sampleRate: 24_000),
            of: number,
            repetition: 1,
            in: session.id,
            voices: Self.voices
        )
        #expect(try await practiced.sessions.score(take.id, voices: Self.voices).score == 1)
        #expect(try await practiced.sessions.hardSegments().due.map(\.text) == ["It is night."])
        var changes = PracticeSettings.Changes()
        changes.rate = 0.6
        let change = PracticeSessions.TimedEvent(.change(changes), at: .zero)
        _ = try await practiced.sessions.handle([change], in: session.id, voices: Self.voices)
        let kept = try await practiced.library.settings.practice()
        #expect(kept.granularity == .sentence && kept.rate == 0.6)
    }

    // Without the silence at its end it would be a hum.
    private static let sound = WAVHeader.file(
        of: (0..<24_000).map { $0 < 20_000 ? Int16(8_000 * sin(Double($0) / 20)) : 0 },
        sampleRate: 24_000
    )

    @Test("know the text that a take repeats, though the text was cut in another way before the take came")
    func earlierCut() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin("It is night. It is late.\n\nDawn comes.").id
        let sessions = practiced.sessions
        var changes = PracticeSettings.Changes()
        changes.granularity = .paragraph
        let change = PracticeSessions.TimedEvent(.change(changes), at: .zero)
        _ = try await sessions.handle([change], in: id, voices: Self.voices)
        let cuts: [(PracticeSettings.Granularity?, String)] = [
            (.sentence, "It is late."), (.paragraph, "Dawn comes."), (nil, "Dawn comes."),
        ]
        for (cut, text) in cuts {
            let take = try await sessions.addTake(
                Self.sound,
                of: 2,
                cutBy: cut,
                repetition: 1,
                in: id,
                voices: Self.voices
            )
            #expect(take.text == text)
        }
    }

    @Test("keep the sound of a take that came while takes were kept, though that is switched off before it is scored")
    func keptTake() async throws {
        let said = "The keeper sleeps."
        let practiced = try await PracticedLibrary(hearing: ScriptedRecognizer(saying: [said, said]))
        let (sessions, id) = (practiced.sessions, try await practiced.begin().id)
        let change = Self.keepingNoTakes
        for isKept in [true, false] {
            let take = try await sessions.addTake(
                Self.sound,
                of: 1,
                repetition: 1,
                in: id,
                voices: Self.voices
            )
            _ = try await sessions.handle([change], in: id, voices: Self.voices)
            #expect(try await sessions.score(take.id, voices: Self.voices).score == 1)
            #expect(try await practiced.library.practice.take(take.id).hasSound == isKept)
        }
    }

    @Test("keep such a take also where its process ended before it was scored")
    func keptTakeAfterRestart() async throws {
        let said = "The keeper sleeps."
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        let take = try await practiced.sessions.addTake(
            Self.sound,
            of: 1,
            repetition: 1,
            in: id,
            voices: Self.voices
        )
        await practiced.sessions.close()
        let restarted = practiced.another(hearing: ScriptedRecognizer(saying: [said]))
        _ = try await restarted.handle([Self.keepingNoTakes], in: id, voices: Self.voices)
        #expect(try await restarted.score(take.id, voices: Self.voices).score == 1)
        #expect(try await practiced.library.practice.take(take.id).hasSound)
    }

    @Test("keep a take although the summary of its session cannot be stored, so that nobody sends it again")
    func takeWithoutSummary() async throws {
        let practiced = try await PracticedLibrary()
        let id = try await practiced.begin().id
        let store = try #require(practiced.library.practice as? MemoryPractice)
        await store.refuseUpdates(with: VaultError.readOnly(.diskFull))
        let take = try await practiced.sessions.addTake(
            Self.sound,
            of: 1,
            repetition: 1,
            in: id,
            voices: Self.voices
        )
        #expect(try await practiced.sessions.takes(of: id) == [take])
    }

    @Test("keep the sound of a take that was kept without a score, also when it is opened and takes are not kept now")
    func keptWithoutScore() async throws {
        let practiced = try await PracticedLibrary(hearing: ScriptedRecognizer([]))
        let (sessions, id) = (practiced.sessions, try await practiced.begin().id)
        func add() async throws -> PracticeTake.ID {
            try await sessions.addTake(Self.sound, of: 1, repetition: 1, in: id, voices: Self.voices).id
        }
        let kept = try await add()
        #expect(try await sessions.score(kept, voices: Self.voices).reason == .noRecognizer)
        _ = try await sessions.handle([Self.keepingNoTakes], in: id, voices: Self.voices)
        #expect(try await sessions.score(kept, voices: Self.voices).reason == .noRecognizer)
        #expect(try await practiced.library.practice.take(kept).hasSound)
        let later = try await add()
        #expect(try await sessions.score(later, voices: Self.voices).reason == .noRecognizer)
        #expect(try await !practiced.library.practice.take(later).hasSound)
    }

    @Test("offer a hard segment that was practiced while the clock was days ahead")
    func hardAhead() async throws {
        let practiced = try await PracticedLibrary()
        let ahead = Date(timeIntervalSinceNow: 9 * 86_400)
        let hard = HardSegment(text: "It is night.", language: "en", score: nil, at: ahead)
        try await practiced.library.practice.keep(hard)
        let session = try await practiced.sessions.begin(PracticeSessions.Order(.hard), voices: Self.voices)
        let segments = try await practiced.sessions.segments(of: session.id, from: 1, count: 9, voices: Self.voices)
        #expect(segments.segments.map(\.text) == ["It is night."])
    }

    @Test("let a due segment wait again that was practiced without a recording", arguments: [false, true])
    func unscored(records: Bool) async throws {
        let practiced = try await PracticedLibrary()
        let hard = HardSegment(
            text: "Waves come in.",
            language: "en",
            score: nil,
            at: Date(timeIntervalSinceNow: -2 * 86_400)
        )
        try await practiced.library.practice.keep(hard)
        var order = PracticeSessions.Order(.text("Waves come in. It is night.", language: "en"))
        order.settings.records = records
        let id = try await practiced.sessions.begin(order, voices: Self.voices).id
        let begun = try await practiced.send(.begin, at: 1, to: id).actions.first
        guard case .play(let token, _, _) = try #require(begun) else { return }
        #expect(try await practiced.sessions.hardSegments().due.count == 1, "it is not practised yet")
        try await practiced.send(.playbackFinished(token, seconds: 1), at: 2, to: id)
        let (due, upcoming) = try await practiced.sessions.hardSegments()
        #expect(due.isEmpty != records, "a recording has a score to wait for")
        #expect(upcoming.map(\.text) == (records ? [] : ["Waves come in."]))
    }
}
