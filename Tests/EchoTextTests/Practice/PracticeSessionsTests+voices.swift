import EchoTextTesting
import Synchronization
import Testing

@testable import EchoText

/// Sessions whose voice is removed while they are open.
extension PracticeSessionsTests {
    @Test("continue with another voice where theirs was removed, and with theirs once it is back")
    func removedVoice() async throws {
        let (own, other) = (ScriptedSynthesizer.narrator, ScriptedSynthesizer.actor)
        let spoken = Mutex<Set<Voice.ID>>([])
        let practiced = try await PracticedLibrary(beforeSpeaking: { utterance in
            spoken.withLock { _ = $0.insert(utterance.voice) }
        })
        var order = PracticeSessions.Order(.text("Tere hommikust. Head aega.", language: "et"))
        order.voice = own.id.rawValue
        let id = try await practiced.sessions.begin(order, voices: [own, other]).id
        for (voices, expected) in [([own, other], own), ([other], other), ([own, other], own)] {
            for number in 1...2 {
                _ = try await practiced.sessions.sound(of: number, rate: 0.5, in: id, voices: voices)
            }
            #expect(spoken.withLock(\.self) == [expected.id])
            spoken.withLock { $0 = [] }
        }
    }

    @Test("say that their voice was removed where no other speaks their language, and can be paused nevertheless")
    func noOtherVoice() async throws {
        let error = SynthesisError.voiceNotInstalled(ScriptedSynthesizer.narrator.id)
        let isRemoved = Mutex(false)
        let practiced = try await PracticedLibrary(beforeSpeaking: { _ in
            if isRemoved.withLock(\.self) { throw error }
        })
        let (sessions, id) = (practiced.sessions, try await practiced.begin().id)
        try await practiced.send(.begin, at: 0, to: id)
        isRemoved.withLock { $0 = true }
        let others = [ScriptedSynthesizer.actor]
        await #expect(throws: error) {
            _ = try await sessions.sound(of: 1, rate: 0.7, in: id, voices: others)
        }
        let pause = PracticeSessions.TimedEvent(.event(.pause), at: .seconds(1))
        let paused = try await sessions.handle([pause], in: id, voices: others).practice
        #expect(paused.session.phase == .paused(in: .playing))
    }
}
