package import Foundation

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
    ///   - granularity: How the text was cut when the segment had that number; as it is cut now, when absent. The person
    ///     may have changed it before the take arrives.
    ///   - repetition: Which time of it that was, from 1.
    ///   - rate: The rate at which the person heard the segment; `nil` for that of the session's settings when the take is scored.
    ///   - id: The session.
    ///   - voices: The voices that can speak now.
    /// - Returns: The take.
    /// - Throws: ``PracticeError``, ``VaultError``, and what opening the session throws.
    package func addTake(
        _ sound: Data,
        of number: Int,
        cutBy granularity: PracticeSettings.Granularity? = nil,
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
            text: try await practice.segment(number, by: granularity).text,
            seconds: seconds,
            isKept: await practice.practice.session.settings.keepsTakes
        )
        try await library.practice.add(take, sound: sound)
        // The take is stored, and is not to be sent again: its summary is computed again with the next change.
        try? await practice.takesHaveChanged()
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
        let before = try await library.practice.score(of: id)
        if let before, before.reason == nil || !take.hasSound { return before }
        let practice = try await practice(take.practice, voices)
        let kept = await practice.practice
        let clip = try await library.practice.recording(of: id)
        let model = try await practice.model(of: take)
        let recognized = try await recognize(clip, of: take.text, in: kept.language)
        let score = await Self.score(of: clip, recognized, beside: model, of: take.text, practice.preparation)
        let areKept = await practice.practice.session.settings.keepsTakes
        // Before it was noted, one that has its sound although its words could not be compared was to be kept.
        let isKept = take.isKept || before?.reason == .noRecognizer
        let keepsSound = areKept || isKept || score.reason == .failed
        try await library.practice.keep(score, of: id, keepsSound: keepsSound)
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
