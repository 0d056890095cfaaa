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
            try await chooseVoice(of: used.practice, among: voices)
            return used.practice
        }
        return try await openings.join(id) { try await self.reopen(id, voices) }
    }

    /// Closes a session that another process has practiced since, whose progress would be lost here.
    func closeIfBehind(_ id: PracticeRecord.ID) async {
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
        let text = try await PracticeText(of: .session(id), in: library, at: now()).text
        let defaults = try await NarrationDefaults(of: library)
        let opened = try opened(practice, text, try practice.usableVoice(among: voices, defaults), defaults)
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
        OpenPractice(
            practice,
            text: text,
            segmenter: narrator.segmenter,
            preparation: try defaults.preparation(for: practice.language),
            voice: voice.id,
            speaking: try speaking(practice, as: voice, defaults),
            turnDetection: TurnDetection(with: tools),
            store: library.practice,
            now: now
        )
    }

    private func speaking(
        _ practice: PracticeRecord,
        as voice: Voice,
        _ defaults: NarrationDefaults
    ) throws -> SegmentSpeaking {
        let speaker = practice.speaker < voice.speakers ? practice.speaker : 0
        return try defaults.speaking(by: narrator, as: voice, speaker: speaker, naming: practice.title.text)
    }

    /// Lets an open session continue with another voice where its own was removed, and with its own once that is back.
    ///
    /// Where no voice speaks its language it stays as it is, and its segments say that the voice is not there.
    private func chooseVoice(of opened: OpenPractice, among voices: [Voice]) async throws {
        let (practice, present) = (await opened.practice, await opened.voice)
        let search = VoiceSearch(among: voices)
        let usable =
            (try? search.voice(called: practice.voice.rawValue)) ?? (try? search.voice(called: present.rawValue))
        guard usable?.id != present else { return }
        let defaults = try await NarrationDefaults(of: library)
        guard let voice = try? practice.usableVoice(among: voices, defaults) else { return }
        await opened.use(voice.id, speaking: try speaking(practice, as: voice, defaults))
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

    /// The voice that it was begun with, or where that was removed since, one for its language.
    ///
    /// - Throws: ``PracticeError/noVoice(language:)``.
    fileprivate func usableVoice(among voices: [Voice], _ defaults: NarrationDefaults) throws -> Voice {
        let search = VoiceSearch(among: voices)
        if let own = try? search.voice(called: voice.rawValue) { return own }
        return try search.voice(called: nil, for: language, of: defaults.chosen.profile)
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
