package import EchoText
import Foundation
import Testing

/// Checks every promise ``BatchStore`` makes.
///
/// - Parameters:
///   - batch: The batch to check, initially empty.
///   - reopened: The same batch in another process, while this one is running.
/// - Throws: Unexpected errors of the batch.
package func verifyContract(of batch: some BatchStore, reopened: some BatchStore) async throws {
    #expect(try await batch.entries().isEmpty)
    #expect(try await batch.next() == nil)
    #expect(try await batch.counts() == BatchCounts())
    let orders = SampleRecording.all.map(\.order)
    var entries = try await batch.add(Array(orders[..<2]))
    entries += try await batch.add([orders[3]])
    #expect(entries.map(\.order) == [orders[0], orders[1], orders[3]])
    #expect(entries.allSatisfy { $0.state == .waiting } && Set(entries.map(\.id)).count == 3)
    #expect(try await reopened.entries() == entries)

    entries[0].state = .done
    entries[0].narration = AudioItem.ID()
    entries[0].leftOut = ["A bad one."]
    entries[1].state = .failed
    entries[1].failure = Failure(VaultError.contentDamaged)
    for entry in entries { #expect(try await batch.update(entry)) }
    #expect(try await reopened.entries() == entries)
    #expect(try await reopened.next() == entries[2])
    let counts = try await reopened.counts()
    #expect(counts == BatchCounts(of: entries))
    #expect((counts.total, counts.done, counts.failed, counts.current) == (3, 1, 1, 3))
    #expect(try await batch.remove(.one(entries[2].id)) == [entries[2]])
    #expect(try await batch.remove(.one(entries[2].id)).isEmpty)
    #expect(try await batch.update(entries[2]) == false)
    #expect(try await reopened.entries() == Array(entries[..<2]), "what is taken away stays away")
    #expect(try await reopened.counts().isFinished)
    #expect(try await batch.remove(.left).isEmpty)

    let next = try await batch.add([orders[2]])
    #expect(
        try await batch.entries() == [entries[1]] + next,
        "a new batch begins when nothing is left, with what has failed"
    )
    #expect(next[0].id > entries[2].id, "an id is never used twice")
    try await batch.hold()
    await #expect(throws: LibraryError.batchBusy) { try await reopened.hold() }
    await batch.release()
    try await reopened.hold()
    await reopened.release()
    #expect(try await batch.remove(.left) == next)
    let last = try await batch.add(Array(orders[..<2]))
    var done = last[0]
    done.state = .done
    try await batch.update(done)
    #expect(try await batch.remove(.ended) == [entries[1], done])
    #expect(try await batch.remove(.left) == [last[1]])
    try await verifyStarts(in: batch, reopened: reopened, orders[0])
}

/// Starts that come to no end are counted as long as an entry gets no further, also from process to process.
private func verifyStarts(
    in batch: some BatchStore,
    reopened: some BatchStore,
    _ order: NarrationOrder
) async throws {
    var entry = try #require(try await batch.add([order]).first)
    #expect(try await batch.noteStart(of: entry.id, at: 0) == 1)
    #expect(try await reopened.noteStart(of: entry.id, at: 0) == 2)
    #expect(try await reopened.noteStart(of: entry.id, at: 40) == 1, "it has got further")
    entry.state = .begun
    try await batch.update(entry)
    #expect(try await reopened.noteStart(of: entry.id, at: 40) == 2)
    try await batch.forgetStarts(of: entry.id)
    #expect(try await reopened.noteStart(of: entry.id, at: 40) == 1)
    entry.state = .waiting
    try await batch.update(entry)
    #expect(try await reopened.noteStart(of: entry.id, at: 0) == 1, "what is tried again begins again")
    #expect(try await batch.entries() == [entry])
    #expect(try await batch.remove(.left) == [entry])
}

/// Checks every promise ``SpeechCache`` makes.
///
/// - Parameter cache: The cache to check, initially empty.
/// - Throws: Unexpected errors of the cache.
package func verifyContract(of cache: some SpeechCache) async throws {
    func request(_ text: String, at start: Int = 0, speed: Double = 1, version: String = "1") throws -> SpeechRequest {
        let prosody = try Prosody(speed: speed)
        let spoken = SpokenText(written: text, at: start)
        return SpeechRequest(
            Utterance(text: spoken, voice: SampleRecording.voice.id, prosody: prosody),
            version: version
        )
    }
    func fragment(_ seed: Int, at start: Int = 0) -> SpeechFragment {
        SpeechFragment(
            clip: AudioClip(samples: (0..<400).map { Float($0 * seed % 32_767) / 32_767 }, sampleRate: 16_000),
            marks: [
                .init(source: start..<start + 3, samples: 0..<200, precision: .exact),
                .init(source: start + 4..<start + 7, samples: 250..<400, precision: .estimated),
            ]
        )
    }
    #expect(try await cache.speech(for: request("One two")) == nil)
    try await cache.keep([
        (try request("One two", at: 100), fragment(3, at: 100)), (try request("Two one"), fragment(5)),
    ])
    #expect(try await cache.speech(for: request("One two", at: 7)) == fragment(3, at: 7), "wherever it stands")
    #expect(try await cache.speech(for: request("Two one")) == fragment(5))
    for other in [try request("One two."), try request("One two", speed: 1.1), try request("One two", version: "2")] {
        #expect(try await cache.speech(for: other) == nil)
    }
    try await cache.keep([(try request("One two"), fragment(7))])
    #expect(try await cache.speech(for: request("One two")) == fragment(7), "the newest counts")
    #expect(try await cache.size() > 0)
    try await cache.clear()
    #expect(try await cache.size() == 0)
    #expect(try await cache.speech(for: request("One two")) == nil)
}
