package import EchoText
import Foundation
import Testing

/// Checks every promise ``Speeches`` makes, on an empty store.
///
/// - Parameters:
///   - speeches: The store to check.
///   - reopened: The same store in another process, while this one is running.
/// - Throws: Unexpected errors of the store.
package func verifyContract(of speeches: some Speeches, reopened: some Speeches) async throws {
    #expect(try await speeches.speeches().isEmpty)
    #expect(try await speeches.unreadable() == 0)
    let start = Date(timeIntervalSince1970: 1_790_000_000)
    var toast = try Speech(title: "Toast", text: "Dear guests!\nA NUL: \0.", language: "en-GB", created: start)
    let poem = try Speech(text: "Mu isamaa, mu õnn ja rõõm.", language: "et", created: start + 1)
    let long = try Speech(
        title: "Long",
        text: String(repeating: "👩‍👩‍👧‍👦", count: Speech.longest),
        language: "en",
        created: start + 2
    )
    for speech in [toast, poem, long] { try await speeches.save(speech) }
    #expect(try await reopened.speeches() == [long, poem, toast], "the last changed first")
    #expect(try await reopened.speech(toast.id) == toast)
    #expect(try await reopened.speech(Speech.ID()) == nil)

    toast = try toast.changed(title: "A toast", text: "Dear all!", language: "en-US", at: start + 3)
    try await speeches.save(toast)
    #expect(try await reopened.speeches() == [toast, long, poem], "one is replaced")
    let seen = try #require(try await speeches.speech(toast.id))
    let theirs = try seen.changed(title: "Theirs", text: seen.text, language: "en-GB", at: start + 4)
    let mine = try seen.changed(title: "Mine", text: "Dear you!", language: "en-US", at: start + 5)
    #expect(try await reopened.save(theirs, insteadOf: seen))
    #expect(try await !speeches.save(mine, insteadOf: seen), "there is another one")
    #expect(try await speeches.speech(toast.id) == theirs)
    toast = try await speeches.change(toast.id) { present in
        try present.changed(title: present.title.text, text: "Dear both!", language: present.language, at: start + 6)
    }
    #expect(toast.title == theirs.title && toast.language == "en-GB", "what is not changed stays")
    var twins = [
        try Speech(text: "One", language: "en", created: start),
        try Speech(text: "Two", language: "en", created: start),
    ]
    for twin in twins { try await speeches.save(twin) }
    twins.sort { $0.id.rawValue < $1.id.rawValue }
    #expect(try await reopened.speeches() == [toast, long, poem] + twins)

    for speech in twins + [poem] { try await speeches.delete(speech.id) }
    await #expect(throws: SpeechError.notFound) { try await reopened.delete(poem.id) }
    #expect(try await !reopened.save(poem, insteadOf: poem), "it is gone")
    await #expect(throws: SpeechError.notFound) { try await reopened.change(poem.id) { $0 } }
    #expect(try await reopened.speeches() == [toast, long])
}

/// Checks every promise ``PracticeStore`` makes, on an empty store.
///
/// - Parameters:
///   - store: The store to check.
///   - reopened: The same store as the next process sees it, while this one still lives.
/// - Throws: Unexpected errors of the store.
package func verifyContract(of store: some PracticeStore, reopened: some PracticeStore) async throws {
    #expect(try await store.practices().isEmpty)
    #expect(try await store.unreadable() == 0)
    let (first, second) = (SamplePractice.practice(1), SamplePractice.practice(2))
    try await store.add(first, text: "One.\0 Two.")
    try await store.add(second, text: nil)
    try await verifySessions(of: store, reopened: reopened, first, second)
    try await verifyTakes(of: store, reopened: reopened, first.id, second.id)
    try await verifyHardSegments(of: store, reopened: reopened)
    try await store.delete(first.id)
    await #expect(throws: PracticeError.sessionNotFound) { try await reopened.delete(first.id) }
    #expect(try await reopened.practices().isEmpty)
}

private func verifySessions(
    of store: some PracticeStore,
    reopened: some PracticeStore,
    _ first: PracticeRecord,
    _ second: PracticeRecord
) async throws {
    #expect(try await reopened.practices() == [second, first], "the last used first")
    #expect(try await reopened.practice(first.id) == first)
    #expect(try await reopened.text(of: first.id) == "One.\0 Two.")
    #expect(try await reopened.text(of: second.id) == nil)
    var changed = second
    _ = changed.session.handle(.begin, at: .zero)
    _ = changed.session.handle(.end, at: .seconds(1))
    changed.tally.played(3)
    changed.tally.spent(12.5)
    changed.summary = changed.tally.summary(of: [])
    changed.updated = second.updated + 60
    try await store.update(changed)
    #expect(try await reopened.practice(second.id) == changed)
    #expect(try await reopened.practices() == (changed.isFinished ? [first, changed] : [changed, first]))
    let stranger = SamplePractice.practice(3)
    await #expect(throws: PracticeError.sessionNotFound) { try await store.update(stranger) }
    await #expect(throws: PracticeError.sessionNotFound) { _ = try await store.practice(stranger.id) }
    await #expect(throws: PracticeError.sessionNotFound) { _ = try await store.text(of: stranger.id) }
}

private func verifyTakes(
    of store: some PracticeStore,
    reopened: some PracticeStore,
    _ first: PracticeRecord.ID,
    _ second: PracticeRecord.ID
) async throws {
    #expect(try await store.takes(of: first).isEmpty)
    let takes = (1...3).map { SamplePractice.take($0, of: first) }
    let other = SamplePractice.take(1, of: second)
    let sound = WAVHeader.file(of: [1, -2, 3], sampleRate: 16_000)
    for take in takes + [other] { try await store.add(take, sound: sound) }
    #expect(try await reopened.takes(of: first) == takes)
    #expect(try await reopened.take(takes[1].id) == takes[1])
    let kept = try await reopened.sound(of: takes[0].id)
    #expect(try await kept.read(0..<kept.length) == sound)
    #expect(try await reopened.score(of: takes[0].id) == nil)

    let score = SamplePractice.score
    for (take, keepsSound) in zip(takes, [true, false]) {
        try await store.keep(score, of: take.id, keepsSound: keepsSound)
        var scored = take
        (scored.isScored, scored.score, scored.pace) = (true, score.score, score.pace.take)
        scored.hasSound = keepsSound
        #expect(try await reopened.take(take.id) == scored)
        #expect(try await reopened.score(of: take.id) == score)
    }
    #expect(try await reopened.sound(of: takes[0].id).length == sound.count)
    await #expect(throws: PracticeError.takeNotFound, "its sound is gone") {
        _ = try await reopened.sound(of: takes[1].id)
    }
    try await store.delete(takes[0].id)
    #expect(try await reopened.takes(of: first).map(\.id) == takes[1...].map(\.id))
    try await store.delete(second)
    for gone in [takes[0].id, other.id] {
        await #expect(throws: PracticeError.takeNotFound) { _ = try await reopened.take(gone) }
        await #expect(throws: PracticeError.takeNotFound) { _ = try await reopened.sound(of: gone) }
        await #expect(throws: PracticeError.takeNotFound) { _ = try await reopened.score(of: gone) }
        await #expect(throws: PracticeError.takeNotFound) {
            try await store.keep(score, of: gone, keepsSound: true)
        }
        await #expect(throws: PracticeError.takeNotFound) { try await store.delete(gone) }
    }
    await #expect(throws: PracticeError.sessionNotFound) { try await store.add(other, sound: sound) }
    await #expect(throws: PracticeError.sessionNotFound) { _ = try await reopened.takes(of: second) }
}

private func verifyHardSegments(of store: some PracticeStore, reopened: some PracticeStore) async throws {
    #expect(try await store.hardSegments().isEmpty)
    let start = Date(timeIntervalSince1970: 1_790_000_000)
    let late = HardSegment(text: "She sells sea shells.", language: "en", score: 0.25, at: start + 60)
    let soon = HardSegment(text: "Jüriöö", language: "et", score: nil, at: start)
    for segment in [late, soon] { try await store.keep(segment) }
    #expect(try await reopened.hardSegments() == [soon, late], "those that are due first")
    var better = soon
    _ = better.practiced(score: 0.9, at: start + 90)
    try await store.keep(better)
    #expect(try await reopened.hardSegments().contains(better))
    #expect(try await reopened.hardSegments().count == 2, "one is replaced")
    try await store.removeHardSegment(late.digest)
    try await store.removeHardSegment(late.digest)
    #expect(try await reopened.hardSegments() == [better])
}

/// Practice that tests keep.
package enum SamplePractice {
    /// Practice session `number` of several, each used later than the previous one.
    package static func practice(_ number: Int) -> PracticeRecord {
        PracticeRecord(
            created: Date(timeIntervalSince1970: 1_790_000_000 + Double(number)),
            title: "Toast",
            language: "en-GB",
            source: .text("", language: "en-GB"),
            voice: Voice.ID(rawValue: "espeak/en-GB"),
            speaker: 0,
            session: PracticeSession(PracticeSettings(), known: 2, isComplete: true)
        )
    }

    package static func take(_ number: Int, of practice: PracticeRecord.ID) -> PracticeTake {
        PracticeTake(
            practice: practice,
            created: Date(timeIntervalSince1970: 1_790_000_100 + Double(number)),
            segment: number,
            repetition: 1,
            rate: number == 1 ? nil : 0.35,
            text: "Segment \(number)\0.",
            seconds: 1.5,
            isKept: number != 1
        )
    }

    package static let score = TakeScore(
        score: 0.5,
        reason: nil,
        words: [
            .init(kind: .said, source: 0..<3, heard: nil, take: 0.25..<0.5, model: 0..<0.25),
            .init(kind: .missed, source: 4..<7, heard: nil, take: nil, model: nil),
        ],
        extra: [.init(heard: "well", after: 1, time: nil)],
        pace: .init(take: 60, model: 120),
        pauses: .init(take: [0.5..<1], model: []),
        picture: .init(
            take: SoundPicture(step: 0.25, pitch: [220, nil], loudness: [-20, -60]),
            model: SoundPicture(step: 0.25, pitch: [nil], loudness: [-20])
        )
    )
}
