package import Foundation

/// Runs practice sessions: it synthesizes segments ahead of time, and stores sessions, takes and hard segments.
///
/// ```swift
/// let practice = try await sessions.begin(order, voices: voices)
/// let begun = PracticeSessions.TimedEvent(.event(.begin), at: .zero)
/// let (_, actions) = try await sessions.handle([begun], in: practice.id, voices: voices)
/// ```
package actor PracticeSessions: Closeable {
    /// A person's order for practice.
    package struct Order: Sendable {
        package var source: PracticeSource
        /// BCP 47, where the source does not say.
        package var language: String?
        package var settings = PracticeSettings.Changes()
        /// An id or a language; the profile's voice, or the best for the language, when absent.
        package var voice: String?
        /// Which of the voice's people; the profile's where its voice reads, else the first, when absent.
        package var speaker: VoiceSpeaker?
        /// Which segment is first, from 1.
        package var first = 1

        package init(_ source: PracticeSource) {
            self.source = source
        }
    }

    /// An event of a session, with its time on the client's clock.
    package struct TimedEvent: Sendable {
        package enum Kind: Sendable {
            case event(PracticeEvent)
            /// Settings of which only some are given.
            ///
            /// Later sessions begin with them if they are kept; they are not where the person did not choose them.
            case change(PracticeSettings.Changes, isKept: Bool = true)
            /// Whether the turns are recorded while this process has the session open; `nil` for as the person chose.
            ///
            /// It is never stored, so that it ends with the process, however that ends.
            case record(Bool?)
        }

        package let kind: Kind
        package let time: Duration

        package init(_ kind: Kind, at time: Duration) {
            (self.kind, self.time) = (kind, time)
        }
    }

    /// Sessions that are open at once; those that were used last stay open.
    static let maximumOpen = 4

    let library: Library
    let narrator: Narrator
    let tools: TranscriptionTools
    let events: StudioEvents
    let now: @Sendable () -> Date
    /// Ordered by last use, latest last.
    private var open: [(id: PracticeRecord.ID, practice: OpenPractice)] = []
    private let openings = SingleFlight<PracticeRecord.ID, OpenPractice>()
    let scorings = SingleFlight<PracticeTake.ID, TakeScore>()
    let recognition: TakeRecognition
    /// The recognizers as they were listed last, and the number of the last event before that.
    var listed: (recognizers: Recognizers, event: Int)?
    private var isClosed = false

    /// - Parameters:
    ///   - library: The library with the texts and the sessions.
    ///   - narrator: Synthesizes the segments.
    ///   - tools: Recognize the takes.
    ///   - events: Receives an event when a list changes.
    ///   - now: The time of day.
    package init(
        in library: Library,
        by narrator: Narrator,
        with tools: TranscriptionTools,
        events: StudioEvents,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.library = library
        self.narrator = narrator
        self.tools = tools
        self.events = events
        self.now = now
        recognition = TakeRecognition(with: tools)
    }

    /// Whether somebody practices now.
    package var isBusy: Bool {
        get async {
            for (_, practice) in open where await practice.isGoingOn { return true }
            return false
        }
    }

    // MARK: - Sessions

    /// Begins a session; it is stored when this returns, and its first segments are being synthesized.
    ///
    /// - Parameters:
    ///   - order: The person's order.
    ///   - voices: The voices that can speak now.
    /// - Returns: The session.
    /// - Throws: ``PracticeError``, ``SynthesisError``, and what reading the source throws.
    package func begin(_ order: Order, voices: [Voice]) async throws -> PracticeRecord {
        let resolved = try await ResolvedPractice(order, in: library, among: voices, at: now())
        let (text, settings) = (resolved.text, resolved.settings)
        var practice = PracticeRecord(
            created: time,
            title: text.title,
            language: resolved.language,
            source: text.source,
            voice: resolved.voice.id,
            speaker: resolved.speaker,
            session: PracticeSession(settings, from: order.first)
        )
        let opened = try opened(practice, text.text, resolved.voice, resolved.defaults)
        practice = try await opened.start()
        do {
            try await library.practice.add(practice, text: text.isKept ? text.text : nil)
            guard !isClosed else { throw VaultError.locked }
        } catch {
            await opened.close()
            throw error
        }
        await take(opened, for: practice.id)
        // That one session is recorded, or its takes discarded, as a command may ask, says nothing about later ones on
        // the page.
        let usual = try await library.settings.practice()
        var lasting = settings
        if settings.records { lasting.records = usual.records }
        if !settings.keepsTakes { lasting.keepsTakes = usual.keepsTakes }
        try await keepSettings(lasting, of: practice.source)
        await events.post(.practice)
        return practice
    }

    /// Lists all sessions: the unfinished ones first, then the others, each ordered by last use, latest first.
    ///
    /// - Throws: ``VaultError``.
    package func sessions() async throws -> [PracticeRecord] {
        let kept = try await library.practice.practices()
        var newest: [PracticeRecord] = []
        for practice in kept { newest.append(await self.newest(practice)) }
        newest.sort { $0.updated > $1.updated }
        return newest.filter { !$0.isFinished } + newest.filter(\.isFinished)
    }

    /// - Throws: ``PracticeError/sessionNotFound``, ``VaultError``.
    package func session(_ id: PracticeRecord.ID) async throws -> PracticeRecord {
        guard let open = present(id) else { return try await library.practice.practice(id).atRest }
        guard let stored = try? await library.practice.practice(id) else { return await open.practice }
        return await newest(stored)
    }

    /// The session as it is open here, or as another process has stored it since.
    private func newest(_ stored: PracticeRecord) async -> PracticeRecord {
        // Changes that are stored asynchronously may be missing in the library.
        guard let open = present(stored.id), await !open.isBehind(stored) else { return stored.atRest }
        return await open.practice
    }

    /// Handles events of a session.
    ///
    /// - Throws: As ``OpenPractice/handle(_:)``, and what opening the session throws.
    package func handle(
        _ happened: [TimedEvent],
        in id: PracticeRecord.ID,
        voices: [Voice]
    ) async throws -> (practice: PracticeRecord, actions: [PracticeAction]) {
        let practice = try await practice(id, voices)
        let wasFinished = await practice.practice.isFinished
        let outcome = try await practice.handle(happened)
        let hasChanged = happened.contains(where: \.isChange)
        try await keepChanges(happened.compactMap(\.keptChange), of: outcome.practice.source)
        // Another page may show the same session with its microphone open.
        if hasChanged || outcome.practice.isFinished != wasFinished { await events.post(.practice) }
        // A segment that could not be noted is offered again, and the practice continues either way.
        if !outcome.practice.session.settings.records {
            try? await notePracticed(outcome.played, in: outcome.practice.language)
        }
        return (outcome.practice, outcome.actions)
    }

    /// Deletes a session with its takes.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``, ``VaultError``.
    package func delete(_ id: PracticeRecord.ID) async throws {
        if let index = open.firstIndex(where: { $0.id == id }) { await open.remove(at: index).practice.close() }
        try await library.practice.delete(id)
        await events.post(.practice)
    }

    /// Halts and closes all sessions.
    package func close() async {
        isClosed = true
        await openings.stopAll()
        await scorings.stopAll()
        let closing = open
        open = []
        for (id, practice) in closing {
            // The progress of another process since then stays.
            let stored = try? await library.practice.practice(id)
            let isBehind = if let stored { await practice.isBehind(stored) } else { false }
            await practice.close(for: isBehind ? nil : .locked)
        }
        await recognition.close()
    }

    // MARK: - Segments

    /// Returns some segments of a session's text.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - first: The number of the first segment, from 1.
    ///   - count: The maximum number of segments.
    ///   - voices: The voices that can speak now.
    /// - Returns: The existing segments, the number of known ones, and whether these are all.
    /// - Throws: What opening the session and reading its text throw.
    package func segments(
        of id: PracticeRecord.ID,
        from first: Int,
        count: Int,
        voices: [Voice]
    ) async throws -> (segments: [PracticeSegment], known: Int, isComplete: Bool) {
        try await practice(id, voices).segments(from: first, count: count)
    }

    /// Returns the sound of a segment, which is synthesized now if needed.
    ///
    /// - Throws: ``PracticeError/noSuchSegment(_:)``, ``SynthesisError``, and what opening the session throws.
    package func sound(
        of segment: Int,
        rate: Double,
        in id: PracticeRecord.ID,
        voices: [Voice]
    ) async throws -> SegmentSound {
        try PracticeSettings.check(rate: rate)
        return try await practice(id, voices).sound(of: segment, rate: rate)
    }

    /// As ``sound(of:rate:in:voices:)``; the sound is handed on while it is being synthesized.
    ///
    /// - Parameters:
    ///   - segment: The segment's number, from 1.
    ///   - rate: From 0.1 to 1.
    ///   - id: The session.
    ///   - voices: The voices that can speak now.
    ///   - deliver: Receives the sound from its beginning, part by part, and the sample at which each part begins; the
    ///     next part when it has returned.
    /// - Returns: The whole sound, once all of it was handed on.
    /// - Throws: ``PracticeError/noSuchSegment(_:)``, ``SynthesisError``, and what opening the session and `deliver`
    ///   throw.
    package func sound(
        of segment: Int,
        rate: Double,
        in id: PracticeRecord.ID,
        voices: [Voice],
        deliver: @escaping @Sendable (_ part: AudioClip, _ start: Int) async throws -> Void
    ) async throws -> SegmentSound {
        try PracticeSettings.check(rate: rate)
        return try await practice(id, voices).sound(of: segment, rate: rate, deliver: deliver)
    }

    // MARK: - Opening

    /// Rounded to the precision that a row can store.
    var time: Date { Date(timeIntervalSince1970: now().timeIntervalSince1970) }

    /// The session if it is open.
    func present(_ id: PracticeRecord.ID) -> OpenPractice? { open.last { $0.id == id }?.practice }

    /// The session, opened if it is not.
    func practice(_ id: PracticeRecord.ID, _ voices: [Voice]) async throws -> OpenPractice {
        await closeIfBehind(id)
        guard !isClosed else { throw VaultError.locked }
        if let index = open.firstIndex(where: { $0.id == id }) {
            let used = open.remove(at: index)
            open.append(used)
            return used.practice
        }
        return try await openings.join(id) { try await self.reopen(id, voices) }
    }

    /// Closes a session that another process has practiced since, whose progress would be lost here.
    private func closeIfBehind(_ id: PracticeRecord.ID) async {
        guard let practice = present(id), await !practice.isGoingOn,
            let stored = try? await library.practice.practice(id), await practice.isBehind(stored),
            let index = open.firstIndex(where: { $0.practice === practice })
        else { return }
        open.remove(at: index)
        await practice.close()
    }

    private func reopen(_ id: PracticeRecord.ID, _ voices: [Voice]) async throws -> OpenPractice {
        if let open = present(id) { return open }
        var practice = try await library.practice.practice(id)
        practice.session = practice.session.restored()
        let kept = try await library.practice.text(of: id)
        let text =
            if let kept { kept } else { try await PracticeText(of: practice.source, in: library, at: now()).text }
        let defaults = try await NarrationDefaults(of: library)
        let search = VoiceSearch(among: voices)
        let own = try? search.voice(called: practice.voice.rawValue)
        let voice =
            if let own { own } else {
                // It was removed since.
                try search.voice(called: nil, for: practice.language, of: defaults.chosen.profile)
            }
        let opened = try opened(practice, text, voice, defaults)
        _ = try await opened.start()
        guard !isClosed else { throw VaultError.locked }
        await take(opened, for: id)
        return opened
    }

    private func opened(
        _ practice: PracticeRecord,
        _ text: String,
        _ voice: Voice,
        _ defaults: NarrationDefaults
    ) throws -> OpenPractice {
        let speaker = practice.speaker < voice.speakers ? practice.speaker : 0
        return OpenPractice(
            practice,
            text: text,
            segmenter: narrator.segmenter,
            preparation: try defaults.preparation(for: practice.language),
            speaking: try defaults.speaking(by: narrator, as: voice, speaker: speaker, naming: practice.title.text),
            turnDetection: TurnDetection(with: tools),
            store: library.practice,
            now: now
        )
    }

    /// Adds an open session, and if there are too many closes the least recently used inactive one.
    private func take(_ opened: OpenPractice, for id: PracticeRecord.ID) async {
        open.append((id, opened))
        while open.count > Self.maximumOpen {
            var closing = open[0].id
            for other in open.dropLast() where await !other.practice.isGoingOn {
                closing = other.id
                break
            }
            guard let index = open.firstIndex(where: { $0.id == closing }) else { continue }
            await open.remove(at: index).practice.close()
        }
    }

    private func keepChanges(_ changes: [PracticeSettings.Changes], of source: PracticeSource) async throws {
        guard !changes.isEmpty else { return }
        var settings = try await library.settings.practice()
        for change in changes { settings = try settings.applying(change) }
        try await keepSettings(settings, of: source)
    }

    private func keepSettings(_ settings: PracticeSettings, of source: PracticeSource) async throws {
        var settings = settings
        // How hard segments are cut says nothing about other texts.
        if source == .hard { settings.granularity = try await library.settings.practice().granularity }
        if try await library.settings.keep(settings) { await events.post(.settings) }
    }
}

extension PracticeRecord {
    /// The session as it is when it is not open: sounds that were playing when its process ended have stopped.
    package var atRest: PracticeRecord {
        guard session.phase == .playing || session.phase == .echo else { return self }
        var practice = self
        practice.session = session.restored()
        return practice
    }
}

extension PracticeSessions.TimedEvent {
    fileprivate var isChange: Bool {
        switch kind {
        case .change, .record: true
        case .event: false
        }
    }

    fileprivate var keptChange: PracticeSettings.Changes? {
        if case .change(let changes, isKept: true) = kind { changes } else { nil }
    }
}

/// Takes: storing, recognizing and scoring a person's repetitions, on this machine only.
extension PracticeSessions {
    /// The longest take, in seconds.
    package static let longestTake = 600
    /// The most bytes of a take's sound.
    package static let largestTake = WAVHeader.plainLength + 2 * 48_000 * longestTake

    /// Returns the recognizer for takes in a language.
    package typealias Recognizers = @Sendable (_ language: String) -> Recognizer?

    /// Returns the recognizers for takes: for each language, the first local one in the person's order that knows it and
    /// answers soon.
    ///
    /// It never uses remote services.
    ///
    /// - Throws: ``VaultError``, ``RecognitionError``.
    package func recognizers() async throws -> Recognizers {
        let event = await events.last
        let order = try await library.settings.recognizerOrder()
        let offered = try await tools.recognizer.recognizers().filter { $0.engine != .remote }
        let paces = await tools.paces.paces()
        let recognizers: Recognizers = { language in
            paces.firstToKeepUp(among: order.sorted(offered, for: language).filter { $0.knows(language) })
        }
        listed = (recognizers, event)
        return recognizers
    }

    /// As ``recognizers()``, but cached until an event reports a change.
    ///
    /// Changes by another process are seen at the next listing.
    ///
    /// - Throws: As ``recognizers()``.
    package func knownRecognizers() async throws -> Recognizers {
        guard let listed, await !events.haveComeAfter(listed.event, where: { $0.changesRecognizers }) else {
            return try await recognizers()
        }
        return listed.recognizers
    }

    // MARK: - Takes

    /// Stores a take; it is encrypted in the library when this returns.
    ///
    /// - Parameters:
    ///   - sound: A WAV file of 16-bit mono, at most ``largestTake`` bytes.
    ///   - number: The segment that was repeated.
    ///   - repetition: Which time of it that was, from 1.
    ///   - rate: The rate at which the person heard the segment; `nil` for that of the session's settings when the take is scored.
    ///   - id: The session.
    ///   - voices: The voices that can speak now.
    /// - Returns: The take.
    /// - Throws: ``PracticeError``, ``VaultError``, and what opening the session throws.
    package func addTake(
        _ sound: Data,
        of number: Int,
        repetition: Int,
        rate: Double? = nil,
        in id: PracticeRecord.ID,
        voices: [Voice]
    ) async throws -> PracticeTake {
        if let rate { try PracticeSettings.check(rate: rate) }
        guard sound.count <= Self.largestTake else { throw PracticeError.takeTooLong(limit: Self.longestTake) }
        let header = try Self.header(of: sound)
        let seconds = Double((sound.count - WAVHeader.plainLength) / 2) / Double(header.sampleRate)
        guard seconds <= Double(Self.longestTake) else { throw PracticeError.takeTooLong(limit: Self.longestTake) }
        let practice = try await practice(id, voices)
        let take = PracticeTake(
            practice: id,
            created: time,
            segment: number,
            repetition: max(1, repetition),
            rate: rate,
            text: try await practice.segment(number).text,
            seconds: seconds
        )
        try await library.practice.add(take, sound: sound)
        try await practice.takesHaveChanged()
        return take
    }

    /// The takes of a session, oldest first.
    ///
    /// - Throws: ``PracticeError/sessionNotFound``, ``VaultError``.
    package func takes(of id: PracticeRecord.ID) async throws -> [PracticeTake] {
        try await library.practice.takes(of: id)
    }

    /// The model that was played before a take, synthesized now if it is not stored.
    ///
    /// - Throws: ``SynthesisError``, and what opening the session throws.
    package func model(of take: PracticeTake, voices: [Voice]) async throws -> SegmentSound {
        try await practice(take.practice, voices).model(of: take)
    }

    /// - Throws: ``PracticeError/takeNotFound``, ``VaultError``.
    package func deleteTake(_ id: PracticeTake.ID) async throws {
        let take = try await library.practice.take(id)
        try await library.practice.delete(id)
        try await summarize(take.practice)
        await events.post(.practice)
    }

    private static func header(of sound: Data) throws -> WAVHeader {
        guard sound.count > WAVHeader.plainLength,
            let header = WAVHeader(plain: sound.prefix(WAVHeader.plainLength), fileLength: sound.count),
            RecordingOrder.sampleRates.contains(header.sampleRate)
        else { throw PracticeError.invalidTake }
        return header
    }

    // MARK: - Turns

    /// Analyzes the next piece of a turn; nothing of it is kept.
    ///
    /// - Parameters:
    ///   - sound: A WAV file of 16-bit mono; empty to start the detector ahead of the turn.
    ///   - token: The pause of the turn.
    ///   - id: The session.
    ///   - voices: The voices that can speak now.
    /// - Returns: The turn so far; `nil` when no model detects voices, so that loudness has to decide.
    /// - Throws: ``PracticeError/invalidTake``, `CancellationError`, and what opening the session throws.
    package func detectTurn(
        in sound: Data,
        of token: PracticeSession.Token,
        in id: PracticeRecord.ID,
        voices: [Voice]
    ) async throws -> SpokenTurn? {
        let clip = sound.isEmpty ? nil : try Self.clip(of: sound)
        return try await practice(id, voices).turnDetection.detect(clip, in: token)
    }

    private static func clip(of sound: Data) throws -> AudioClip {
        let sampleRate = try header(of: sound).sampleRate
        let samples = sound.dropFirst(WAVHeader.plainLength).withUnsafeBytes { [Int16](samplesIn: $0) }
        return AudioClip(pcm16: samples, sampleRate: sampleRate)
    }

    // MARK: - Scores

    /// Returns the score of a take, which is computed now if needed.
    ///
    /// - Parameters:
    ///   - id: The take.
    ///   - voices: The voices that can speak now.
    /// - Returns: The score, which is stored.
    /// - Throws: ``PracticeError/takeNotFound``, ``SynthesisError``, ``VaultError``, `CancellationError`; errors of a
    ///   recognizer become the score's ``TakeScore/reason``.
    package func score(_ id: PracticeTake.ID, voices: [Voice]) async throws -> TakeScore {
        try await scorings.join(id) { try await self.updateScore(of: id, voices) }
    }

    private func updateScore(of id: PracticeTake.ID, _ voices: [Voice]) async throws -> TakeScore {
        let take = try await library.practice.take(id)
        if let score = try await library.practice.score(of: id), score.reason == nil || !take.hasSound { return score }
        let practice = try await practice(take.practice, voices)
        let kept = await practice.practice
        let clip = try await library.practice.recording(of: id)
        let model = try await practice.model(of: take)
        let recognized = try await recognize(clip, of: take.text, in: kept.language)
        let score = await Self.score(of: clip, recognized, beside: model, of: take.text, practice.preparation)
        try await library.practice.keep(
            score,
            of: id,
            keepsSound: kept.session.settings.keepsTakes || score.reason == .failed
        )
        if let value = score.score {
            try await learn(value, of: take.text, in: kept.language)
        } else if score.reason == .noRecognizer {
            try await notePracticed([take.text], in: kept.language)
        }
        try await summarize(take.practice)
        await events.post(.practice)
        return score
    }

    /// Compares off the actor, since that takes a while.
    @concurrent
    private static func score(
        of clip: AudioClip,
        _ recognized: Result<RecognizedSpeech, Unrecognized>,
        beside model: SegmentSound,
        of text: String,
        _ preparation: TextPreparation
    ) async -> TakeScore {
        let scoring = TakeScoring(of: text, preparation, model: model.clip, words: model.words)
        return switch recognized {
        case .success(let recognized): scoring.score(of: clip, recognized: recognized)
        case .failure(let unrecognized): scoring.score(of: clip, without: unrecognized.reason)
        }
    }

    /// Why a take was not recognized.
    private struct Unrecognized: Error {
        let reason: TakeScore.Reason
    }

    private func recognize(_ clip: AudioClip, of text: String, in language: String) async throws -> Result<
        RecognizedSpeech, Unrecognized
    > {
        guard let recognizer = try await recognizers()(language) else {
            return .failure(Unrecognized(reason: .noRecognizer))
        }
        do {
            return .success(try await recognition.recognize(clip, of: text, by: recognizer, in: language))
        } catch is RecognitionError {
            return .failure(Unrecognized(reason: .failed))
        }
    }

    private func summarize(_ id: PracticeRecord.ID) async throws {
        await closeIfBehind(id)
        if let open = present(id) { return try await open.takesHaveChanged() }
        var practice = try await library.practice.practice(id)
        practice.summary = practice.tally.summary(of: try await library.practice.takes(of: id))
        try await library.practice.update(practice)
    }

    // MARK: - Hard segments

    /// The digests of the segments to practice again.
    package func hardDigests() async throws -> Set<String> {
        Set(try await library.practice.hardSegments().map(\.digest))
    }

    /// The hard segments: those that are due, and the later ones, the next first.
    package func hardSegments() async throws -> (due: [HardSegment], upcoming: [HardSegment]) {
        let all = try await library.practice.hardSegments()
        let moment = now()
        return (all.filter { $0.isDue(at: moment) }, all.filter { !$0.isDue(at: moment) })
    }

    /// Marks a segment as hard, or removes the mark.
    ///
    /// - Throws: ``PracticeError/noSuchSegment(_:)``, ``VaultError``, and what opening the session throws.
    package func mark(_ number: Int, isHard: Bool, in id: PracticeRecord.ID, voices: [Voice]) async throws {
        let practice = try await practice(id, voices)
        let text = try await practice.segment(number).text
        let segment = HardSegment(text: text, language: await practice.practice.language, score: nil, at: time)
        let isThere = try await hardDigests().contains(segment.digest)
        if isHard, !isThere { try await library.practice.keep(segment) }
        if !isHard { try await library.practice.removeHardSegment(segment.digest) }
        await events.post(.practice)
    }

    /// Updates the hard segments after practice that is not scored.
    func notePracticed(_ texts: [String], in language: String) async throws {
        guard !texts.isEmpty else { return }
        let digests = Set(texts.map { HardSegment.digest(of: $0, language: language) })
        var hasChanged = false
        for var known in try await library.practice.hardSegments() where digests.contains(known.digest) {
            guard known.practiced(at: time) else { continue }
            try await library.practice.keep(known)
            hasChanged = true
        }
        if hasChanged { await events.post(.practice) }
    }

    /// Updates the hard segments after a score.
    private func learn(_ score: Double, of text: String, in language: String) async throws {
        let digest = HardSegment.digest(of: text, language: language)
        if var known = try await library.practice.hardSegments().first(where: { $0.digest == digest }) {
            if known.practiced(score: score, at: time) {
                try await library.practice.keep(known)
            } else {
                try await library.practice.removeHardSegment(digest)
            }
        } else if score < HardSegment.hard {
            try await library.practice.keep(HardSegment(text: text, language: language, score: score, at: time))
        }
    }
}

extension StudioEvent {
    /// Whether it may change the recognizers or their order.
    fileprivate var changesRecognizers: Bool {
        switch self {
        case .voice, .voices, .settings: true
        default: false
        }
    }
}
