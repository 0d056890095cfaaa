import EchoText
import EchoTextTesting
import Foundation
import Testing

extension TranscriptionQueueTests {
    /// Transcribes a recording, and a range of it again, whose words replace the second of three sentences.
    private func transcribeAgain(_ range: Range<Double>) async throws -> (Fixture, TranscriptionStatus, Transcript) {
        let texts = ["First.", "Second.", "Third.", "Other."]
        let fixture = try await Fixture(ScriptedRecognizer(saying: texts), lanes: 1)
        let first = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let base = try #require(await fixture.queue.ending(of: first.id)?.version)
        var order = fixture.order
        order.range = range
        order.base = base
        let second = try await fixture.queue.take(order, for: fixture.item.id)
        let version = try #require(await fixture.queue.ending(of: second.id)?.version)
        let transcript = try await fixture.library.transcripts.transcript(version)
        #expect(transcript.source.base == base)
        return (fixture, second, transcript)
    }

    @Test("AT8: A range is heard again, and the rest of the version stays")
    func range() async throws {
        let (_, _, transcript) = try await transcribeAgain(15..<29)
        #expect(transcript.segments.filter { $0.kind == .speech }.map(\.text) == ["First.", "Other.", "Third."])
    }

    @Test(
        "AT8: What a person changes while a range is heard again stays, also where the change replaces an earlier one",
        arguments: [false, true]
    )
    func changedMeanwhile(_ isReplaced: Bool) async throws {
        let texts = ["First.", "Second.", "Third.", "Other."]
        let (begun, gate) = (Gate(), Gate())
        let recognizer = ScriptedRecognizer { clip, number, _ in
            if number == 3 {
                begun.open()
                await gate.wait()
            }
            return ScriptedRecognizer.speech(texts[min(number, 3)], in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer, lanes: 1)
        let transcripts = fixture.library.transcripts
        func change(_ old: Transcript, _ text: String, to new: String, since origin: Transcript?) throws -> Transcript {
            let segments = old.segments.map { segment in
                TranscriptEdit.Segment(
                    kind: segment.kind,
                    time: segment.time,
                    text: segment.text == text ? new : segment.text
                )
            }
            let edit = try TranscriptEdit(segments)
            return try old.edited(by: edit, duration: fixture.item.duration, at: Date(), since: origin)
        }
        let first = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let heard = try #require(await fixture.queue.ending(of: first.id)?.version)
        let original = try await transcripts.transcript(heard)
        var before = original
        if isReplaced {
            before = try change(original, "First.", to: "Firstly.", since: nil)
            try await transcripts.add(before)
        }
        var order = fixture.order
        (order.range, order.base) = (15..<29, before.id)
        let second = try await fixture.queue.take(order, for: fixture.item.id)
        await begun.wait()
        let text = isReplaced ? "Firstly." : "First."
        let edited = try change(before, text, to: "Corrected.", since: isReplaced ? original : nil)
        try await transcripts.add(edited)
        if isReplaced { try await transcripts.delete(before.id) }
        gate.open()
        let version = try #require(await fixture.queue.ending(of: second.id)?.version)
        let transcript = try await transcripts.transcript(version)
        #expect(transcript.segments.filter { $0.kind == .speech }.map(\.text) == ["Corrected.", "Other.", "Third."])
        #expect(transcript.source.base == edited.id)
    }

    @Test("AT8: Two ranges of the same version that are heard again are both in the text")
    func twoRanges() async throws {
        let texts = ["First.", "Second.", "Third.", "Other.", "Last."]
        let fixture = try await Fixture(ScriptedRecognizer(saying: texts), lanes: 1)
        let first = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let base = try #require(await fixture.queue.ending(of: first.id)?.version)
        var ids: [TranscriptionJob.ID] = []
        for range in [15.0..<29, 29..<43] {
            var order = fixture.order
            (order.range, order.base) = (range, base)
            ids.append(try await fixture.queue.take(order, for: fixture.item.id).id)
        }
        for id in ids { #expect(await fixture.queue.ending(of: id)?.version != nil) }
        #expect(try await fixture.text() == "First.\nOther.\nLast.")
    }

    @Test("AT8: A range goes into the version that was ordered, where the current one does not come of it")
    func older() async throws {
        let texts = ["First.", "Second.", "Third.", "One.", "Two.", "Three.", "Other."]
        let fixture = try await Fixture(ScriptedRecognizer(saying: texts), lanes: 1)
        var versions: [Transcript.ID] = []
        for _ in 1...2 {
            let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
            versions.append(try #require(await fixture.queue.ending(of: status.id)?.version))
        }
        var order = fixture.order
        (order.range, order.base) = (15..<29, versions[0])
        let status = try await fixture.queue.take(order, for: fixture.item.id)
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
        #expect(try await fixture.text() == "First.\nOther.\nThird.")
    }

    @Test("AT8: A range that cuts speech is heard from the pause before it to the pause after it")
    func cutting() async throws {
        let (fixture, second, transcript) = try await transcribeAgain(20..<25)
        #expect(transcript.segments.filter { $0.kind == .speech }.map(\.text) == ["First.", "Other.", "Third."])
        let part = try #require(transcript.source.range)
        #expect(part.lowerBound < 16 && part.upperBound > 28, "\(part)")
        let heard = try #require(fixture.recognizer.requests.last)
        #expect(heard.clip.seconds >= 12, "all of what is said there")
        for await entry in await fixture.events.subscribe(after: 0).entries {
            guard case .transcription(let status) = entry.event, status.id == second.id else { continue }
            #expect((20...25).contains(status.position), "how far it is of what was ordered")
            if status.version != nil { break }
        }
    }

    @Test("A range that is heard again leaves the version's language, whatever its own is", arguments: ["en", nil])
    func language(_ ordered: String?) async throws {
        let fixture = try await Fixture(
            ScriptedRecognizer(saying: ["First.", "Second.", "Third.", "Other."]),
            lanes: 1
        )
        var order = fixture.order
        order.settings.language = "et"
        let first = try await fixture.queue.take(order, for: fixture.item.id)
        (order.range, order.base) = (15..<29, try #require(await fixture.queue.ending(of: first.id)?.version))
        order.settings.language = ordered
        let second = try await fixture.queue.take(order, for: fixture.item.id)
        let version = try #require(await fixture.queue.ending(of: second.id)?.version)
        #expect(try await fixture.library.transcripts.transcript(version).language == "et")
    }

    @Test(
        "Where nobody has said the language, a transcript has that of its text, if the recognizer hears it",
        arguments: [([], "en"), (["et", "en"], "en"), (["et", "fi"], "und")] as [([String], String)]
    )
    func guessedLanguage(hears: [String], expected: String) async throws {
        let texts = [
            "Where is the house that they have made?", "It was there, and this is what they said.", "Yes.",
        ]
        let recognizer = Recognizer(
            id: ScriptedRecognizer.standard.id,
            name: "Scripted",
            engine: .sherpaOnnx,
            languages: ["mul"],
            hears: hears,
            timing: .words
        )
        let fixture = try await Fixture(ScriptedRecognizer([recognizer], saying: texts), lanes: 1)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let version = try #require(await fixture.queue.ending(of: status.id)?.version)
        #expect(try await fixture.library.transcripts.transcript(version).language == expected)
    }
}
