import ArgumentParser
import EchoText
import EchoTextTesting
import Testing

@testable import EchoTextCLI

@Suite("Unfinished recordings", .endsInTime)
struct UnfinishedRecordingTests {
    private let library = MemoryVault().library

    @Test("that are the beginning of a file are not continued with the microphone, and can be kept")
    func interruptedImport() async throws {
        let tape = try RecordingOrder(name: "Tape", sampleRate: 8_000, source: .file)
        let left = try await library.recordings.begin(tape).id
        _ = try await library.recordings.append(try RecordingChunk(number: 0, samples: [1, 2, 3]), to: left)
        await library.recordings.release(left)
        let command = try RecordingsResume.parse([])
        let resumed = LibraryRecording(
            resuming: command.session,
            capture: command.capture,
            answer: command.answer
        )
        await #expect(throws: CommandError.self) { try await resumed.run(in: library) }
        #expect(try await library.recordings.session(left).samples == 3)
        try await RecordingsKeep.parse([]).run(in: library)
        #expect(try await library.audio.item(left)?.origin.kind == .imported)
    }

    @Test("are not discarded by a character or two that their ids happen to begin with")
    func shortReference() async throws {
        let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
        let left = try await library.recordings.begin(order).id
        _ = try await library.recordings.append(try RecordingChunk(number: 0, samples: [1, 2, 3]), to: left)
        await library.recordings.release(left)
        for length in 1...3 {
            let command = try RecordingsDiscard.parse([String(left.rawValue.prefix(length)), "--yes"])
            await #expect(throws: RecordingError.sessionNotFound) { try await command.run(in: library) }
        }
        #expect(try await library.recordings.session(left).samples == 3)
        try await RecordingsDiscard.parse([String(left.rawValue.prefix(4)), "--yes"]).run(in: library)
        #expect(try await library.recordings.sessions().isEmpty)
    }

    @Test("nor narrations")
    func shortReferenceOfNarration() async throws {
        let sample = SampleRecording.all[0]
        let job = try await library.jobs.begin(sample.order, text: sample.text).id
        try await library.jobs.leave(job, as: .stopped, failure: nil)
        let command = try LibraryDiscard.parse([String(job.rawValue.prefix(3)), "--yes"])
        await #expect(throws: LibraryError.jobNotFound) { try await command.run(in: library) }
        try await LibraryDiscard.parse([job.rawValue, "--yes"]).run(in: library)
        #expect(try await library.jobs.jobs().isEmpty)
    }
}
