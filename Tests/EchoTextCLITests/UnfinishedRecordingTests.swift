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
}
