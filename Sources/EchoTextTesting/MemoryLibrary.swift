package import EchoText
import Foundation

/// A library without a disk: recordings, narrations that are not recordings yet, queue and bookmark.
package actor MemoryLibrary: AudioLibrary, NarrationJobs, PlaybackStore {
    struct Recording {
        var item: AudioItem
        var text: String
        var timings: [TimedSentence]
        var cues: [SubtitleCue]?
        var sound: Data
        var marks: [RecordingMark] = []
        /// The bytes of the file that it was imported from, and whether they are kept.
        var file: (bytes: Data, isKept: Bool)?
    }

    private struct Work {
        var job: NarrationJob
        let text: String
        var segments: [NarrationSegment] = []
        var isHeld = true
        var isDamaged = false
        var areTimesDamaged = false
        /// Seconds.
        var played = 0.0
    }

    private var recordings: [AudioItem.ID: Recording] = [:]
    private var work: [AudioItem.ID: Work] = [:]
    private var order: [AudioItem.ID] = []
    private var playback = PlaybackQueue()
    private var mark: Bookmark?
    private var unreadable: Set<AudioItem.ID> = []
    private var damagedSounds: Set<AudioItem.ID> = []
    private var beforeLooks: @Sendable () async -> Void = {}

    package init() {}

    /// Does something whenever ``item(_:)`` or ``items(_:)`` is called, before it returns.
    package func holdUpLooks(by work: @escaping @Sendable () async -> Void) { beforeLooks = work }

    /// Makes a recording one whose row cannot be read from now on.
    package func makeUnreadable(_ id: AudioItem.ID) { unreadable.insert(id) }

    // MARK: - Lists

    package func items(matching query: AudioQuery) -> AudioPage {
        let all = recordings.values.filter { $0.matches(query) }.map(\.item)
        let matching = all.filter { !unreadable.contains($0.id) }.sorted { Self.precede($0, $1, query) }
        let page = matching.dropFirst(max(0, query.offset)).prefix(max(0, query.limit))
        return AudioPage(items: Array(page), total: matching.count, unreadable: all.count - matching.count)
    }

    package func search(_ query: AudioQuery) -> [AudioHit] {
        let words = query.field == .name ? nil : query.words.flatMap { SearchWords($0) }
        return items(matching: query).items.map { item in
            AudioHit(item: item, place: words.flatMap { recordings[item.id]?.place(of: $0) })
        }
    }

    private static func precede(_ one: AudioItem, _ other: AudioItem, _ query: AudioQuery) -> Bool {
        func scalars(_ item: AudioItem) -> [UInt32] { item.name.sortKey.unicodeScalars.map(\.value) }
        let (first, second) = query.isAscending ? (one, other) : (other, one)
        switch query.order {
        case .date where one.created != other.created: return first.created < second.created
        case .length where one.duration != other.duration: return first.duration < second.duration
        case .size where one.size != other.size: return first.size < second.size
        case .name where scalars(one) != scalars(other):
            return scalars(first).lexicographicallyPrecedes(scalars(second))
        default:
            return one.created == other.created ? one.id.rawValue < other.id.rawValue : one.created > other.created
        }
    }

    package func unreadableItems() -> [AudioItem.ID] {
        recordings.values.map(\.item).filter { unreadable.contains($0.id) }.sorted { $0.created < $1.created }.map(\.id)
    }

    package func voices() -> [(id: Voice.ID, name: String)] {
        let narrations = recordings.values.compactMap(\.item.narration)
        let names = Dictionary(narrations.map { ($0.voice, $0.voiceName) }, uniquingKeysWith: max)
        return names.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }.map {
            (id: $0.key, name: $0.value)
        }
    }

    package func origins() -> [AudioOrigin.Kind] {
        AudioOrigin.Kind.allCases.filter { kind in recordings.values.contains { $0.item.origin.kind == kind } }
    }

    // MARK: - Parts and changes

    package func item(_ id: AudioItem.ID) async throws -> AudioItem? {
        await beforeLooks()
        guard !unreadable.contains(id) else { throw VaultError.databaseDamaged }
        return recordings[id]?.item
    }

    package func items(_ ids: Set<AudioItem.ID>) async throws -> [AudioItem] {
        precondition(ids.count <= Self.mostAtOnce, "more than can be asked for at once")
        await beforeLooks()
        guard unreadable.isDisjoint(with: ids) else { throw VaultError.databaseDamaged }
        return ids.compactMap { recordings[$0]?.item }
    }

    package func items(withIDsBeginning prefix: String, limit: Int) -> [AudioItem] {
        recordings.values.map(\.item).filter { $0.id.rawValue.hasPrefix(prefix) }
            .sorted { $0.id.rawValue < $1.id.rawValue }.prefix(max(0, limit)).map(\.self)
    }

    package func text(of id: AudioItem.ID) throws -> String { try recording(id).text }

    package func timings(of id: AudioItem.ID) throws -> [TimedSentence] { try recording(id).timings }

    package func cues(of id: AudioItem.ID) throws -> [SubtitleCue]? { try recording(id).cues }

    package func sound(of id: AudioItem.ID) throws -> any StoredSound {
        let recording = try recording(id)
        guard !damagedSounds.contains(id) else { throw VaultError.contentDamaged }
        return MemorySound(data: recording.sound)
    }

    /// Makes the sound of a recording unreadable.
    package func damageSound(of id: AudioItem.ID) { damagedSounds.insert(id) }

    package func file(of id: AudioItem.ID) throws -> any StoredBytes {
        guard let file = try recording(id).file, file.isKept else { throw LibraryError.fileNotKept }
        return MemorySound(data: file.bytes)
    }

    package func deleteFiles(of ids: Set<AudioItem.ID>) throws {
        for id in ids { _ = try recording(id) }
        for id in ids where recordings[id]?.item.hasFile == true {
            recordings[id]?.item.forgetFile()
            recordings[id]?.file?.isKept = false
        }
    }

    /// Whether there is such a recording, also one that cannot be read.
    func has(_ id: AudioItem.ID) -> Bool { recordings[id] != nil }

    /// Recordings that were imported from these bytes, the oldest first.
    func items(importedFrom bytes: Data) -> [AudioItem] {
        recordings.values.filter { $0.file?.bytes == bytes }.map(\.item).sorted { $0.created < $1.created }
    }

    /// The size of its sound and files.
    func size() -> LibrarySize {
        func sum(_ bytes: (Recording) -> Int) -> Int { recordings.values.reduce(0) { $0 + bytes($1) } }
        return LibrarySize([
            .narrations: sum { $0.item.narration == nil ? 0 : $0.sound.count },
            .recordings: sum { $0.item.narration == nil ? $0.sound.count : 0 },
            .importedFiles: sum { $0.item.source?.fileSize ?? 0 },
        ])
    }

    private func recording(_ id: AudioItem.ID) throws -> Recording {
        guard let recording = recordings[id] else { throw LibraryError.itemNotFound }
        return recording
    }

    package func rename(_ id: AudioItem.ID, to name: ItemName) throws {
        _ = try recording(id)
        recordings[id]?.item.name = name
    }

    package func setFavorite(_ isFavorite: Bool, for ids: Set<AudioItem.ID>) throws {
        for id in ids { _ = try recording(id) }
        for id in ids { recordings[id]?.item.isFavorite = isFavorite }
    }

    package func delete(_ ids: Set<AudioItem.ID>) throws {
        for id in ids { _ = try recording(id) }
        if let marked = bookmark()?.item, ids.contains(marked) { mark?.name = recordings[marked]?.item.name }
        for id in ids { recordings[id] = nil }
        unreadable.subtract(ids)
        playback.removeEntries(of: ids)
    }

    package func deleteUnreadable(matching query: AudioQuery) throws -> [AudioItem.ID] {
        let found = recordings.values.filter { $0.matches(query) }.map(\.item.id)
        let ids = unreadableItems().filter { found.contains($0) }
        try delete(Set(ids))
        return ids
    }

    package func marks(of id: AudioItem.ID) throws -> [RecordingMark] { try recording(id).marks }

    package func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID) throws {
        let count = try recording(id).item.sampleCount
        recordings[id]?.marks = marks.ordered(within: count)
    }

    package func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID, insteadOf seen: [RecordingMark]) throws -> Bool
    {
        guard try self.marks(of: id) == seen else { return false }
        try setMarks(marks, of: id)
        return true
    }

    package func replace(
        _ sentence: TimedSentence,
        with spoken: SpokenSentence,
        in id: AudioItem.ID
    ) throws -> AudioItem {
        var recording = try recording(id)
        let times = recording.item.captionTimes(of: recording.cues)
        guard let replacement = recording.timings.replacing(sentence, with: spoken, keeping: times) else {
            throw LibraryError.recordingChanged
        }
        var samples = Array(recording.sound.dropFirst(WAVHeader.plainLength)).samples
        for edit in replacement.edits.reversed() { samples.replaceSubrange(edit.samples, with: edit.sound) }
        recording.timings = replacement.sentences
        recording.item = recording.item.lasting(samples: samples.count)
        recording.sound = WAVHeader.file(of: samples, sampleRate: recording.item.sampleRate)
        recording.marks = recording.marks.moved(by: replacement.edits).ordered(within: samples.count)
        recordings[id] = recording
        return recording.item
    }

    /// Adds a recording that no voice spoke.
    ///
    /// - Throws: ``LibraryError/recordingThere(name:)`` where it `isUnique`, and another one is of the same file and track.
    func add(_ recording: Recording, isUnique: Bool) throws {
        let others = isUnique ? recording.file.map { items(importedFrom: $0.bytes) } ?? [] : []
        if let there = others.first(where: { $0.source?.track == recording.item.source?.track }) {
            throw LibraryError.recordingThere(name: there.name.text)
        }
        recordings[recording.item.id] = recording
    }

    /// Copies the text of the current transcript, or none, to a recording.
    func follow(_ transcript: Transcript?, in id: AudioItem.ID) {
        guard var recording = recordings[id] else { return }
        let item = recording.item
        recording.text = transcript?.text ?? ""
        recording.timings = transcript?.timings(sampleRate: item.sampleRate, count: item.sampleCount) ?? []
        recording.item.words = transcript?.wordCount ?? 0
        recording.item.isTranscribed = transcript != nil
        if let language = transcript?.language, language != "und" { recording.item.language = language }
        recordings[id] = recording
    }

    // MARK: - Narrations

    package func begin(_ instructions: NarrationOrder, text: String) -> NarrationJob {
        let job = NarrationJob(created: Date(), order: instructions, length: text.utf16.count)
        work[job.id] = Work(job: job, text: text)
        order.append(job.id)
        return job
    }

    package func resume(_ id: AudioItem.ID) throws -> (job: NarrationJob, text: String) {
        guard var found = work[id] else { throw LibraryError.jobNotFound }
        guard !found.isHeld else { throw LibraryError.jobBusy }
        guard !found.isDamaged else { throw LibraryError.jobDamaged }
        found.isHeld = true
        found.job.state = .open
        found.job.failure = nil
        work[id] = found
        return (found.job, found.text)
    }

    package func jobs() -> [NarrationJob] {
        order.compactMap { work[$0] }.map { work in
            guard work.isDamaged else { return work.job }
            let order = NarrationOrder(name: work.job.order.name, voice: work.job.order.voice)
            return NarrationJob(
                id: work.job.id,
                created: work.job.created,
                order: order,
                state: .failed,
                failure: LibraryError.jobDamaged.failure
            )
        }
    }

    /// Makes an unfinished narration unreadable.
    package func damage(job id: AudioItem.ID) { work[id]?.isDamaged = true }

    /// Makes the times of an unfinished narration unreadable.
    package func damageTimes(ofJob id: AudioItem.ID) { work[id]?.areTimesDamaged = true }

    package func keep(_ segment: NarrationSegment, for id: AudioItem.ID) throws {
        guard work[id] != nil else { throw LibraryError.jobNotFound }
        work[id]?.segments.append(segment)
        work[id]?.job.position = segment.position
        work[id]?.job.sentence = segment.nextSentence
        work[id]?.job.samples += segment.sound.count
        work[id]?.job.leaveOut(segment.leftOut)
    }

    package func leave(_ id: AudioItem.ID, as state: NarrationJob.State, failure: Failure?) throws {
        guard work[id] != nil else { throw LibraryError.jobNotFound }
        work[id]?.job.state = state
        work[id]?.job.failure = failure
        work[id]?.isHeld = false
    }

    package func finish(_ id: AudioItem.ID) throws -> AudioItem {
        guard let found = work[id], found.job.samples > 0 else { throw LibraryError.jobNotFound }
        let recording = Recording(finished: found.job, text: found.text, segments: found.segments)
        let played = Bookmark(played: found.played, of: recording.item, made: Date(), beside: bookmark())
        recordings[id] = recording
        work[id] = nil
        if let played { mark = played }
        return recording.item
    }

    package func discard(_ id: AudioItem.ID) throws {
        guard work.removeValue(forKey: id) != nil else { throw LibraryError.jobNotFound }
    }

    package func save(played seconds: Double, ofJob id: AudioItem.ID) throws {
        _ = try job(id)
        work[id]?.played = seconds
    }

    package func played(ofJob id: AudioItem.ID) throws -> Double { try job(id).played }

    package func text(ofJob id: AudioItem.ID) throws -> String { try job(id).text }

    package func timings(ofJob id: AudioItem.ID) throws -> (sentences: [TimedSentence], damaged: Int) {
        let found = try job(id)
        return found.areTimesDamaged ? ([], found.segments.count) : (found.segments.flatMap(\.sentences), 0)
    }

    package func samples(ofJob id: AudioItem.ID, from start: Int, limit: Int) throws -> [Int16] {
        Array(try job(id).segments.flatMap(\.sound.samples).dropFirst(start).prefix(limit))
    }

    private func job(_ id: AudioItem.ID) throws -> Work {
        guard let found = work[id] else { throw LibraryError.jobNotFound }
        return found
    }

    // MARK: - Playback

    package func queue() -> PlaybackQueue { playback }

    package func save(_ queue: PlaybackQueue) { playback = queue }

    package func save(_ queue: PlaybackQueue, insteadOf seen: PlaybackQueue) -> Bool {
        guard playback == seen else { return false }
        playback = queue
        return true
    }

    package func bookmark() -> Bookmark? {
        guard let mark, recordings[mark.item] != nil, !unreadable.contains(mark.item) else { return nil }
        return mark
    }

    package func save(_ bookmark: Bookmark?) { mark = bookmark }

    package func lostBookmark() -> LostBookmark? {
        guard let mark, bookmark() == nil else { return nil }
        return LostBookmark(name: mark.name)
    }
}

extension MemoryLibrary.Recording {
    fileprivate init(finished job: NarrationJob, text: String, segments: [NarrationSegment]) {
        timings = segments.flatMap(\.sentences)
        cues = job.order.cues
        let units = Array(text.utf16)
        let rest = String(decoding: units[min(job.position, units.count)...], as: UTF16.self)
        self.text = rest.allSatisfy(\.isWhitespace) ? text : String(decoding: units[..<job.position], as: UTF16.self)
        sound = WAVHeader.file(of: segments.flatMap(\.sound.samples), sampleRate: job.order.voice.sampleRate)
        let order = job.order
        item = AudioItem(
            id: job.id,
            name: order.name,
            created: job.created,
            duration: Double(job.samples) / Double(order.voice.sampleRate),
            size: sound.count,
            sampleRate: order.voice.sampleRate,
            language: order.voice.language,
            words: self.text.wordCount,
            origin: .narrated(NarrationOrigin(order, leftOut: job.leftOut))
        )
    }

    fileprivate func matches(_ query: AudioQuery) -> Bool {
        func holds(_ range: ClosedRange<Double>?, _ value: Double?) -> Bool {
            guard let range else { return true }
            return value.map { range ~= $0 } ?? false
        }
        let narration = item.narration
        return holds(query.speed, narration?.speed) && holds(query.pitch, narration?.pitch)
            && holds(query.duration, item.duration)
            && (query.origins.isEmpty || query.origins.contains(item.origin.kind))
            && query.created.map { $0 ~= item.created } ?? true
            && query.isFavorite.map { $0 == item.isFavorite } ?? true
            && query.isTranscribed.map { $0 == item.isTranscribed } ?? true
            && query.hasDocument.map { $0 == (narration?.document != nil) } ?? true
            && query.document.map { $0.rawValue == narration?.document?.id } ?? true
            && (query.voices.isEmpty || narration.map { query.voices.contains($0.voice) } ?? false)
            && has(query.words, in: query.field)
    }

    private func has(_ words: String?, in field: AudioQuery.Field) -> Bool {
        guard let words, !words.allSatisfy(\.isWhitespace) else { return true }
        guard let search = SearchWords(words) else { return false }
        return switch field {
        case .name: search.match(item.name.text)
        case .text: search.match(text)
        case .anywhere: search.match("\(item.name.text)\n\(text)")
        }
    }

    fileprivate func place(of words: SearchWords) -> AudioHit.Place? {
        guard let source = words.firstMatch(in: text) else { return nil }
        let sentence = timings.last { $0.source.lowerBound <= source.lowerBound } ?? timings.first
        let word = sentence?.words.last { $0.source.lowerBound <= source.lowerBound }
        let sample = word?.samples.lowerBound ?? sentence?.samples.lowerBound ?? 0
        return AudioHit.Place(
            source: source,
            excerpt: TextExcerpt(of: Array(text.utf16), around: source),
            seconds: Double(sample) / Double(item.sampleRate)
        )
    }
}

extension [UInt8] {
    /// 16-bit samples, the lower byte first.
    fileprivate var samples: [Int16] {
        stride(from: 0, to: count - 1, by: 2).map { Int16(bitPattern: UInt16(self[$0]) | UInt16(self[$0 + 1]) << 8) }
    }
}
