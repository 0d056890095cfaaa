/// A text read aloud, phrase by phrase, in order.
///
/// Several phrases are spoken at once, ahead of the consumer, up to ``NarrationSettings/readAhead`` seconds of speech; the
/// engine waits for a slow listener, and memory does not grow with the text. Ends what it began when its iteration ends.
///
/// A phrase that crashes the engine's process is left out, its passage says so, and the rest is spoken. Where that comes to
/// ``maximumLeftOut`` in a row, or nothing else is heard at all, the narration fails and names it.
package struct Narration: AsyncSequence, Sendable {
    package typealias Element = Passage

    /// Phrases in a row that are left out before the narration is given up.
    package static let maximumLeftOut = 3

    private let makePlan: @Sendable () -> NarrationPlan
    private let voice: Voice
    private let speaker: Int
    private let prosody: Prosody
    private let synthesizer: any SpeechSynthesizer
    private let settings: NarrationSettings
    private let beginning: Beginning

    /// Where a narration begins: at the text's start, or where an earlier one was stopped.
    package struct Beginning: Sendable, Hashable {
        /// Where in the text the sentences end that have been spoken, in UTF-16 units.
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
    ///   - voice: Who reads it.
    ///   - speaker: Which of the voice's people, from 0.
    ///   - prosody: How.
    ///   - synthesizer: The engine.
    ///   - segmenter: Finds sentences and words.
    ///   - preparation: Makes them fit for speaking.
    ///   - settings: Pauses, lanes and room ahead.
    ///   - beginning: What has been spoken already; what follows is the same as if it had not been stopped there.
    package init(
        of source: any TextSource,
        voice: Voice,
        speaker: Int = 0,
        prosody: Prosody = .natural,
        synthesizer: any SpeechSynthesizer,
        segmenter: any TextSegmenter,
        preparation: TextPreparation,
        settings: NarrationSettings,
        from beginning: Beginning = .start
    ) {
        makePlan = {
            NarrationPlan(
                of: source,
                language: voice.language,
                segmenter: segmenter,
                preparation: preparation,
                pauses: settings.pauses
            )
        }
        self.voice = voice
        self.speaker = speaker
        self.prosody = prosody
        self.synthesizer = synthesizer
        self.settings = settings
        self.beginning = beginning
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(
            plan: makePlan(),
            lane: PhraseSpeaker(
                voice: voice,
                speaker: speaker,
                prosody: prosody,
                synthesizer: synthesizer,
                semaphore: PrioritySemaphore(places: settings.lanes + settings.queued)
            ),
            settings: settings,
            beginning: beginning
        )
    }

    package final class Iterator: AsyncIteratorProtocol {
        private var plan: NarrationPlan
        private let lane: PhraseSpeaker
        private let settings: NarrationSettings

        private var planned: ArraySlice<PlannedPhrase> = []
        private var isPlanned = false
        /// Why the text cannot be read on; thrown when all before it has been delivered.
        private var failure: (any Error)?
        private var window: [(phrase: PlannedPhrase, job: Task<SpokenPiece, any Error>)] = []
        /// The phrase that is delivered while it is being spoken, before any other.
        private var opening: OpeningPhrase?
        private let firstUnit: Int
        private var nextSample: Int
        /// Whether speech has been delivered.
        private var isHeard = false
        /// Passages since the first that was left out before anything was heard, which are not handed on before something is.
        private var held: ArraySlice<Passage> = []
        /// How many phrases were left out since one was heard, and what to say of the last of them.
        private var leftOut: (count: Int, error: SynthesisError)?

        fileprivate init(
            plan: NarrationPlan,
            lane: PhraseSpeaker,
            settings: NarrationSettings,
            beginning: Beginning
        ) {
            self.plan = plan
            self.lane = lane
            self.settings = settings
            firstUnit = beginning.position
            nextSample = beginning.samples
        }

        deinit {
            for (_, job) in window { job.cancel() }
            opening?.job.cancel()
        }

        /// The next passage, or `nil` when all has been said.
        ///
        /// - Throws: ``SynthesisError`` and what else the engine or the text throws; `CancellationError` when the calling
        ///   task is cancelled. When it throws, nothing is left running.
        package func next() async throws -> Passage? {
            do {
                while true {
                    if isHeard, let passage = held.popFirst() { return passage }
                    guard let passage = try await nextPassage() else {
                        if let leftOut, !isHeard { throw leftOut.error }
                        return nil
                    }
                    guard passage.isLeftOut && !isHeard || !held.isEmpty else { return passage }
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
                if let passage = try passage(of: .whole(phrase), saying: spoken) { return passage }
            }
        }

        /// Begins phrases until enough speech is on its way; until something has been heard, only the first, which is waited for and
        /// has the machine to itself.
        private func fill() async throws {
            if !isHeard {
                guard opening == nil, let phrase = try await takePhrase() else { return }
                opening = OpeningPhrase(phrase, by: lane)
                return
            }
            while window.count < settings.lanes + settings.queued
                || window.reduce(0, { $0 + $1.phrase.estimate }) < settings.readAhead
            {
                try Task.checkCancellation()
                guard let phrase = try await takePhrase() else { return }
                let job = Task { [lane] in try await lane.speak(phrase) }
                window.append((phrase, job))
            }
        }

        /// The next stretch of the phrase that is delivered while it is spoken; `nil` when there is none, or it has been delivered.
        private func passageOfOpening() async throws -> Passage? {
            while let piece = try await opening?.next() {
                try Task.checkCancellation()
                guard let part = opening?.part(piece) else { break }
                if let passage = try passage(of: part, saying: piece) { return passage }
            }
            try Task.checkCancellation()
            guard opening != nil else { return nil }
            opening = nil
            try await fill()
            return isHeard ? nil : try await passageOfOpening()
        }

        private func takePhrase() async throws -> PlannedPhrase? {
            while planned.isEmpty, !isPlanned {
                do {
                    if let chunk = try await plan.nextChunk() {
                        planned =
                            chunk.drop { $0.source.upperBound <= firstUnit }
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

        /// Puts the speech of `part` where it belongs in the narration; `nil` when it is neither heard nor a silence.
        ///
        /// - Throws: ``SynthesisError/engineDied(_:over:)`` when too many were left out.
        private func passage(of part: PhrasePart, saying spoken: SpokenPiece) throws -> Passage? {
            let phrase = part.phrase
            if !spoken.clip.samples.isEmpty { (isHeard, leftOut) = (true, nil) }
            let isEnd = spoken.isLast && window.isEmpty && planned.isEmpty && (isPlanned || plan.isFinished)
            let silence = isEnd && !phrase.isPauseExact ? 0 : spoken.silence
            guard !spoken.clip.samples.isEmpty || silence > 0 || spoken.fault != nil else { return nil }
            let passage = Passage(
                sentence: phrase.sentence,
                source: part.source,
                text: part.writing,
                beginsSentence: phrase.isFirst && part.isFirst,
                endsSentence: phrase.isLast && spoken.isLast,
                clip: spoken.clip,
                silence: silence,
                start: nextSample,
                words: TimedWord.align(part.words, to: spoken.marks, offset: nextSample),
                isLeftOut: spoken.fault != nil
            )
            nextSample = passage.end
            if case .engineDied(let engine, _) = spoken.fault {
                let error = SynthesisError.engineDied(engine, over: passage.excerpt)
                leftOut = ((leftOut?.count ?? 0) + 1, error)
                if leftOut?.count == Narration.maximumLeftOut { throw error }
            }
            return passage
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
