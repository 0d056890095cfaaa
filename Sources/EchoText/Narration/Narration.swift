/// A text synthesized phrase by phrase, in order.
///
/// Several phrases are synthesized at once, ahead of the consumer, up to ``NarrationSettings/readAhead`` seconds of
/// speech; the engine waits for a slow listener, and memory does not grow with the text. The end of the iteration ends
/// all pending work.
///
/// A phrase that crashes the engine's process is left out, its passage says so, and the rest is spoken. After
/// ``maximumLeftOut`` such phrases in a row, or if nothing else is audible at all, the narration fails with an error
/// that names the phrase.
package struct Narration: AsyncSequence, Sendable {
    package typealias Element = Passage

    /// The number of consecutive omitted phrases after which the narration fails.
    package static let maximumLeftOut = 3
    /// The number of symbols unknown to the voice that are named, each once.
    package static let maximumUnknown = 10

    private let makePlan: @Sendable () -> NarrationPlan
    private let lane: PhraseSpeaker
    private let settings: NarrationSettings
    private let beginning: Beginning
    private let keepsTimes: Bool

    /// The start of a narration: the text's start, or where an earlier narration stopped.
    package struct Beginning: Sendable, Hashable {
        /// The end of the sentences spoken so far, in UTF-16 units of the text.
        package var position: Int
        /// How many samples were made of them.
        package var samples: Int

        package static let start = Beginning(position: 0, samples: 0)

        package init(position: Int, samples: Int) {
            self.position = position
            self.samples = samples
        }
    }

    /// - Parameters:
    ///   - source: The text; it can be read once, so there is one iteration.
    ///   - voice: The voice.
    ///   - speaker: The voice's speaker, from 0.
    ///   - prosody: Speed, pitch and variation.
    ///   - synthesizer: The engine.
    ///   - segmenter: Finds sentences and words.
    ///   - preparation: Prepares the text for speech.
    ///   - settings: Pauses, concurrency and the amount of read-ahead.
    ///   - languages: The languages of the text; `nil` when only its words show them.
    ///   - cues: The captions of the text, each of which is to begin at its own time; `nil` for any other text.
    ///   - beginning: The end of what was spoken before; the rest is the same as in an uninterrupted narration.
    package init(
        of source: any TextSource,
        voice: Voice,
        speaker: Int = 0,
        prosody: Prosody = .natural,
        synthesizer: any SpeechSynthesizer,
        segmenter: any TextSegmenter,
        preparation: TextPreparation,
        settings: NarrationSettings,
        in languages: TextLanguages? = nil,
        at cues: [SubtitleCue]? = nil,
        from beginning: Beginning = .start
    ) {
        makePlan = {
            NarrationPlan(
                of: source,
                language: voice.language,
                segmenter: segmenter,
                preparation: preparation,
                pauses: settings.pauses,
                languages: languages,
                cues: cues
            )
        }
        lane = PhraseSpeaker(
            voice: voice,
            speaker: speaker,
            prosody: prosody,
            synthesizer: synthesizer,
            semaphore: PrioritySemaphore(permits: settings.lanes + settings.queued)
        )
        self.settings = settings
        self.beginning = beginning
        keepsTimes = cues != nil
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(plan: makePlan(), lane: lane, settings: settings, beginning: beginning, keepsTimes: keepsTimes)
    }

    package final class Iterator: AsyncIteratorProtocol {
        private var plan: NarrationPlan
        private let lane: PhraseSpeaker
        private let settings: NarrationSettings
        /// Whether phrases are said at their own times, for which the length of each has to be known before it is heard.
        private let keepsTimes: Bool

        private var planned: ArraySlice<PlannedPhrase> = []
        private var isPlanned = false
        /// Why the text cannot be read on; thrown when all before it has been delivered.
        private var failure: (any Error)?
        private var window: [(phrase: PlannedPhrase, job: Task<SpokenPiece, any Error>)] = []
        /// The first phrase, which is delivered while it is being synthesized.
        private var opening: OpeningPhrase?
        private let firstUnit: Int
        private var nextSample: Int
        /// Whether speech has been delivered.
        private var hasDelivered = false
        /// Whether speech was delivered by the narration that it continues.
        private let isContinued: Bool
        /// Passages without sound, while nothing is audible yet: they are delivered once something is, or at the end of a
        /// text of nothing but pauses.
        private var held: ArraySlice<Passage> = []
        /// The number of phrases omitted since the last audible one, and the error of the last of them.
        private var leftOut: (count: Int, error: SynthesisError)?
        /// The symbols unknown to the voice that passages have named.
        private var unknown: Set<Unicode.Scalar> = []

        fileprivate init(
            plan: NarrationPlan,
            lane: PhraseSpeaker,
            settings: NarrationSettings,
            beginning: Beginning,
            keepsTimes: Bool
        ) {
            self.plan = plan
            self.lane = lane
            self.settings = settings
            self.keepsTimes = keepsTimes
            firstUnit = beginning.position
            isContinued = beginning.samples > 0
            nextSample = beginning.samples
        }

        deinit {
            for (_, job) in window { job.cancel() }
            opening?.job?.cancel()
        }

        /// Returns the next passage, or `nil` at the end.
        ///
        /// - Throws: ``SynthesisError`` and other errors of the engine or the text; `CancellationError` when the
        ///   calling task is cancelled. No task is left running when it throws.
        package func next() async throws -> Passage? {
            do {
                while true {
                    if hasDelivered, let passage = held.popFirst() { return passage }
                    guard let passage = try await nextPassage() else {
                        if let leftOut, !hasDelivered, !isContinued { throw leftOut.error }
                        // Silence would look like the speech of words that could not be spoken.
                        return keepsTimes || held.contains(where: \.isLeftOut) ? nil : held.popFirst()
                    }
                    let isUncertain = !hasDelivered && !isContinued && passage.clip.samples.isEmpty
                    guard isUncertain || !held.isEmpty else { return passage }
                    held.append(passage)
                }
            } catch {
                await stop()
                throw error
            }
        }

        private func nextPassage() async throws -> Passage? {
            while true {
                try await fill()
                if let passage = try await passageOfOpening() { return passage }
                guard let (phrase, job) = window.first else {
                    if let failure { throw failure }
                    return nil
                }
                let spoken = try await withTaskCancellationHandler {
                    try await job.value
                } onCancel: {
                    job.cancel()
                }
                window.removeFirst()
                let fitted = try await fit(spoken, of: phrase)
                _ = try await isPhraseReady()  // Notices the end of the text, after which there is no pause.
                if let passage = try passage(of: phrase, saying: fitted) { return passage }
            }
        }

        /// Returns `spoken`, or says its phrase faster, where it begins so late that it would not end in time.
        private func fit(_ spoken: SpokenPiece, of phrase: PlannedPhrase) async throws -> SpokenPiece {
            guard case .speech(let time)? = phrase.time else { return spoken }
            let start = Double(nextSample) / Double(spoken.clip.sampleRate)
            guard start > time.lowerBound else { return spoken }
            return try await lane.fit(spoken, of: phrase, to: time.upperBound - start)
        }

        /// Starts phrases until enough speech is pending; before anything is audible, it starts only the first, which
        /// the listener waits for and which gets the whole machine.
        private func fill() async throws {
            if !hasDelivered, !keepsTimes {
                guard opening == nil, let phrase = try await takePhrase() else { return }
                opening = lane.begin(phrase)
                return
            }
            while window.count < settings.lanes + settings.queued
                || window.reduce(0, { $0 + $1.phrase.estimate }) < settings.readAhead
            {
                try Task.checkCancellation()
                // Text that is still being written does not hold back sound that is made already.
                guard try await isPhraseReady() || window.isEmpty && opening == nil else { return }
                guard let phrase = try await takePhrase() else { return }
                let job = Task { [lane] in try await lane.speak(phrase) }
                window.append((phrase, job))
            }
        }

        /// The next stretch of the phrase that is delivered while it is spoken; `nil` when there is none, or it has been delivered.
        private func passageOfOpening() async throws -> Passage? {
            while true {
                while let (part, piece) = try await opening?.next() {
                    try Task.checkCancellation()
                    if piece.isLast { _ = try await isPhraseReady() }
                    if let passage = try passage(of: part, saying: piece) { return passage }
                }
                try Task.checkCancellation()
                guard opening != nil else { return nil }
                opening = nil
                try await fill()
                if hasDelivered { return nil }
            }
        }

        /// Whether the next phrase, or the end, is here without waiting for whoever is still writing the text.
        private func isPhraseReady() async throws -> Bool {
            if !planned.isEmpty || isPlanned { return true }
            return try await plan.isReady()
        }

        private func takePhrase() async throws -> PlannedPhrase? {
            while planned.isEmpty, !isPlanned {
                do {
                    if let chunk = try await plan.nextChunk() {
                        planned =
                            chunk.filter { isMissing($0) }
                            .flatMap { PlannedPhrase.phrases(of: $0, speed: lane.prosody.speed) }[...]
                    } else {
                        isPlanned = true
                    }
                } catch let error where !(error is CancellationError) {
                    failure = error
                    isPlanned = true
                }
            }
            return planned.popFirst()
        }

        /// Whether a sentence was not spoken before; silence until a time that has passed is none the second time.
        private func isMissing(_ sentence: PlannedSentence) -> Bool {
            if case .silence? = sentence.time { return true }
            return sentence.source.upperBound > firstUnit
        }

        /// Places the speech of `phrase`, or of a part of one, in the narration; returns `nil` when it is neither audible
        /// nor a pause.
        ///
        /// - Throws: ``SynthesisError/engineDied(_:over:)`` after too many omitted phrases.
        private func passage(of phrase: PlannedPhrase, saying spoken: SpokenPiece) throws -> Passage? {
            if !spoken.clip.samples.isEmpty { (hasDelivered, leftOut) = (true, nil) }
            let isEnd = spoken.isLast && window.isEmpty && planned.isEmpty && (isPlanned || plan.isFinished)
            let silence =
                if case .silence(let end)? = phrase.time {
                    Swift.max(0, sample(at: end, of: spoken) - nextSample)
                } else {
                    isEnd && !phrase.isPauseExact ? 0 : spoken.silence
                }
            guard !spoken.clip.samples.isEmpty || silence > 0 || spoken.fault != nil else { return nil }
            let unknown = spoken.unknown.filter {
                self.unknown.count < Narration.maximumUnknown && self.unknown.insert($0).inserted
            }
            let passage = Passage(
                sentence: phrase.sentence,
                source: phrase.source,
                text: phrase.writing,
                beginsSentence: phrase.isFirst,
                endsSentence: phrase.isLast && spoken.isLast,
                clip: spoken.clip,
                decay: spoken.decay,
                silence: silence,
                start: nextSample,
                words: TimedWord.align(phrase.words, to: spoken.marks, offset: nextSample),
                isLeftOut: spoken.fault != nil,
                isSilenced: spoken.fault == .nothingToSay,
                delay: delay(of: phrase, saying: spoken),
                unknown: unknown
            )
            nextSample = passage.end
            if case .engineDied(let engine, _) = spoken.fault {
                let error = SynthesisError.engineDied(engine, over: passage.excerpt)
                leftOut = ((leftOut?.count ?? 0) + 1, error)
                if leftOut?.count == Narration.maximumLeftOut { throw error }
            }
            return passage
        }

        /// How late the caption is that begins with `phrase`; `nil` when none does.
        private func delay(of phrase: PlannedPhrase, saying spoken: SpokenPiece) -> Int? {
            guard case .speech(let time)? = phrase.time, phrase.isFirst else { return nil }
            return Swift.max(0, nextSample - sample(at: time.lowerBound, of: spoken))
        }

        private func sample(at seconds: Double, of spoken: SpokenPiece) -> Int {
            Int((seconds * Double(spoken.clip.sampleRate)).rounded())
        }

        /// Ends all that was begun, and waits until it has ended.
        private func stop() async {
            let jobs = window.map(\.job)
            let opened = opening?.job
            window = []
            opening = nil
            planned = []
            held = []
            leftOut = nil
            isPlanned = true
            failure = nil
            for job in jobs { job.cancel() }
            opened?.cancel()
            for job in jobs { _ = await job.result }
            await opened?.value
        }
    }
}

/// Makes narrations: combines an engine with the analysis of text, the pauses and the dictionary of an order.
///
/// ```swift
/// let narration = try narrator.narration(of: StringSource(text), as: order, lanes: 2)
/// for try await passage in narration { try await sink.append(passage.clip) }
/// ```
package struct Narrator: Sendable {
    package let synthesizer: any SpeechSynthesizer
    package let segmenter: any TextSegmenter
    /// Identifies the version of a voice and its engine, so that stored speech can be used again; `nil` when it is unknown.
    package let version: @Sendable (Voice.ID) async -> String?
    private let engineLanes: Int?

    /// How many phrases wait at an engine whose threads are all busy; without them a thread would idle until the next
    /// phrase arrives.
    private static let queued = 2

    /// - Parameters:
    ///   - synthesizer: The engine that speaks.
    ///   - segmenter: Finds sentences and words.
    ///   - engineLanes: The most phrases that the engine synthesizes at once; `nil` when it has no limit.
    ///   - version: See ``version``.
    package init(
        synthesizer: any SpeechSynthesizer,
        segmenter: any TextSegmenter,
        engineLanes: Int? = nil,
        version: @escaping @Sendable (Voice.ID) async -> String? = { _ in nil }
    ) {
        self.synthesizer = synthesizer
        self.segmenter = segmenter
        self.engineLanes = engineLanes
        self.version = version
    }

    /// A copy that uses another engine.
    func speaking(by synthesizer: any SpeechSynthesizer) -> Narrator {
        Narrator(synthesizer: synthesizer, segmenter: segmenter, engineLanes: engineLanes, version: version)
    }

    /// Prepares the narration that `order` describes.
    ///
    /// - Parameters:
    ///   - source: The text.
    ///   - order: The voice, its settings, pauses and dictionary.
    ///   - lanes: How many phrases are synthesized at once.
    ///   - beginning: The position to start at.
    /// - Returns: A sequence that synthesizes while it is iterated.
    /// - Throws: ``SynthesisError`` or ``PronunciationDictionaryError`` when the order holds values out of range.
    package func narration(
        of source: any TextSource,
        as order: NarrationOrder,
        lanes: Int,
        from beginning: Narration.Beginning = .start
    ) throws -> Narration {
        try order.cues?.check()
        return Narration(
            of: source,
            voice: order.voice,
            speaker: order.speaker,
            prosody: try order.prosody,
            synthesizer: synthesizer,
            segmenter: segmenter,
            preparation: TextPreparation(
                language: order.voice.language,
                steps: TextPreparation.Steps.all.subtracting(.init(names: order.withoutSteps) ?? []),
                dictionary: try order.dictionary.map { try PronunciationDictionary(parsing: $0) }
            ),
            settings: settings(pauses: order.pauses, lanes: lanes),
            in: order.languages,
            at: order.cues,
            from: beginning
        )
    }

    /// Phrases are queued only when all of the engine's threads are used; otherwise the engine would use more threads
    /// than requested.
    private func settings(pauses: NarrationSettings.Pauses, lanes: Int) -> NarrationSettings {
        let isEngineFilled = engineLanes.map { lanes >= $0 } ?? false
        return NarrationSettings(pauses: pauses, lanes: lanes, queued: isEngineFilled ? Self.queued : 0)
    }
}
