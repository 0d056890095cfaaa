import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("The checks of narrations", .endsInTime)
struct SpeechChecksTests {
    private static let text = "The keeper sleeps. Waves come in. It is night."

    /// A library with narrations of ``text``.
    private struct Fixture {
        let library = MemoryVault().library
        let events = StudioEvents()
        let recognizer: ScriptedRecognizer
        let checks: SpeechChecks
        let item: AudioItem
        private let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())

        init(_ recognizer: ScriptedRecognizer = ScriptedRecognizer()) async throws {
            self.recognizer = recognizer
            checks = SpeechChecks(in: library, by: narrator, with: .scripted(recognizer), events: events) { 1 }
            item = try await Self.narrate(SpeechChecksTests.text, in: library, by: narrator)
        }

        func narrate(_ text: String) async throws -> AudioItem {
            try await Self.narrate(text, in: library, by: narrator)
        }

        private static func narrate(_ text: String, in library: Library, by narrator: Narrator) async throws
            -> AudioItem
        {
            let order = NarrationOrder(name: "Night", voice: ScriptedSynthesizer.narrator)
            return try await StoredNarration(in: library, by: narrator, lanes: 1)
                .make(text, as: order, keepsPart: false, listener: .init())
        }

        func speak(_ number: Int) async throws -> SpeechChecks.Spoken {
            try await checks.speak(number, of: item.id, voices: [ScriptedSynthesizer.narrator])
        }

        /// The first event of the narration's check that fits.
        @discardableResult
        func wait(
            for id: AudioItem.ID? = nil,
            until fits: (SpeechCheckStatus?) -> Bool = { $0?.isUnderWay == false }
        ) async -> SpeechCheckStatus? {
            for await entry in await events.subscribe(after: 0).entries {
                if case .speechCheck(id ?? item.id, let status) = entry.event, fits(status) { return status }
            }
            return nil
        }
    }

    /// A recognizer that waits until the gate is open.
    private func gated(_ gate: Latch) -> ScriptedRecognizer {
        ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            try Task.checkCancellation()
            return ScriptedRecognizer.speech(Self.text, in: clip.seconds)
        }
    }

    @Test("Finds the sentences that do not sound as they are written, and closes the recognizer")
    func findings() async throws {
        let fixture = try await Fixture(
            ScriptedRecognizer(saying: ["The keeper sleeps. Waves warning in. It is night.", "Waves warning in."])
        )
        try await fixture.checks.begin(fixture.item.id)
        let done = try #require(await fixture.wait())
        #expect(done.state == .done && done.progress == 1 && (done.heard, done.total) == (3, 3))
        let finding = try #require(done.findings.first)
        #expect(done.findings.count == 1 && finding.number == 2 && finding.source == 19..<33)
        let difference = try #require(finding.differences.first)
        #expect((difference.written, difference.heard, difference.place) == ("come", "warning", 6..<13))
        #expect(try await fixture.checks.status(of: fixture.item.id) == done)
        #expect(fixture.recognizer.openSessions == 0)
        #expect(await !fixture.checks.isBusy)
    }

    @Test("Hears one narration after another, and one that is under way only once")
    func turns() async throws {
        let gate = Latch()
        let fixture = try await Fixture(gated(gate))
        let other = try await fixture.narrate(Self.text)
        #expect(try await fixture.checks.begin(fixture.item.id).state == .running)
        #expect(try await fixture.checks.begin(other.id).state == .queued)
        #expect(try await fixture.checks.begin(other.id).state == .queued)
        #expect(await fixture.checks.isBusy)
        gate.set()
        #expect(await fixture.wait(for: other.id)?.state == .done)
        #expect(try await fixture.checks.status(of: fixture.item.id)?.state == .done)
        #expect(fixture.recognizer.openings == 2)
    }

    @Test("Stops and forgets a check, and continues with the next", arguments: [true, false])
    func forgetting(whileHeard: Bool) async throws {
        let gate = Latch()
        let fixture = try await Fixture(gated(gate))
        let other = try await fixture.narrate(Self.text)
        try await fixture.checks.begin(fixture.item.id)
        try await fixture.checks.begin(other.id)
        if !whileHeard {
            gate.set()
            await fixture.wait()
        }
        async let forgotten: Void = fixture.checks.forget(fixture.item.id)
        gate.set()
        await forgotten
        await fixture.wait { $0 == nil }
        #expect(try await fixture.checks.status(of: fixture.item.id) == nil)
        #expect(await fixture.wait(for: other.id)?.state == .done)
        #expect(fixture.recognizer.openSessions == 0)
        try await fixture.checks.begin(fixture.item.id)
        #expect(await fixture.wait { $0?.state == .done } != nil)
    }

    @Test("Ends with its narration, and continues with the next")
    func deleted() async throws {
        let gate = Latch()
        let fixture = try await Fixture(gated(gate))
        let other = try await fixture.narrate(Self.text)
        try await fixture.checks.begin(fixture.item.id)
        try await fixture.checks.begin(other.id)
        try await fixture.library.audio.delete([fixture.item.id])
        await fixture.checks.endAll(of: [fixture.item.id])
        await fixture.wait { $0 == nil }
        gate.set()
        #expect(await fixture.wait(for: other.id)?.state == .done)
        #expect(fixture.recognizer.openSessions == 0)
    }

    @Test("Says why a check has failed, and can begin again")
    func failure() async throws {
        let fixture = try await Fixture(ScriptedRecognizer(saying: [Self.text]))
        fixture.recognizer.fail(with: RecognitionError.recognizerDied)
        try await fixture.checks.begin(fixture.item.id)
        let failed = try #require(await fixture.wait())
        #expect(failed.state == .failed(RecognitionError.recognizerDied.failure))
        #expect(fixture.recognizer.openSessions == 0)
        try await fixture.checks.begin(fixture.item.id)
        let done = try #require(await fixture.wait { $0?.state == .done })
        #expect(done.findings.isEmpty)
    }

    @Test("Refuses what is no narration, is gone, or has nobody who hears its language")
    func refusals() async throws {
        let fixture = try await Fixture()
        let (checks, item) = (fixture.checks, fixture.item.id)
        await #expect(throws: LibraryError.itemNotFound) { try await checks.begin(AudioItem.ID()) }
        await #expect(throws: LibraryError.itemNotFound) { _ = try await checks.status(of: AudioItem.ID()) }
        let unknown = Recognizer.ID(rawValue: "nobody/here")
        await #expect(throws: RecognitionError.noSuchRecognizer(unknown)) { try await checks.begin(item, by: unknown) }
        let service = Recognizer.ID(rawValue: "remote/office")
        await #expect(throws: SpeechCheckError.needsLocalRecognizer) { try await checks.begin(item, by: service) }
        let session = try await fixture.library.recordings.begin(
            RecordingOrder(name: "Talk", sampleRate: 16_000, source: .microphone)
        )
        try await fixture.library.recordings.append(RecordingChunk(number: 0, samples: [1, 2, 3]), to: session.id)
        let recording = try await fixture.library.recordings.finish(session.id)
        await #expect(throws: SpeechCheckError.notANarration) { try await checks.begin(recording.id) }
        #expect(try await checks.status(of: item) == nil)

        let none = try await Fixture(ScriptedRecognizer([]))
        await #expect(throws: RecognitionError.noRecognizer) { try await none.checks.begin(none.item.id) }
        let estonian = Recognizer(
            id: Recognizer.ID(rawValue: "scripted/et"),
            name: "Estonian",
            engine: .sherpaOnnx,
            languages: ["et"],
            timing: .none
        )
        let foreign = try await Fixture(ScriptedRecognizer([estonian]))
        await #expect(throws: RecognitionError.unsupportedLanguage("en")) {
            try await foreign.checks.begin(foreign.item.id)
        }
    }

    @Test("Hears a sentence that was spoken again, and moves what was found after it")
    func speaking() async throws {
        let fixture = try await Fixture(
            ScriptedRecognizer(
                saying: [
                    "The keeper sleeps. Waves warning in. It is elephant.", "Waves warning in.", "It is elephant.",
                    "Enormous waves come in.",
                ]
            )
        )
        try await fixture.checks.begin(fixture.item.id)
        let before = try #require(await fixture.wait()).findings
        #expect(before.map(\.number) == [2, 3])
        try await fixture.library.settings.set(SettingsCatalogue.dictionary.name, to: "waves = enormous waves")
        let spoken = try await fixture.speak(2)
        let check = try #require(spoken.check)
        #expect(check.findings.map(\.number) == [3] && check.spokenAgain == [2])
        let longer = spoken.item.duration - fixture.item.duration
        #expect(longer > 0 && abs(check.findings[0].start - before[1].start - longer) < 0.001)
        #expect(await fixture.wait { $0?.spokenAgain == [2] } == check)
        #expect(await !fixture.checks.isBusy)
    }

    @Test("Keeps a sentence that is still wrong when it was spoken again, with what was heard now")
    func stillWrong() async throws {
        let fixture = try await Fixture(
            ScriptedRecognizer(
                saying: [
                    "The keeper sleeps. Waves warning in. It is night.", "Waves warning in.", "Waves in.", "Waves in.",
                ]
            )
        )
        try await fixture.checks.begin(fixture.item.id)
        await fixture.wait()
        let check = try #require(try await fixture.speak(2).check)
        #expect(check.findings.map(\.heard) == ["Waves in."] && check.findings[0].kind == .missing)
        #expect(check.spokenAgain == [2])
    }

    @Test("Speaks a sentence of a narration that was not checked, and refuses one while it is checked")
    func unchecked() async throws {
        let gate = Latch()
        let fixture = try await Fixture(gated(gate))
        let spoken = try await fixture.speak(2)
        #expect(spoken.check == nil && spoken.item == fixture.item)
        #expect(fixture.recognizer.openings == 0)
        await #expect(throws: SpeechCheckError.noSuchSentence(4, count: 3)) { _ = try await fixture.speak(4) }
        try await fixture.checks.begin(fixture.item.id)
        await #expect(throws: SpeechCheckError.busy) { _ = try await fixture.speak(2) }
        gate.set()
        await fixture.wait()
        _ = try await fixture.speak(2)
    }

    @Test("Ends with the library, and begins nothing any more")
    func closing() async throws {
        let gate = Latch()
        let fixture = try await Fixture(gated(gate))
        try await fixture.checks.begin(fixture.item.id)
        async let closed: Void = fixture.checks.close()
        gate.set()
        await closed
        #expect(fixture.recognizer.openSessions == 0)
        #expect(try await fixture.checks.status(of: fixture.item.id) == nil)
        await #expect(throws: VaultError.locked) { try await fixture.checks.begin(fixture.item.id) }
        await #expect(throws: VaultError.locked) { _ = try await fixture.speak(1) }
    }
}
