package import EchoText
import Foundation
import Testing

/// Checks every promise ``TranscriptStore`` makes, and that a recording follows its current transcript.
///
/// - Parameters:
///   - transcripts: The store to check.
///   - library: The recordings.
///   - sessions: The sessions that make recordings.
///   - jobs: The jobs that make narrations, which have no transcripts.
/// - Throws: Unexpected errors.
package func verifyContract(
    of transcripts: some TranscriptStore,
    in library: some AudioLibrary,
    filledBy sessions: some RecordingSessions,
    and jobs: some NarrationJobs
) async throws {
    let item = try await recording("Interview", in: sessions)
    let other = try await recording("Another", in: sessions)
    #expect(try await transcripts.versions(of: item.id).isEmpty)
    let first = sample(of: item, saying: ["The lighthouse keeper", "sleeps."], by: "sherpa/tiny")
    let added = try await transcripts.add(first)
    #expect(added == TranscriptVersion(first, number: 1, isCurrent: true) && added.words == 4)
    #expect(try await transcripts.transcript(first.id) == first)
    try await verifyFollowing(first, of: item, in: library)

    let second = sample(of: item, saying: ["A light housekeeper", "", "weeps."], by: "remote/office", language: "de")
    #expect(try await transcripts.add(second).number == 2)
    try await verifyFollowing(second, of: item, in: library)
    let versions = try await transcripts.versions(of: item.id)
    #expect(versions.map(\.id) == [second.id, first.id] && versions.map(\.isCurrent) == [true, false])
    #expect(try await transcripts.transcript(first.id) == first, "a version never changes")
    try await transcripts.makeCurrent(first.id)
    #expect(try await transcripts.versions(of: item.id).map(\.isCurrent) == [false, true])
    try await verifyFollowing(first, of: item, in: library)
    try await library.rename(item.id, to: "Renamed")
    try await verifySearch(for: "lighthouse", item: item.id, in: library)

    try await verifyDeletion(of: [first, second], item: item, in: transcripts, library)
    try await verifyDeletionsAtOnce(of: item, in: transcripts)
    try await verifyFollowing(first, of: item, in: library)
    try await verifyRefusals(by: transcripts, other: other, narration: SampleRecording.all[0].make(in: jobs))
    let last = try await verifyForgetting(of: other, in: transcripts)
    try await library.delete([item.id, other.id])
    await #expect(throws: TranscriptError.notFound, "a transcript goes with its recording") {
        _ = try await transcripts.transcript(last.id)
    }
    await #expect(throws: LibraryError.itemNotFound) { _ = try await transcripts.versions(of: other.id) }
}

/// Adds a version that was made in another recognizer's place, which is then forgotten.
private func verifyForgetting(of item: AudioItem, in transcripts: some TranscriptStore) async throws -> Transcript {
    var made = sample(of: item, saying: ["Gone soon."], by: "sherpa/tiny")
    made.source.insteadOf = FailedRecognizer(Recognizer.ID(rawValue: "remote/office"), Failure(TranscriptError.jobBusy))
    try await transcripts.add(made)
    #expect(try await transcripts.transcript(made.id) == made)
    try await transcripts.forgetFailedRecognizer(of: made.id)
    made.source.insteadOf = nil
    #expect(try await transcripts.transcript(made.id) == made, "all else stays")
    #expect(try await transcripts.versions(of: item.id).map(\.source) == [made.source])
    return made
}

private func verifyDeletion(
    of both: [Transcript],
    item: AudioItem,
    in transcripts: some TranscriptStore,
    _ library: some AudioLibrary
) async throws {
    let edited = sample(of: item, saying: ["The lighthouse keeper", "wakes."], by: nil)
    #expect(try await transcripts.add(edited).number == 3)
    try await transcripts.delete(edited.id)
    #expect(try await transcripts.versions(of: item.id).map(\.isCurrent) == [true, false], "the newest of the others")
    try await verifyFollowing(both[1], of: item, in: library)
    try await transcripts.delete(both[0].id)
    try await verifyFollowing(both[1], of: item, in: library)
    try await transcripts.delete(both[1].id)
    for id in [edited.id, both[0].id, both[1].id] {
        await #expect(throws: TranscriptError.notFound) { _ = try await transcripts.transcript(id) }
        await #expect(throws: TranscriptError.notFound) { try await transcripts.makeCurrent(id) }
        await #expect(throws: TranscriptError.notFound) { try await transcripts.forgetFailedRecognizer(of: id) }
        await #expect(throws: TranscriptError.notFound) { try await transcripts.delete(id) }
    }
    let bare = try #require(try await library.item(item.id))
    #expect(!bare.isTranscribed && bare.words == 0 && bare.language == both[1].language)
    #expect(try await library.text(of: item.id).isEmpty)
    #expect(try await library.timings(of: item.id).isEmpty)
    var query = AudioQuery()
    query.words = "housekeeper"
    #expect(try await library.items(matching: query).total == 0)
    #expect(try await transcripts.add(both[0]).number == 4, "a number is not used twice")
}

/// Versions that are deleted at once are gone, and no other one is.
private func verifyDeletionsAtOnce(of item: AudioItem, in transcripts: some TranscriptStore) async throws {
    let others = try await transcripts.versions(of: item.id)
    let added = (1...8).map { sample(of: item, saying: ["Version \($0)."], by: nil) }
    for transcript in added { try await transcripts.add(transcript) }
    try await withThrowingTaskGroup(of: Void.self) { group in
        for transcript in added { group.addTask { try await transcripts.delete(transcript.id) } }
        try await group.waitForAll()
    }
    #expect(try await transcripts.versions(of: item.id) == others)
}

private func verifyRefusals(
    by transcripts: some TranscriptStore,
    other: AudioItem,
    narration: AudioItem
) async throws {
    await #expect(throws: TranscriptError.ofNarration) {
        try await transcripts.add(sample(of: narration, saying: ["What it says."], by: nil))
    }
    let missing = AudioItem(finished: RecordingSession(created: Date(), order: try order("Missing")), size: 0)
    await #expect(throws: LibraryError.itemNotFound) {
        try await transcripts.add(sample(of: missing, saying: ["Nothing"], by: nil))
    }
    let valid = sample(of: other, saying: ["One two", "three"], by: nil).segments
    var beyond = valid
    beyond[1].time = 1..<90
    var overlapping = valid
    overlapping[1].time = 0.1..<0.9
    var wordless = valid
    wordless[0].text = "One"
    var backwards = valid
    backwards[0].words.reverse()
    for segments in [beyond, overlapping, wordless, backwards] {
        let wrong = Transcript(
            item: other.id,
            created: Date(timeIntervalSince1970: 5),
            source: TranscriptSource(),
            language: "en",
            segments: segments
        )
        await #expect(throws: TranscriptError.invalidSegments) { try await transcripts.add(wrong) }
    }
    #expect(try await transcripts.versions(of: other.id).isEmpty, "nothing of it is kept")
}

private func verifyFollowing(_ transcript: Transcript, of item: AudioItem, in library: some AudioLibrary) async throws {
    let text = transcript.segments.filter { !$0.text.isEmpty }.map(\.text).joined(separator: "\n")
    let found = try #require(try await library.item(item.id))
    #expect(found.isTranscribed && found.language == transcript.language && found.words == transcript.wordCount)
    #expect(try await library.text(of: item.id) == text)
    let sentences = try await library.timings(of: item.id)
    #expect(sentences == transcript.timings(sampleRate: item.sampleRate, count: item.sampleCount))
    let units = Array(text.utf16)
    for (sentence, segment) in zip(sentences, transcript.segments.filter { !$0.text.isEmpty }) {
        #expect(String(decoding: units[sentence.source], as: UTF16.self) == segment.text)
        #expect(sentence.samples.lowerBound == Int(segment.time.lowerBound * Double(item.sampleRate)))
        #expect(sentence.words.count == segment.words.count)
    }
    try await verifySearch(for: String(text.prefix { $0.isLetter }), item: item.id, in: library)
    var query = AudioQuery()
    query.isTranscribed = true
    #expect(try await library.items(matching: query).items.map(\.id) == [item.id])
}

private func verifySearch(for word: String, item: AudioItem.ID, in library: some AudioLibrary) async throws {
    var query = AudioQuery()
    query.words = word
    query.field = .text
    query.origins = [.recorded, .imported]
    let hits = try await library.search(query)
    #expect(hits.map(\.item.id) == [item] && hits.first?.place != nil, "“\(word)” is found where it is said")
}

/// Checks every promise ``TranscriptionJobs`` makes.
///
/// - Parameters:
///   - jobs: The jobs to check, initially empty.
///   - transcripts: The store that receives finished transcripts.
///   - library: The recordings.
///   - sessions: The sessions that make recordings.
///   - reopened: The same jobs in another process, while this one is running.
/// - Throws: Unexpected errors of the jobs.
package func verifyContract(
    of jobs: some TranscriptionJobs,
    fillingUp transcripts: some TranscriptStore,
    in library: some AudioLibrary,
    filledBy sessions: some RecordingSessions,
    reopened: some TranscriptionJobs
) async throws {
    let item = try await recording("To be heard", in: sessions)
    #expect(try await jobs.jobs().isEmpty)
    let order = TranscriptionOrder(
        recognizers: [Recognizer.ID(rawValue: "sherpa/tiny"), Recognizer.ID(rawValue: "remote/office")],
        settings: RecognitionSettings(language: "en", hotwords: ["EchoText"], prompt: "A talk."),
        range: 1..<2.5,
        skipsSilence: false
    )
    await #expect(throws: LibraryError.itemNotFound) { _ = try await jobs.begin(order, for: AudioItem.ID()) }
    let job = try await jobs.begin(order, for: item.id)
    #expect(job == TranscriptionJob(id: job.id, item: item.id, created: job.created, order: order))
    #expect(try await reopened.jobs() == [job])
    await #expect(throws: TranscriptError.jobBusy) { _ = try await reopened.resume(job.id) }
    await #expect(throws: TranscriptError.jobBusy) { try await reopened.keep([], progress: 1, for: job.id) }
    await #expect(throws: TranscriptError.jobBusy) { try await reopened.discard(job.id) }

    let recognized = sample(of: item, saying: ["One two", "three", "four"], by: "sherpa/tiny")
    try await verifySegments(recognized.segments, of: job.id, in: jobs, reopened: reopened)
    try await verifyStates(of: job.id, in: jobs)
    try await verifyStarts(of: job.id, in: jobs, reopened: reopened)
    await #expect(throws: TranscriptError.invalidSegments) {
        let late = recognized.segments.map {
            TranscriptSegment(time: $0.time.lowerBound + 90..<$0.time.upperBound + 90)
        }
        let wrong = Transcript(
            item: item.id,
            created: Date(),
            source: recognized.source,
            language: "en",
            segments: late
        )
        _ = try await jobs.finish(job.id, as: wrong)
    }
    #expect(try await jobs.jobs().map(\.id) == [job.id], "a job that does not become a transcript stays")
    let version = try await jobs.finish(job.id, as: recognized)
    #expect(version == TranscriptVersion(recognized, number: 1, isCurrent: true))
    #expect(try await reopened.jobs().isEmpty, "it is not there twice")
    #expect(try await transcripts.transcript(recognized.id) == recognized)
    #expect(try await library.item(item.id)?.isTranscribed == true)
    try await verifyMissing(job.id, in: jobs, recognized)

    try await verifyDraft(of: item, in: jobs, fillingUp: transcripts)
    try await verifyOwn(of: item, in: jobs, fillingUp: transcripts)
    let unwanted = try await jobs.begin(order, for: item.id)
    try await jobs.keep(recognized.segments, progress: 1, for: unwanted.id)
    try await jobs.discard(unwanted.id)
    try await verifyMissing(unwanted.id, in: jobs, recognized)
    let orphan = try await jobs.begin(order, for: item.id)
    try await library.delete([item.id])
    #expect(try await jobs.jobs().isEmpty, "a job goes with its recording")
    try await verifyMissing(orphan.id, in: jobs, recognized)
}

/// A transcript replaces its draft, unless another version is current by then.
private func verifyDraft(
    of item: AudioItem,
    in jobs: some TranscriptionJobs,
    fillingUp transcripts: some TranscriptStore
) async throws {
    let draft = sample(of: item, saying: ["The draught."], by: "sherpa/tiny")
    try await transcripts.add(draft)
    let order = TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "sherpa/tiny")], draft: draft.id)
    let first = try await jobs.begin(order, for: item.id)
    #expect(try await jobs.jobs().map(\.order) == [order])
    let whole = sample(of: item, saying: ["The draft."], by: "sherpa/tiny")
    #expect(try await jobs.finish(first.id, as: whole).isCurrent)
    let second = try await jobs.begin(order, for: item.id)
    let late = sample(of: item, saying: ["The raft."], by: "sherpa/tiny")
    #expect(try await !jobs.finish(second.id, as: late).isCurrent, "another one was chosen meanwhile")
    let versions = try await transcripts.versions(of: item.id)
    #expect(versions.prefix(3).map(\.id) == [late.id, whole.id, draft.id], "all of them stay")
    #expect(versions.filter(\.isCurrent).map(\.id) == [whole.id])
    for version in versions { try await transcripts.delete(version.id) }
    let third = try await jobs.begin(order, for: item.id)
    let alone = sample(of: item, saying: ["The draft."], by: "sherpa/tiny")
    #expect(try await jobs.finish(third.id, as: alone).isCurrent, "there is no other one")
}

/// A transcript replaces a person's text that was there when it was ordered, and none that was written since.
private func verifyOwn(
    of item: AudioItem,
    in jobs: some TranscriptionJobs,
    fillingUp transcripts: some TranscriptStore
) async throws {
    let before = sample(of: item, saying: ["My words."], by: nil)
    try await transcripts.add(before)
    var order = TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "sherpa/tiny")])
    order.current = before.id
    let first = try await jobs.begin(order, for: item.id)
    let heard = sample(of: item, saying: ["Nine words."], by: "sherpa/tiny")
    #expect(try await jobs.finish(first.id, as: heard).isCurrent)
    order.current = heard.id
    let second = try await jobs.begin(order, for: item.id)
    let since = sample(of: item, saying: ["My own words."], by: nil)
    try await transcripts.add(since)
    let late = sample(of: item, saying: ["Nine words."], by: "sherpa/tiny")
    #expect(try await !jobs.finish(second.id, as: late).isCurrent, "a person has written meanwhile")
    let versions = try await transcripts.versions(of: item.id)
    #expect(versions.prefix(4).map(\.id) == [late.id, since.id, heard.id, before.id], "all of them stay")
    #expect(versions.filter(\.isCurrent).map(\.id) == [since.id])
}

private func verifySegments(
    _ segments: [TranscriptSegment],
    of id: TranscriptionJob.ID,
    in jobs: some TranscriptionJobs,
    reopened: some TranscriptionJobs
) async throws {
    try await jobs.keep([segments[0]], progress: 0.5, for: id)
    #expect(try await reopened.segments(of: id) == [segments[0]])
    try await jobs.keep([segments[2]], progress: 0.75, for: id)
    try await jobs.keep([segments[1]], progress: 1, for: id)
    #expect(try await reopened.segments(of: id) == segments, "by time")
    #expect(try await reopened.jobs().first?.progress == 1)
    await jobs.release(id)
    let resumed = try await reopened.resume(id)
    #expect(resumed.progress == 1)
    await #expect(throws: TranscriptError.jobBusy) { _ = try await jobs.resume(id) }
    try await reopened.restart(id)
    #expect(try await jobs.segments(of: id).isEmpty)
    #expect(try await jobs.jobs().first?.progress == 0)
    await reopened.release(id)
    _ = try await jobs.resume(id)
}

private func verifyStates(of id: TranscriptionJob.ID, in jobs: some TranscriptionJobs) async throws {
    let states: [TranscriptionJob.State] = [
        .running, .waitingForNetwork, .waitingForConsent, .retrying(at: Date(timeIntervalSince1970: 1_790_000_000.5)),
        .failed(Failure(RecognitionError.noRecognizer)), .cancelled, .queued,
    ]
    for (number, state) in states.enumerated() {
        let job = try await jobs.update(id) { job in
            job.state = state
            job.recognizer = 1
            job.failures = number
            job.progress = 9
        }
        #expect((job.state, job.recognizer, job.failures, job.progress) == (state, 1, number, 0))
        #expect(try await jobs.jobs() == [job])
    }
    let failures = states.count - 1
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { try await jobs.update(id) { $0.failures += 1 } } }
        try await group.waitForAll()
    }
    #expect(try await jobs.jobs().map(\.failures) == [failures + 4], "none of the changes that come at once is lost")
}

/// Starts that come to no end are counted as long as a job gets no further, also from process to process.
private func verifyStarts(
    of id: TranscriptionJob.ID,
    in jobs: some TranscriptionJobs,
    reopened: some TranscriptionJobs
) async throws {
    #expect(try await jobs.noteStart(of: id) == 1)
    await #expect(throws: TranscriptError.jobBusy) { _ = try await reopened.noteStart(of: id) }
    await #expect(throws: TranscriptError.jobBusy) { try await reopened.forgetStarts(of: id) }
    await jobs.release(id)
    _ = try await reopened.resume(id)
    try await reopened.update(id) { $0.state = .queued }
    #expect(try await reopened.noteStart(of: id) == 2)
    await reopened.release(id)
    _ = try await jobs.resume(id)
    try await jobs.update(id) { $0.state = .running }
    #expect(try await jobs.noteStart(of: id) == 3)
    try await jobs.keep([], progress: 0.5, for: id)
    #expect(try await jobs.noteStart(of: id) == 2, "it has got further, and the start by which it did counts")
    try await jobs.keep([], progress: 0.5, for: id)
    #expect(try await jobs.noteStart(of: id) == 3)
    let failed = TranscriptionJob.State.failed(Failure(TranscriptError.endedProgram))
    for state in [.waitingForNetwork, .waitingForConsent, failed] as [TranscriptionJob.State] {
        try await jobs.update(id) { $0.state = state }
        #expect(try await jobs.noteStart(of: id) == 1, "\(state) is an end")
    }
    try await jobs.forgetStarts(of: id)
    #expect(try await jobs.noteStart(of: id) == 1)
    try await jobs.restart(id)
    #expect(try await jobs.noteStart(of: id) == 1, "another recogniser begins again")
    try await jobs.update(id) { $0.state = .cancelled }
    try await jobs.update(id) { $0.state = .queued }
}

private func verifyMissing(
    _ id: TranscriptionJob.ID,
    in jobs: some TranscriptionJobs,
    _ transcript: Transcript
) async throws {
    await jobs.release(id)
    await #expect(throws: TranscriptError.jobNotFound) { _ = try await jobs.resume(id) }
    await #expect(throws: TranscriptError.jobNotFound) { _ = try await jobs.segments(of: id) }
    await #expect(throws: TranscriptError.jobNotFound) { try await jobs.keep([], progress: 1, for: id) }
    await #expect(throws: TranscriptError.jobNotFound) { try await jobs.update(id) { $0.failures = 1 } }
    await #expect(throws: TranscriptError.jobNotFound) { try await jobs.restart(id) }
    await #expect(throws: TranscriptError.jobNotFound) { _ = try await jobs.noteStart(of: id) }
    await #expect(throws: TranscriptError.jobNotFound) { try await jobs.forgetStarts(of: id) }
    await #expect(throws: TranscriptError.jobNotFound) { _ = try await jobs.finish(id, as: transcript) }
    await #expect(throws: TranscriptError.jobNotFound) { try await jobs.discard(id) }
}

/// Checks every promise ``OutboundLedger`` makes, on an empty one.
package func verifyContract(of ledger: some OutboundLedger) async throws {
    #expect(try await ledger.records(limit: 10).isEmpty)
    var records = OutboundRecord.Purpose.allCases.enumerated().map { number, purpose in
        OutboundRecord(
            time: Date(timeIntervalSince1970: 1_790_000_000 - Double(number)),
            purpose: purpose,
            host: "speech.example:\(443 + number)",
            bytesSent: 1_000 * number,
            seconds: purpose == .transcription ? 12.5 : nil
        )
    }
    var numbers: [Int] = []
    for record in records { numbers.append(try await ledger.begin(record)) }
    #expect(Set(numbers).count == records.count)
    #expect(
        try await ledger.records(limit: 10) == records.reversed(),
        "the newest first, also when a clock was set back"
    )
    for (index, outcome) in [OutboundRecord.Outcome.answered, .refused, .failed].enumerated() {
        await ledger.end(numbers[index], outcome: outcome, bytesReceived: 10 * index)
        records[index].outcome = outcome
        records[index].bytesReceived = 10 * index
    }
    await ledger.end(1_000_000, outcome: .failed, bytesReceived: 0)
    #expect(try await ledger.records(limit: 10) == records.reversed())
    #expect(try await ledger.records(limit: 2) == [records[3], records[2]])
    #expect(try await ledger.records(limit: 0).isEmpty)
}

// MARK: - Samples

private func order(_ name: ItemName) throws -> RecordingOrder {
    try RecordingOrder(name: name, sampleRate: 8_000, source: .microphone)
}

/// A recording of eight seconds.
private func recording(_ name: ItemName, in sessions: some RecordingSessions) async throws -> AudioItem {
    let session = try await sessions.begin(order(name))
    try await sessions.append(
        RecordingChunk(number: 0, samples: Array(repeating: 100, count: 64_000)),
        to: session.id
    )
    return try await sessions.finish(session.id)
}

/// A transcript with a second for each line; an empty line is silence.
private func sample(
    of item: AudioItem,
    saying lines: [String],
    by recognizer: String?,
    language: String = "en"
) -> Transcript {
    let segments = lines.enumerated().map { number, line in
        let start = Double(number)
        let words = PlainSegmenter().words(in: line, language: "en")
        return TranscriptSegment(
            kind: line.isEmpty ? .silence : .speech,
            time: start..<start + 0.75,
            text: line,
            words: words.enumerated().map { index, word in
                let begun = start + 0.125 * Double(index)
                return RecognizedWord(source: word, start: begun, end: begun + 0.2, confidence: 0.1 * Double(index))
            },
            timing: number == 0 ? .words : .none,
            speaker: number == 0 ? "Anna" : nil,
            remark: recognizer == nil ? .edited : nil
        )
    }
    return Transcript(
        item: item.id,
        created: Date(timeIntervalSince1970: 1_790_000_000),
        source: TranscriptSource(
            recognizer: recognizer.map { Recognizer.ID(rawValue: $0) },
            recognizerName: recognizer,
            settings: RecognitionSettings(language: "en"),
            range: 0..<2.5,
            soundDigest: "abc"
        ),
        language: language,
        segments: segments
    )
}
