import Foundation

/// An open practice session: it has its text, synthesizes ahead, and stores its progress.
///
/// Events are handled at once and stored asynchronously; events that end or pause the practice are stored first.
actor OpenPractice {
    /// The actions after an event, and the state of the session.
    struct Outcome: Sendable {
        let practice: PracticeRecord
        let actions: [PracticeAction]
        /// The texts of the segments that were played to their end.
        let played: [String]
    }

    /// How many segments are made and synthesized ahead of the present one.
    static let ahead = 2
    /// The longest time between two events that counts as practice, in seconds.
    private static let longestStretch = 600.0
    /// The seconds by which a time may differ from itself once it was stored.
    private static let rounding = 0.001

    private(set) var practice: PracticeRecord
    private let text: String
    private let segmenter: any TextSegmenter
    let preparation: TextPreparation
    /// The voice that speaks: the session's own, or another while that is not there.
    private(set) var voice: Voice.ID
    private var speaking: SegmentSpeaking
    private let store: any PracticeStore
    private let now: @Sendable () -> Date
    private let sounds = PracticeSounds()
    let turnDetection: TurnDetection
    private var segments: PracticeSegments
    private var time: Duration?
    /// The time of day of the last events.
    private var lastEvents: Date
    /// The choice of the person about recording, while this process has it otherwise.
    private var chosenRecords: Bool?
    private var isDirty = false
    private var writing: Task<Void, Never>?
    private var failure: (any Error)?

    init(
        _ practice: PracticeRecord,
        text: String,
        segmenter: any TextSegmenter,
        preparation: TextPreparation,
        voice: Voice.ID,
        speaking: SegmentSpeaking,
        turnDetection: TurnDetection,
        store: any PracticeStore,
        now: @escaping @Sendable () -> Date
    ) {
        self.practice = practice
        self.text = text
        self.segmenter = segmenter
        self.preparation = preparation
        self.voice = voice
        self.speaking = speaking
        self.turnDetection = turnDetection
        self.store = store
        self.now = now
        lastEvents = practice.updated
        segments = PracticeSegments(
            of: StringSource(text),
            language: practice.language,
            by: practice.session.settings.granularity,
            segmenter: segmenter,
            preparation: preparation
        )
    }

    /// Cuts the first segments, and begins to speak them.
    ///
    /// - Throws: ``PracticeError/nothingToSay``, ``PracticeError/noSuchSegment(_:)``.
    func start() async throws -> PracticeRecord {
        let first = practice.session.position.segment
        let found = try await segments.segments(from: first, count: Self.ahead + 1)
        guard !found.isEmpty else { throw first > 1 ? PracticeError.noSuchSegment(first) : .nothingToSay }
        await reportKnown()
        await speakAhead()
        return practice
    }

    // MARK: - Events

    /// Whether a sound or pause is active according to the last event, which may be long ago.
    var isGoingOn: Bool {
        switch practice.session.phase {
        case .playing, .echo: abs(now().timeIntervalSince(lastEvents)) < Self.longestStretch
        case .idle, .paused, .finished: false
        }
    }

    /// Whether another process has practiced the session, as it is stored, since it was practiced here.
    ///
    /// It is never behind while something is played or repeated here, or while recording is not as the person chose.
    func isBehind(_ stored: PracticeRecord) -> Bool {
        guard !isGoingOn, writing == nil, chosenRecords == nil else { return false }
        return stored.updated.timeIntervalSince(practice.updated) > Self.rounding
    }

    /// Handles events in order; if one throws, none takes effect.
    ///
    /// - Throws: ``PracticeError/noSuchSegment(_:)``, ``PracticeError/outOfRange(setting:allowed:)``; for events that
    ///   end or pause the practice also ``VaultError``.
    func handle(_ happened: [PracticeSessions.TimedEvent]) async throws -> Outcome {
        let (before, cut, begun, chosen) = (practice.session, segments, time, chosenRecords)
        let outcome: (actions: [PracticeAction], played: [String], isWaitedFor: Bool)
        do {
            outcome = try await takeAll(happened)
        } catch {
            // The actions will not be performed, so the state is restored.
            (practice.session, segments, time, chosenRecords) = (before, cut, begun, chosen)
            throw error
        }
        await speakAhead(outcome.actions)
        lastEvents = now()
        // Later than before even if the clock has gone back, so that another process knows it.
        practice.updated = max(lastEvents, practice.updated.addingTimeInterval(2 * Self.rounding))
        writeBehind()
        if outcome.isWaitedFor { try await settle() }
        return Outcome(practice: practice, actions: outcome.actions, played: outcome.played)
    }

    private func takeAll(
        _ happened: [PracticeSessions.TimedEvent]
    ) async throws -> (actions: [PracticeAction], played: [String], isWaitedFor: Bool) {
        var actions: [PracticeAction] = []
        var played: [String] = []
        var isWaitedFor = false
        for timed in happened {
            let event: PracticeEvent =
                switch timed.kind {
                case .event(let event): event
                case .change(let changes, _): .setSettings(try settings(with: changes))
                case .record(let records): .setSettings(settings(recording: records))
                }
            try await learnSegments(for: event)
            let present = practice.session.position.segment
            let following = try await take(event, at: timed.time)
            actions += following
            if following.haveSegmentEnd, let text = try? await segment(present).text { played.append(text) }
            isWaitedFor = isWaitedFor || event.isHalt
        }
        if let time = happened.last?.time { actions += await lookAhead(at: time) }
        if actions.contains(.summarize) { try await summarize() }
        return (actions, played, isWaitedFor)
    }

    private func settings(with changes: PracticeSettings.Changes) throws -> PracticeSettings {
        let settings = try practice.session.settings.applying(changes)
        if changes.records != nil { chosenRecords = nil }
        return settings
    }

    /// The settings for a process that records the turns or does not; `nil` for as the person chose.
    private func settings(recording records: Bool?) -> PracticeSettings {
        var settings = practice.session.settings
        let chosen = chosenRecords ?? settings.records
        settings.records = records ?? chosen
        chosenRecords = records == nil ? nil : chosen
        return settings
    }

    private func take(_ event: PracticeEvent, at time: Duration) async throws -> [PracticeAction] {
        let before = practice.session
        var event = event
        if case .setSettings(let settings, _) = event, settings.granularity != before.settings.granularity {
            event = .setSettings(settings, segment: try await recut(by: settings.granularity))
        }
        count(event, before, at: time)
        var actions = practice.session.handle(event, at: time)
        if actions.haveSegmentEnd { practice.tally.played(before.position.segment) }
        if case .setSettings = event { actions += await lookAhead(at: time) }
        return actions
    }

    /// Counts the time since the last event if a sound or pause was active.
    private func count(_ event: PracticeEvent, _ before: PracticeSession, at time: Duration) {
        defer { self.time = time }
        guard let last = self.time, event != .begin, before.phase == .playing || before.phase == .echo else { return }
        practice.tally.spent(min((time - last) / .seconds(1), Self.longestStretch))
    }

    /// Segments the text again.
    ///
    /// - Returns: The number of the segment at the present position.
    private func recut(by granularity: PracticeSettings.Granularity) async throws -> Int {
        let place = try await segment(practice.session.position.segment).source.lowerBound
        segments = cut(by: granularity)
        await sounds.close()
        return try await segments.number(at: place)
    }

    private func cut(by granularity: PracticeSettings.Granularity) -> PracticeSegments {
        PracticeSegments(
            of: StringSource(text),
            language: practice.language,
            by: granularity,
            segmenter: segmenter,
            preparation: preparation
        )
    }

    // MARK: - Segments

    /// Returns some segments, made on demand.
    func segments(from first: Int, count: Int) async throws -> (
        segments: [PracticeSegment], known: Int, isComplete: Bool
    ) {
        let found = try await segments.segments(from: first, count: count)
        return (found, await segments.known.count, await segments.isComplete)
    }

    /// - Throws: ``PracticeError/noSuchSegment(_:)``.
    func segment(_ number: Int) async throws -> PracticeSegment {
        guard number >= 1, let found = try await segments.segment(number) else {
            throw PracticeError.noSuchSegment(number)
        }
        return found
    }

    /// The segment that had a number when the text was cut by `granularity`.
    ///
    /// - Parameters:
    ///   - number: From 1.
    ///   - granularity: `nil` for the present one.
    /// - Returns: The segment, with its number in that cut.
    /// - Throws: ``PracticeError/noSuchSegment(_:)``.
    func segment(_ number: Int, by granularity: PracticeSettings.Granularity?) async throws -> PracticeSegment {
        let present = practice.session.settings.granularity
        guard let granularity, granularity != present else { return try await segment(number) }
        let found = number >= 1 ? try await cut(by: granularity).segment(number) : nil
        guard let found else { throw PracticeError.noSuchSegment(number) }
        return found
    }

    /// Cuts the segments that an event may lead to, before it does.
    private func learnSegments(for event: PracticeEvent) async throws {
        switch event {
        case .jump(let number): _ = try await segment(number)
        case .setSettings(let settings, _):
            guard settings.granularity == practice.session.settings.granularity, let loop = settings.loop else { break }
            _ = try await segment(loop.last)
        default: return
        }
        await reportKnown()
    }

    /// Makes some segments beyond the present one.
    ///
    /// Errors are ignored here, and are reported when the segment is reached.
    private func lookAhead(at time: Duration) async -> [PracticeAction] {
        _ = try? await segments.segments(from: practice.session.position.segment, count: Self.ahead + 1)
        let (known, isComplete) = (await segments.known.count, await segments.isComplete)
        guard known != practice.session.known || isComplete != practice.session.isComplete else { return [] }
        return practice.session.handle(.segmentsKnown(known, isComplete: isComplete), at: time)
    }

    private func reportKnown() async {
        let (known, isComplete) = (await segments.known.count, await segments.isComplete)
        _ = practice.session.handle(.segmentsKnown(known, isComplete: isComplete), at: time ?? .zero)
    }

    // MARK: - Sound

    /// Continues with another voice; what the one before has spoken is dropped.
    func use(_ other: Voice.ID, speaking: SegmentSpeaking) async {
        // The second of two calls at once drops nothing that has been begun after the first.
        guard other != voice else { return }
        (voice, self.speaking) = (other, speaking)
        await sounds.close()
        await speakAhead()
    }

    /// The sound of a segment, spoken now if it is not there.
    ///
    /// - Throws: ``PracticeError/noSuchSegment(_:)``, ``SynthesisError``, `CancellationError`.
    func sound(of number: Int, rate: Double) async throws -> SegmentSound {
        let text = try await segment(number).text
        return try await sounds.sound(.init(segment: number, rate: rate), by: spoken(text, rate: rate))
    }

    /// As ``sound(of:rate:)``; the sound is handed on while it is being spoken.
    func sound(
        of number: Int,
        rate: Double,
        deliver: @escaping @Sendable (_ part: AudioClip, _ start: Int) async throws -> Void
    ) async throws -> SegmentSound {
        let text = try await segment(number).text
        let sampleRate = speaking.sampleRate
        return try await sounds.sound(
            .init(segment: number, rate: rate),
            by: spoken(text, rate: rate),
            deliver: { try await deliver(AudioClip(pcm16: $0, sampleRate: sampleRate), $1) }
        )
    }

    private func spoken(_ text: String, rate: Double) -> PracticeSounds.Speaking {
        let speaking = speaking
        return { deliver in try await speaking.speak(text, rate: rate, deliver: deliver) }
    }

    /// Returns the sound that the person heard before a take.
    ///
    /// - Throws: ``SynthesisError``, `CancellationError`.
    func model(of take: PracticeTake) async throws -> SegmentSound {
        let rate = take.rate ?? practice.session.settings.rate
        if let present = try? await segment(take.segment), present.text == take.text {
            return try await sound(of: take.segment, rate: rate)
        }
        return try await speaking.speak(take.text, rate: rate)
    }

    /// Synthesizes what will be played next: the segments that the actions name, then those after the present one.
    func speakAhead(_ actions: [PracticeAction] = []) async {
        guard practice.session.phase != .finished else { return await sounds.prepare([]) }
        var wanted = actions.compactMap(\.sound)
        let rate = practice.session.rate
        let present = practice.session.position.segment
        wanted += (present...present + Self.ahead).map { ($0, rate) }
        var seen: Set<PracticeSounds.Key> = []
        var work: [(key: PracticeSounds.Key, speaking: PracticeSounds.Speaking)] = []
        for (number, rate) in wanted where seen.insert(.init(segment: number, rate: rate)).inserted {
            guard let text = try? await segment(number).text else { continue }
            work.append((.init(segment: number, rate: rate), spoken(text, rate: rate)))
        }
        await sounds.prepare(work)
    }

    // MARK: - Keeping

    /// Updates the summary from its takes.
    ///
    /// - Throws: ``VaultError``.
    func summarize() async throws {
        practice.summary = practice.tally.summary(of: try await store.takes(of: practice.id))
    }

    /// Updates the summary and stores it.
    func takesHaveChanged() async throws {
        try await summarize()
        writeBehind()
        try await settle()
    }

    /// The session as it is stored.
    private var lasting: PracticeRecord {
        var lasting = practice
        if let chosenRecords { lasting.session = lasting.session.recorded(chosenRecords) }
        return lasting
    }

    private func writeBehind() {
        isDirty = true
        guard writing == nil else { return }
        writing = Task {
            while isDirty {
                isDirty = false
                do {
                    try await store.update(lasting)
                    failure = nil
                } catch {
                    failure = error
                }
            }
            writing = nil
        }
    }

    /// Waits until everything is stored.
    private func settle() async throws {
        await writing?.value
        if let failure { throw failure }
    }

    /// Halts the practice as the library is closed.
    func close(for reason: PracticeSession.Interruption? = nil) async {
        if let reason { _ = practice.session.handle(.interrupt(reason), at: time ?? .zero) }
        if reason != nil { writeBehind() }
        await writing?.value
        await sounds.close()
        await turnDetection.close()
    }
}

extension PracticeEvent {
    /// Whether its effects have to be stored before the response.
    fileprivate var isHalt: Bool {
        switch self {
        case .pause, .interrupt, .end, .setSettings: true
        default: false
        }
    }
}

extension [PracticeAction] {
    /// Whether they follow the end of the segment that was playing.
    fileprivate var haveSegmentEnd: Bool { contains(.signal(.segmentEnd)) }
}

extension PracticeAction {
    /// The sound that it is about to need.
    fileprivate var sound: (segment: Int, rate: Double)? {
        switch self {
        case .prepare(let segment, let rate), .play(_, let segment, let rate): (segment, rate)
        default: nil
        }
    }
}

/// An order for practice, combined with the library's settings, the profile and the voices.
struct ResolvedPractice {
    let text: PracticeText
    let voice: Voice
    /// The number of the voice's speaker, from 0.
    let speaker: Int
    /// BCP 47.
    let language: String
    let settings: PracticeSettings
    let defaults: NarrationDefaults

    /// - Parameters:
    ///   - order: The person's order.
    ///   - library: The library with the text, the settings, the profile and the dictionary.
    ///   - voices: The voices that can speak now.
    ///   - time: The time at which hard segments have to be due.
    /// - Throws: ``PracticeError``, ``SynthesisError``, and what reading the source throws.
    init(
        _ order: PracticeSessions.Order,
        in library: Library,
        among voices: [Voice],
        at time: Date
    ) async throws {
        text = try await PracticeText(of: order.source, in: library, at: time)
        defaults = try await NarrationDefaults(of: library)
        let profile = defaults.chosen.profile
        let given = order.language.map { LanguageTag.canonical($0) }
        voice = try VoiceSearch(among: voices).voice(called: order.voice, for: text.language ?? given, of: profile)
        let usual = voice.id == profile.voice && profile.speaker < voice.speakers ? profile.speaker : 0
        speaker = try voice.number(of: order.speaker ?? .number(usual))
        language = text.language ?? given ?? voice.language
        var settings = try await library.settings.practice().applying(order.settings)
        // A hard segment is a paragraph of this text, and is known by all its words.
        if text.source == .hard, order.settings.granularity == nil { settings.granularity = .paragraph }
        self.settings = settings
    }
}

extension NarrationDefaults {
    /// - Returns: How a voice reads segments aloud.
    /// - Throws: ``SynthesisError``.
    func speaking(
        by narrator: Narrator,
        as voice: Voice,
        speaker: Int,
        naming title: String
    ) throws -> SegmentSpeaking {
        var request = NarrationRequest()
        request.voice = voice.id.rawValue
        request.speaker = .number(speaker)
        let order = try request.resolve(with: self, among: [voice], naming: title).order
        return SegmentSpeaking(by: narrator, as: order, lanes: lanes ?? 1)
    }

    /// - Parameter language: BCP 47.
    /// - Returns: How texts in that language are made ready to be spoken.
    /// - Throws: ``PronunciationDictionaryError``.
    func preparation(for language: String) throws -> TextPreparation {
        try TextPreparation(
            language: language,
            dictionary: dictionary.map { try PronunciationDictionary(parsing: $0) }
        )
    }
}
