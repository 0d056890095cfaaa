package import EchoText
import Foundation
import Testing

/// Checks every promise ``NarrationJobs`` makes.
///
/// - Parameters:
///   - jobs: The jobs to check, initially empty.
///   - library: The library that receives the recordings.
///   - reopened: The same jobs in another process, while this one is running.
/// - Throws: Unexpected errors of the jobs.
package func verifyContract(
    of jobs: some NarrationJobs,
    fillingUp library: some AudioLibrary,
    reopened: some NarrationJobs
) async throws {
    let sample = SampleRecording.all[0]
    let job = try await jobs.begin(sample.order, text: sample.text)
    #expect(job.state == .open && job.samples == 0 && job.position == 0 && job.order == sample.order)
    await #expect(throws: LibraryError.jobBusy) { _ = try await reopened.resume(job.id) }
    await #expect(throws: LibraryError.jobNotFound, "there is nothing to make a recording of") {
        _ = try await jobs.finish(job.id)
    }
    try await verifySegments(of: sample, jobs: jobs, job: job.id, library: library, reopened: reopened)
    try await verifyPart(jobs: jobs, library: library)
    try await verifyPlace(of: sample, jobs: jobs, reopened: reopened)

    let unwanted = try await jobs.begin(sample.order, text: sample.text)
    try await jobs.keep(sample.segment, for: unwanted.id)
    try await jobs.discard(unwanted.id)
    #expect(try await jobs.jobs().isEmpty)
    for missing in [unwanted.id, AudioItem.ID()] {
        await #expect(throws: LibraryError.jobNotFound) { _ = try await jobs.resume(missing) }
        await #expect(throws: LibraryError.jobNotFound) { try await jobs.discard(missing) }
        await #expect(throws: LibraryError.jobNotFound) { try await jobs.keep(sample.segment, for: missing) }
        await #expect(throws: LibraryError.jobNotFound) { _ = try await jobs.finish(missing) }
        await #expect(throws: LibraryError.jobNotFound) { try await jobs.leave(missing, as: .stopped, failure: nil) }
    }
}

private func verifySegments(
    of sample: SampleRecording,
    jobs: some NarrationJobs,
    job id: AudioItem.ID,
    library: some AudioLibrary,
    reopened: some NarrationJobs
) async throws {
    let half = sample.samples.count / 2
    let first = NarrationSegment(
        sound: .init(Array(sample.samples[..<half])),
        sentences: sample.sentences,
        position: 30,
        nextSentence: 1,
        leftOut: ["A bad one."]
    )
    // `finish` without any stored segment has released it.
    try await jobs.leave(id, as: .stopped, failure: nil)
    _ = try await jobs.resume(id)
    try await jobs.keep(first, for: id)
    let failure = Failure(SynthesisError.nothingToSay)
    try await jobs.leave(id, as: .failed, failure: failure)
    let left = try #require(try await reopened.jobs().first)
    #expect(left.id == id && left.state == .failed && left.failure == failure)
    #expect(left.leftOut == ["A bad one."], "what could not be spoken is still known")
    #expect(left.length == sample.text.utf16.count, "how far it is can be said without its text")

    #expect(try await reopened.text(ofJob: id) == sample.text)
    let times = try await reopened.timings(ofJob: id)
    #expect(times.sentences == sample.sentences && times.damaged == 0)
    let read = try await reopened.samples(ofJob: id, from: 7, limit: half) == Array(sample.samples[7..<half])
    #expect(read, "what is kept can be heard before it is a recording")
    #expect(try await reopened.samples(ofJob: id, from: half, limit: 10).isEmpty)

    let resumed = try await reopened.resume(id)
    #expect(resumed.text == sample.text)
    #expect(resumed.job.state == .open && resumed.job.failure == nil)
    #expect((resumed.job.position, resumed.job.sentence, resumed.job.samples) == (30, 1, half))
    await #expect(throws: LibraryError.jobBusy) { _ = try await jobs.resume(id) }
    let rest = NarrationSegment(
        sound: .init(Array(sample.samples[half...])),
        sentences: [],
        position: sample.text.utf16.count,
        nextSentence: 2,
        leftOut: ["Another bad one."]
    )
    try await reopened.keep(rest, for: id)
    let later = try await reopened.samples(ofJob: id, from: half + 3, limit: 10)
    let isLater = later == Array(sample.samples[(half + 3)...].prefix(10))
    #expect(isLater, "what is kept can be heard from anywhere")
    #expect(try await reopened.samples(ofJob: id, from: sample.samples.count + 1, limit: 10).isEmpty)
    let item = try await reopened.finish(id)
    #expect(item.id == id && item.name == sample.name && item.duration == sample.length)
    #expect(item.narration?.leftOut == ["A bad one.", "Another bad one."])
    #expect(try await library.item(id) == item)
    #expect(try await jobs.jobs().isEmpty, "a job is not there twice")
    let sound = try await library.sound(of: id)
    #expect(try await sound.read(44..<sound.length) == sample.samples.withUnsafeBytes { Data($0) })
    #expect(try await library.timings(of: id) == sample.sentences)
}

private func verifyPart(jobs: some NarrationJobs, library: some AudioLibrary) async throws {
    let sample = SampleRecording.all[1]
    let job = try await jobs.begin(sample.order, text: sample.text + " And more.")
    try await jobs.keep(sample.segment, for: job.id)
    try await jobs.leave(job.id, as: .stopped, failure: nil)
    _ = try await jobs.finish(job.id)
    #expect(try await library.text(of: job.id) == sample.text, "a part has the text that was narrated")
}

private func verifyPlace(
    of sample: SampleRecording,
    jobs: some NarrationJobs,
    reopened: some NarrationJobs
) async throws {
    let job = try await jobs.begin(sample.order, text: "One.")
    let other = try await jobs.begin(sample.order, text: "Two.")
    #expect(try await jobs.played(ofJob: job.id) == 0)
    try await reopened.save(played: 2.5, ofJob: job.id)
    try await reopened.save(played: 7, ofJob: other.id)
    #expect(try await jobs.played(ofJob: job.id) == 2.5, "whoever holds it, each job has a place of its own")
    try await jobs.leave(job.id, as: .stopped, failure: nil)
    _ = try await jobs.resume(job.id)
    #expect(try await reopened.played(ofJob: job.id) == 2.5)
    for id in [job.id, other.id] {
        try await jobs.discard(id)
        await #expect(throws: LibraryError.jobNotFound) { try await jobs.save(played: 1, ofJob: id) }
        await #expect(throws: LibraryError.jobNotFound) { _ = try await jobs.played(ofJob: id) }
    }
}
