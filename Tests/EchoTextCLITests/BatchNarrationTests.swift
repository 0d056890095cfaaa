import ArgumentParser
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("echotext library keep, of a narration of the batch", .endsInTime)
struct BatchNarrationTests {
    private let library = MemoryVault().library

    /// A narration of which a part is spoken, and its entry in the batch.
    private func begun(_ state: BatchEntry.State) async throws -> (job: NarrationJob, entry: BatchEntry) {
        let sample = SampleRecording.all[0]
        var entry = try #require(try await library.batch.add([sample.order]).first)
        var order = sample.order
        order.batch = entry.id
        let job = try await library.jobs.begin(order, text: "\(sample.text) The rest is not spoken.")
        try await library.jobs.keep(sample.segment, for: job.id)
        try await library.jobs.leave(job.id, as: .stopped, failure: nil)
        (entry.narration, entry.state) = (job.id, state)
        try await library.batch.update(entry)
        return (job, entry)
    }

    @Test(
        "takes its entry out, as the batch would take the part for the whole",
        arguments: [BatchEntry.State.begun, .failed]
    )
    func takesOut(_ state: BatchEntry.State) async throws {
        let (job, _) = try await begun(state)
        let other = try await library.batch.add([SampleRecording.all[1].order])
        try await LibraryKeep.parse([]).run(in: library)
        #expect(try await library.audio.item(job.id) != nil)
        #expect(try await library.batch.entries() == other)
        // The batch is free again.
        try await library.batch.hold()
    }

    @Test("keeps nothing while another program works on the batch, which would not notice")
    func busy() async throws {
        let (job, entry) = try await begun(.begun)
        try await library.batch.hold()
        await #expect(throws: LibraryError.batchBusy) { try await LibraryKeep.parse([]).run(in: library) }
        #expect(try await library.batch.entries() == [entry])
        #expect(try await library.jobs.jobs().map(\.id) == [job.id])
    }
}
