import ArgumentParser
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("A narration of the batch that a command ends", .endsInTime)
struct BatchNarrationTests {
    private static let rest = " The rest is not spoken."

    private let library = MemoryVault().library

    /// A narration of which a part is spoken, or nothing yet, and its entry in the batch.
    private func begun(
        _ state: BatchEntry.State,
        isSpoken: Bool = true
    ) async throws -> (job: NarrationJob, entry: BatchEntry) {
        let sample = SampleRecording.all[0]
        var entry = try #require(try await library.batch.add([sample.order]).first)
        var order = sample.order
        order.batch = entry.id
        let job = try await library.jobs.begin(order, text: sample.text + Self.rest)
        if isSpoken { try await library.jobs.keep(sample.segment, for: job.id) }
        try await library.jobs.leave(job.id, as: .stopped, failure: nil)
        (entry.narration, entry.state) = (job.id, state)
        try await library.batch.update(entry)
        return (job, entry)
    }

    /// Makes a recording of a narration, once it has spoken `text`; Ctrl-C stops it in its last moment.
    private func speaking(_ text: String?, isStopped: Bool) -> (NarrationJob) async throws -> AudioItem {
        { job in
            _ = try await library.jobs.resume(job.id)
            if let text {
                let segment = NarrationSegment(
                    sound: .init([1, 2, 3]),
                    sentences: [],
                    position: job.position + text.utf16.count,
                    nextSentence: job.sentence + 1
                )
                try await library.jobs.keep(segment, for: job.id)
            }
            let item = try await library.jobs.finish(job.id)
            if isStopped { withUnsafeCurrentTask { $0?.cancel() } }
            return item
        }
    }

    @Test("leaves the batch when it is stopped and its part is kept", arguments: [BatchEntry.State.begun, .failed])
    func continues(_ state: BatchEntry.State) async throws {
        let (job, _) = try await begun(state)
        let other = try await library.batch.add([SampleRecording.all[1].order])
        try await Task {
            try await LibraryContinue.parse(["--keep-partial"]).run(in: library, speaking(nil, isStopped: true))
        }.value
        #expect(try await library.audio.text(of: job.id) == SampleRecording.all[0].text)
        #expect(try await library.batch.entries() == other)
        try await library.batch.hold()
    }

    @Test("stays in the batch, which finds that it is done, when it is spoken to its end", arguments: [false, true])
    func speaksWhole(isStopped: Bool) async throws {
        let (job, entry) = try await begun(.begun)
        try await Task {
            try await LibraryContinue.parse(["--keep-partial"])
                .run(in: library, speaking(Self.rest, isStopped: isStopped))
        }.value
        #expect(try await library.audio.text(of: job.id) == SampleRecording.all[0].text + Self.rest)
        #expect(try await library.batch.entries() == [entry])
        try await library.batch.hold()
    }

    @Test("stays in the batch when all of it was spoken before a command keeps it")
    func keepsWhole() async throws {
        let (job, entry) = try await begun(.begun)
        _ = try await library.jobs.resume(job.id)
        let position = SampleRecording.all[0].text.utf16.count + Self.rest.utf16.count
        let segment = NarrationSegment(sound: .init([1]), sentences: [], position: position, nextSentence: 2)
        try await library.jobs.keep(segment, for: job.id)
        try await library.jobs.leave(job.id, as: .stopped, failure: nil)
        try await LibraryKeep.parse([]).run(in: library)
        #expect(try await library.audio.item(job.id) != nil)
        #expect(try await library.batch.entries() == [entry])
    }

    @Test(
        "leaves it when its part is kept, as the batch would take the part for the whole",
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

    @Test("is not kept before a sentence of it is whole, and is left as it was", arguments: [false, true])
    func keepsNothing(hasFailed: Bool) async throws {
        let (job, entry) = try await begun(.failed, isSpoken: false)
        let state: NarrationJob.State = hasFailed ? .failed : .stopped
        let failure = hasFailed ? SynthesisError.nothingToSay.failure : nil
        try await library.jobs.leave(job.id, as: state, failure: failure)
        await #expect(throws: LibraryError.nothingToKeep) { try await LibraryKeep.parse([]).run(in: library) }
        let left = try #require(try await library.jobs.jobs().first)
        #expect(left.id == job.id && left.state == state && left.failure == failure)
        #expect(try await library.batch.entries() == [entry])
        // Nobody holds it.
        _ = try await library.jobs.resume(job.id)
    }

    @Test("is not kept while another program works on the batch, which would not notice")
    func busy() async throws {
        let (job, entry) = try await begun(.begun)
        try await library.batch.hold()
        await #expect(throws: LibraryError.batchBusy) { try await LibraryKeep.parse([]).run(in: library) }
        #expect(try await library.batch.entries() == [entry])
        #expect(try await library.jobs.jobs().map(\.id) == [job.id])
    }

    @Test("is said to be made by the program that works on the batch, where it was added to that")
    func madeElsewhere() async throws {
        try await library.batch.hold()
        let narrator = Narrator(synthesizer: ScriptedSynthesizer(), segmenter: PlainSegmenter())
        let order = SampleRecording.all[1].order
        let error = await #expect(throws: MadeElsewhere.self) {
            _ = try await BatchRun(in: library, by: narrator, lanes: 1, isQuiet: true).run([order], retrying: [])
        }
        #expect(error?.failure.suggestion?.hasPrefix("What was ordered is in it") == true)
        #expect(error?.code == LibraryError.batchBusy.code)
        #expect(try await library.batch.entries().map(\.order) == [order])
        await #expect(throws: LibraryError.batchBusy) {
            _ = try await BatchRun(in: library, by: narrator, lanes: 1, isQuiet: true).run([], retrying: [])
        }
    }
}
