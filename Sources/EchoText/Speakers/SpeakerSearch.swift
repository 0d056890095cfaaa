package import Foundation
import OrderedCollections

/// How far the search for the speakers of a transcript has come.
package struct SpeakerSearch: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// Another search is under way.
        case queued
        case running
        /// The version that names them.
        case done(TranscriptVersion)
        case failed(Failure)
        case cancelled

        package var isUnderWay: Bool { self == .queued || self == .running }
    }

    package let transcript: Transcript.ID
    package let item: AudioItem.ID
    package var state = State.queued
    /// The share of the work that is done, from 0 to 1.
    package var progress = 0.0

    package init(of transcript: Transcript.ID, _ item: AudioItem.ID) {
        (self.transcript, self.item) = (transcript, item)
    }
}

/// Finds the speakers of transcripts in sequence, while a library is open.
///
/// A search is not a job of the library: it ends when the library is closed, and has to be started again.
package actor SpeakerSearches {
    /// The most searches that are under way or waiting.
    package static let maximumPending = 20

    private let finding: SpeakerFinding
    private let tools: TranscriptionTools
    private let events: StudioEvents
    private var queue = JobQueue<Work, Never>()

    private struct Work: Identifiable {
        var search: SpeakerSearch
        let count: SpeakerCount

        var id: Transcript.ID { search.transcript }
    }

    /// - Parameters:
    ///   - library: The library with the recordings and the transcripts.
    ///   - tools: The diarizer, and the sample rate conversion for it.
    ///   - events: Receives progress and ends.
    package init(in library: Library, with tools: TranscriptionTools, events: StudioEvents) {
        finding = SpeakerFinding(in: library, with: tools)
        (self.tools, self.events) = (tools, events)
    }

    /// Whether a search is running.
    package var isBusy: Bool { queue.jobs.values.contains { $0.search.state.isUnderWay } }

    /// The models that are installed, the newest first.
    package func models() async throws -> [SpeakerModel] { try await tools.diarizer.models() }

    /// The searches that are under way or waiting, or have failed.
    package var searches: [SpeakerSearch] {
        queue.jobs.values.map(\.search).sorted { $0.transcript.rawValue < $1.transcript.rawValue }
    }

    /// Begins to find the speakers of a transcript; it runs until it ends or ``cancel(_:)`` is called.
    ///
    /// - Throws: As ``SpeakerFinding/prepare(_:)``; ``SpeakerError/busy``, ``LibraryError/tooManyJobs(limit:)``,
    ///   ``VaultError/locked``.
    package func begin(_ id: Transcript.ID, _ count: SpeakerCount) async throws -> SpeakerSearch {
        let transcript = try await finding.prepare(id).transcript
        guard !queue.isClosed else { throw VaultError.locked }
        guard queue.jobs[id]?.search.state.isUnderWay != true else { throw SpeakerError.busy }
        guard queue.jobs.values.count(where: \.search.state.isUnderWay) < Self.maximumPending else {
            throw LibraryError.tooManyJobs(limit: Self.maximumPending)
        }
        let search = SpeakerSearch(of: id, transcript.item)
        queue.take(Work(search: search, count: count))
        queue.lineUp(id)
        beginNext()
        await events.post(.speakers(search))
        return search
    }

    /// Stops a search, or removes a failed one.
    ///
    /// - Throws: ``SpeakerError/notFound``.
    package func cancel(_ id: Transcript.ID) async throws {
        guard queue.jobs[id] != nil else { throw SpeakerError.notFound }
        guard !queue.isWaiting(id) else { return await leave(id, as: .cancelled) }
        let task = queue.tasks[id]
        task?.cancel()
        await task?.value
        guard queue.jobs[id]?.search.state.isUnderWay == false else { return }
        await leave(id, as: .cancelled)
    }

    /// The recordings of the searches that this process knows of.
    var items: Set<AudioItem.ID> { Set(queue.jobs.values.map(\.search.item)) }

    /// Ends the searches in recordings that were deleted.
    package func endAll(of items: Set<AudioItem.ID>) async {
        for (id, work) in queue.jobs where items.contains(work.search.item) {
            // Its models may need a while to stop; its lane is free then.
            queue.tasks[id]?.cancel()
            await leave(id, as: .cancelled)
        }
    }

    /// Stops all searches.
    package func close() async {
        queue.close()
        let tasks = queue.tasks.values
        for task in tasks { task.cancel() }
        for id in queue.jobs.keys where queue.isWaiting(id) { await leave(id, as: .cancelled) }
        for task in tasks { await task.value }
        queue.removeAll()
    }

    private func beginNext() {
        for id in queue.begin() { queue.tasks[id] = Task { await self.run(id) } }
    }

    private func run(_ id: Transcript.ID) async {
        await change(id) { $0.state = .running }
        let found: Result<TranscriptVersion, any Error>
        do {
            guard let count = queue.jobs[id]?.count else { throw CancellationError() }
            found = .success(
                try await finding.find(in: id, count) { share in
                    Task { await self.reach(share, in: id) }
                }
            )
        } catch {
            found = .failure(error)
        }
        queue.free(id)
        beginNext()
        switch found {
        case .success(let version):
            await leave(id, as: .done(version))
            await events.post(.library(changed: [version.item]))
        case .failure(is CancellationError): await leave(id, as: .cancelled)
        case .failure(let error): await change(id) { $0.state = .failed(Failure(error)) }
        }
    }

    /// Reports each hundredth once; reports may arrive out of order.
    private func reach(_ share: Double, in id: Transcript.ID) async {
        guard let search = queue.jobs[id]?.search, search.state == .running,
            (share * 100).rounded(.down) > (search.progress * 100).rounded(.down)
        else { return }
        await change(id) { $0.progress = share }
    }

    private func change(_ id: Transcript.ID, _ body: (inout SpeakerSearch) -> Void) async {
        guard var search = queue.jobs[id]?.search else { return }
        body(&search)
        queue.jobs[id]?.search = search
        await events.post(.speakers(search))
    }

    private func leave(_ id: Transcript.ID, as state: SpeakerSearch.State) async {
        guard var search = queue.remove(id)?.search else { return }
        search.state = state
        await events.post(.speakers(search))
    }
}

/// Finds the speakers of transcripts, and adds versions in which they are named.
package struct SpeakerFinding: Sendable {
    private let library: Library
    private let tools: TranscriptionTools
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - library: The library with the recordings and the transcripts.
    ///   - tools: The diarizer, and the sample rate conversion for it.
    ///   - now: Returns the time of day.
    package init(in library: Library, with tools: TranscriptionTools, now: @escaping @Sendable () -> Date = { Date() })
    {
        (self.library, self.tools, self.now) = (library, tools, now)
    }

    /// Checks the preconditions before the analysis.
    ///
    /// - Returns: The transcript and its recording.
    /// - Throws: ``TranscriptError/notFound``, ``LibraryError/itemNotFound``, ``SpeakerError/missingModels(_:)``,
    ///   ``SpeakerError/tooLong``.
    package func prepare(_ id: Transcript.ID) async throws -> (transcript: Transcript, item: AudioItem) {
        let transcript = try await library.transcripts.transcript(id)
        guard let item = try await library.audio.item(transcript.item) else { throw LibraryError.itemNotFound }
        _ = try SpeakerModels(of: await tools.diarizer.models())
        guard item.duration <= SpeakerDiarization.longest else { throw SpeakerError.tooLong }
        return (transcript, item)
    }

    /// Finds the speakers of a transcript, and makes the version that names them the current one.
    ///
    /// If another version, such as a correction, became current meanwhile, the speakers are named in that version.
    ///
    /// - Parameters:
    ///   - id: The id of any version.
    ///   - count: How many people speak.
    ///   - report: Called with the fraction of the work done, from 0 to 1.
    /// - Returns: The new version.
    /// - Throws: As ``prepare(_:)``; ``SpeakerError``, ``RecognitionError``, what reading throws, `CancellationError`.
    package func find(
        in id: Transcript.ID,
        _ count: SpeakerCount,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> TranscriptVersion {
        let (_, item) = try await prepare(id)
        let wasCurrent = try await current(of: item.id) == id
        let reader = try await RecordingReader(of: library.audio.sound(of: item.id))
        let isConverted = reader.sampleRate != RecognitionClip.sampleRate
        let conversion = isConverted ? try tools.conversion(reader.sampleRate, RecognitionClip.sampleRate) : nil
        let turns = try await tools.diarizer.turns(
            in: ConvertedClips(RecordingClips(reader), by: conversion),
            seconds: reader.duration,
            count,
            report: report
        )
        try Task.checkCancellation()
        guard !turns.isEmpty else { throw SpeakerError.nobodyHeard }
        // The text that a person has corrected meanwhile stays the current one.
        let base = wasCurrent ? try await current(of: item.id) ?? id : id
        let labelled = try await library.transcripts.transcript(base).labelled(by: turns, at: now())
        guard (labelled.source.speakers ?? 0) > 0 else { throw SpeakerError.nobodyHeard }
        // The caller's task may be cancelled meanwhile; a version is added whole or not at all.
        return try await Task { try await library.transcripts.add(labelled) }.value
    }

    private func current(of item: AudioItem.ID) async throws -> Transcript.ID? {
        try await library.transcripts.versions(of: item).first(where: \.isCurrent)?.id
    }
}

extension Transcript {
    /// The label of an unnamed speaker, “Speaker 1”; the page shows it in the person's language.
    package static func speakerLabel(_ number: Int) -> String { "Speaker \(number)" }

    /// Whether a speaker has a number and no name.
    private static func isSpeakerLabel(_ speaker: String) -> Bool {
        Int(speaker.drop(while: { !$0.isNumber })).map(speakerLabel) == speaker
    }

    /// Makes the version in which every segment has its speaker.
    ///
    /// A segment gets the speaker whose turns overlap it longest. A segment with several speakers is divided between
    /// words, if its words have measured times; texts, words, times and confidences do not change. Speakers are
    /// numbered from 1 in the order in which they first speak. A segment outside all turns keeps its speaker, but no
    /// number of an earlier search, which may be somebody else's now.
    ///
    /// - Parameters:
    ///   - turns: Who speaks when.
    ///   - time: The present time.
    /// - Returns: A version with a new id, whose base is this one.
    package func labelled(by turns: [SpeakerTurn], at time: Date) -> Transcript {
        let labelling = SpeakerLabelling(turns)
        var numbers: [Int: Int] = [:]
        let parts = segments.flatMap(labelling.parts).map { part in
            var segment = part.segment
            guard let speaker = part.speaker else {
                if segment.speaker.map(Self.isSpeakerLabel) == true { segment.speaker = nil }
                return segment
            }
            let number = numbers[speaker, default: numbers.count + 1]
            numbers[speaker] = number
            segment.speaker = Self.speakerLabel(number)
            return segment
        }
        var source = source
        (source.base, source.range, source.speakers) = (id, nil, numbers.count)
        return Transcript(item: item, created: time, source: source, language: language, segments: parts)
    }
}

/// A part of a segment, and its speaker.
private struct SpokenPart {
    var segment: TranscriptSegment
    var speaker: Int?
}

/// Assigns speakers to words and segments.
private struct SpeakerLabelling {
    /// Ordered by their starts.
    private let turns: [SpeakerTurn]
    /// The longest turn, in seconds: turns that start earlier than this before a time do not reach it.
    private let longest: Double

    init(_ turns: [SpeakerTurn]) {
        self.turns = turns.sorted { $0.time.lowerBound < $1.time.lowerBound }
        longest = turns.map { $0.time.upperBound - $0.time.lowerBound }.max() ?? 0
    }

    func parts(of segment: TranscriptSegment) -> [SpokenPart] {
        guard segment.kind == .speech else { return [SpokenPart(segment: segment)] }
        guard segment.isExact, !segment.words.isEmpty else {
            return [SpokenPart(segment: segment, speaker: speaker(in: segment.time, before: nil))]
        }
        let speakers = speakers(of: segment.words)
        guard let main = speakers[0] else {
            return [SpokenPart(segment: segment, speaker: speaker(in: segment.time, before: nil))]
        }
        var parts: [SpokenPart] = []
        var rest = segment
        var current = main
        var cut = 0
        for (index, speaker) in speakers.enumerated() where speaker != current {
            let (first, second) = rest.divided(before: index - cut, at: change(to: speaker, in: segment, before: index))
            parts.append(SpokenPart(segment: first, speaker: current))
            (rest, cut, current) = (second, index, speaker ?? current)
        }
        return parts + [SpokenPart(segment: rest, speaker: current)]
    }

    /// The speaker of each word; a word outside all turns gets the previous speaker, or the next one.
    private func speakers(of words: [RecognizedWord]) -> [Int?] {
        var speakers: [Int?] = []
        for word in words {
            let before = speakers.last ?? nil
            speakers.append(speaker(in: word.start..<word.end, before: before) ?? before)
        }
        let first = speakers.first { $0 != nil } ?? nil
        return speakers.map { $0 ?? first }
    }

    /// The speaker whose turns overlap `time` longest; among equals, the previous speaker.
    private func speaker(in time: Range<Double>, before: Int?) -> Int? {
        var shares: [Int: Double] = [:]
        for turn in around(time) {
            let shared = min(turn.time.upperBound, time.upperBound) - max(turn.time.lowerBound, time.lowerBound)
            // A word may take no time.
            guard shared > 0 || time.isEmpty && turn.time.contains(time.lowerBound) else { continue }
            shares[turn.speaker, default: 0] += shared
        }
        guard let most = shares.values.max() else { return nil }
        let best = shares.filter { $0.value >= most - 1e-6 }.keys
        return before.flatMap { best.contains($0) ? $0 : nil } ?? best.min()
    }

    private func around(_ time: Range<Double>) -> ArraySlice<SpeakerTurn> {
        let first = turns.partition { $0.time.lowerBound >= time.lowerBound - longest }
        return turns[first...].prefix { $0.time.lowerBound <= time.upperBound }
    }

    /// The start of the turn of `speaker` that a word begins, limited to the time between that word and the previous
    /// one.
    private func change(to speaker: Int?, in segment: TranscriptSegment, before index: Int) -> Double {
        let (last, next) = (segment.words[index - 1], segment.words[index])
        let turn = around(last.start..<next.end).last { $0.speaker == speaker && $0.time.lowerBound <= next.end }
        let start = turn?.time.lowerBound ?? next.start
        return min(max(start, min(last.end, next.start)), next.start)
    }
}

extension TranscriptSegment {
    /// The segment as two, without the white space between them.
    ///
    /// - Parameters:
    ///   - index: The word with which the second begins; not the first word.
    ///   - time: When the second begins, in seconds.
    /// - Returns: Both, with every word where it was in the text and in time.
    fileprivate func divided(before index: Int, at time: Double) -> (TranscriptSegment, TranscriptSegment) {
        let units = Array(text.utf16)
        let from = words[index - 1].source.upperBound
        let until = max(from, words[index].source.lowerBound)
        // Punctuation before a word, such as a quotation mark, belongs to it.
        let space = units[from..<until].lastIndex { Unicode.Scalar($0)?.properties.isWhitespace ?? false }
        let begin = space.map { $0 + 1 } ?? until
        var end = begin
        while end > from, Unicode.Scalar(units[end - 1])?.properties.isWhitespace ?? false { end -= 1 }
        let place = min(max(time, self.time.lowerBound), self.time.upperBound)
        var (first, second) = (self, self)
        first.text = String(decoding: units[..<end], as: UTF16.self)
        first.words = Array(words[..<index])
        first.time = self.time.lowerBound..<place
        second.text = String(decoding: units[begin...], as: UTF16.self)
        second.words = words[index...].map { word in
            var word = word
            word.source = word.source.moved(by: -begin)
            return word
        }
        second.time = place..<self.time.upperBound
        return (first, second)
    }
}
