import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("The checks of narrations", .timeLimit(.minutes(1)))
struct SpeechChecksTests {
    private static let text = "The keeper sleeps. Waves come in. It is night."

    /// A library with narrations of ``text``.
    private struct Desk {
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
            return try await KeptNarration(in: library, by: narrator, lanes: 1)
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

    /// Hears nothing until the gate is open.
    private func gated(_ gate: Ending) -> ScriptedRecognizer {
        ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            try Task.checkCancellation()
            return ScriptedRecognizer.speech(Self.text, in: clip.seconds)
        }
    }

    @Test("Finds the sentences that do not sound as they are written, and closes the recogniser")
    func findings() async throws {
        let desk = try await Desk(
            ScriptedRecognizer(saying: ["The keeper sleeps. Waves warning in. It is night.", "Waves warning in."])
        )
        try await desk.checks.begin(desk.item.id)
        let done = try #require(await desk.wait())
        #expect(done.state == .done && done.progress == 1 && (done.heard, done.total) == (3, 3))
        let finding = try #require(done.findings.first)
        #expect(done.findings.count == 1 && finding.number == 2 && finding.source == 19..<33)
        let difference = try #require(finding.differences.first)
        #expect((difference.written, difference.heard, difference.place) == ("come", "warning", 6..<13))
        #expect(try await desk.checks.status(of: desk.item.id) == done)
        #expect(desk.recognizer.openSessions == 0)
        #expect(await !desk.checks.isBusy)
    }

    @Test("Hears one narration after another, and one that is under way only once")
    func turns() async throws {
        let gate = Ending()
        let desk = try await Desk(gated(gate))
        let other = try await desk.narrate(Self.text)
        #expect(try await desk.checks.begin(desk.item.id).state == .running)
        #expect(try await desk.checks.begin(other.id).state == .queued)
        #expect(try await desk.checks.begin(other.id).state == .queued)
        #expect(await desk.checks.isBusy)
        gate.come()
        #expect(await desk.wait(for: other.id)?.state == .done)
        #expect(try await desk.checks.status(of: desk.item.id)?.state == .done)
        #expect(desk.recognizer.openings == 2)
    }

    @Test("Stops and forgets a check, and goes on with the next", arguments: [true, false])
    func forgetting(whileHeard: Bool) async throws {
        let gate = Ending()
        let desk = try await Desk(gated(gate))
        let other = try await desk.narrate(Self.text)
        try await desk.checks.begin(desk.item.id)
        try await desk.checks.begin(other.id)
        if !whileHeard {
            gate.come()
            await desk.wait()
        }
        async let forgotten: Void = desk.checks.forget(desk.item.id)
        gate.come()
        await forgotten
        await desk.wait { $0 == nil }
        #expect(try await desk.checks.status(of: desk.item.id) == nil)
        #expect(await desk.wait(for: other.id)?.state == .done)
        #expect(desk.recognizer.openSessions == 0)
        try await desk.checks.begin(desk.item.id)
        #expect(await desk.wait { $0?.state == .done } != nil)
    }

    @Test("Says why a check has failed, and can begin again")
    func failure() async throws {
        let desk = try await Desk(ScriptedRecognizer(saying: [Self.text]))
        desk.recognizer.fail(with: RecognitionError.recognizerDied)
        try await desk.checks.begin(desk.item.id)
        let failed = try #require(await desk.wait())
        #expect(failed.state == .failed(RecognitionError.recognizerDied.failure))
        #expect(desk.recognizer.openSessions == 0)
        try await desk.checks.begin(desk.item.id)
        let done = try #require(await desk.wait { $0?.state == .done })
        #expect(done.findings.isEmpty)
    }

    @Test("Refuses what is no narration, is gone, or has nobody who hears its language")
    func refusals() async throws {
        let desk = try await Desk()
        let (checks, item) = (desk.checks, desk.item.id)
        await #expect(throws: LibraryError.itemNotFound) { try await checks.begin(AudioItem.ID()) }
        await #expect(throws: LibraryError.itemNotFound) { _ = try await checks.status(of: AudioItem.ID()) }
        let unknown = Recognizer.ID(rawValue: "nobody/here")
        await #expect(throws: RecognitionError.noSuchRecognizer(unknown)) { try await checks.begin(item, by: unknown) }
        let service = Recognizer.ID(rawValue: "remote/office")
        await #expect(throws: SpeechCheckError.needsLocalRecognizer) { try await checks.begin(item, by: service) }
        let session = try await desk.library.recordings.begin(
            RecordingOrder(name: "Talk", sampleRate: 16_000, source: .microphone)
        )
        try await desk.library.recordings.append(RecordingChunk(number: 0, samples: [1, 2, 3]), to: session.id)
        let recording = try await desk.library.recordings.finish(session.id)
        await #expect(throws: SpeechCheckError.notANarration) { try await checks.begin(recording.id) }
        #expect(try await checks.status(of: item) == nil)

        let none = try await Desk(ScriptedRecognizer([]))
        await #expect(throws: RecognitionError.noRecognizer) { try await none.checks.begin(none.item.id) }
        let estonian = Recognizer(
            id: Recognizer.ID(rawValue: "scripted/et"),
            name: "Estonian",
            engine: .sherpaOnnx,
            languages: ["et"],
            timing: .none
        )
        let foreign = try await Desk(ScriptedRecognizer([estonian]))
        await #expect(throws: RecognitionError.unsupportedLanguage("en")) {
            try await foreign.checks.begin(foreign.item.id)
        }
    }

    @Test("Hears a sentence that was spoken anew, and moves what was found after it")
    func speaking() async throws {
        let desk = try await Desk(
            ScriptedRecognizer(
                saying: [
                    "The keeper sleeps. Waves warning in. It is elephant.", "Waves warning in.", "It is elephant.",
                    "Enormous waves come in.",
                ]
            )
        )
        try await desk.checks.begin(desk.item.id)
        let before = try #require(await desk.wait()).findings
        #expect(before.map(\.number) == [2, 3])
        try await desk.library.settings.set(SettingsCatalogue.dictionary.name, to: "waves = enormous waves")
        let spoken = try await desk.speak(2)
        let check = try #require(spoken.check)
        #expect(check.findings.map(\.number) == [3] && check.spokenAnew == [2])
        let longer = spoken.item.duration - desk.item.duration
        #expect(longer > 0 && abs(check.findings[0].start - before[1].start - longer) < 0.001)
        #expect(await desk.wait { $0?.spokenAnew == [2] } == check)
        #expect(await !desk.checks.isBusy)
    }

    @Test("Keeps a sentence that is still wrong when it was spoken anew, with what was heard now")
    func stillWrong() async throws {
        let desk = try await Desk(
            ScriptedRecognizer(
                saying: [
                    "The keeper sleeps. Waves warning in. It is night.", "Waves warning in.", "Waves in.", "Waves in.",
                ]
            )
        )
        try await desk.checks.begin(desk.item.id)
        await desk.wait()
        let check = try #require(try await desk.speak(2).check)
        #expect(check.findings.map(\.heard) == ["Waves in."] && check.findings[0].kind == .missing)
        #expect(check.spokenAnew == [2])
    }

    @Test("Speaks a sentence of a narration that was not checked, and refuses one while it is checked")
    func unchecked() async throws {
        let gate = Ending()
        let desk = try await Desk(gated(gate))
        let spoken = try await desk.speak(2)
        #expect(spoken.check == nil && spoken.item == desk.item)
        #expect(desk.recognizer.openings == 0)
        await #expect(throws: SpeechCheckError.noSuchSentence(4, count: 3)) { _ = try await desk.speak(4) }
        try await desk.checks.begin(desk.item.id)
        await #expect(throws: SpeechCheckError.busy) { _ = try await desk.speak(2) }
        gate.come()
        await desk.wait()
        _ = try await desk.speak(2)
    }

    @Test("Ends with the library, and begins nothing any more")
    func closing() async throws {
        let gate = Ending()
        let desk = try await Desk(gated(gate))
        try await desk.checks.begin(desk.item.id)
        async let closed: Void = desk.checks.close()
        gate.come()
        await closed
        #expect(desk.recognizer.openSessions == 0)
        #expect(try await desk.checks.status(of: desk.item.id) == nil)
        await #expect(throws: VaultError.locked) { try await desk.checks.begin(desk.item.id) }
        await #expect(throws: VaultError.locked) { _ = try await desk.speak(1) }
    }
}
