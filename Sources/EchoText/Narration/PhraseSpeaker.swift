/// A piece of a phrase's sound: speech, and after its last piece the decay and the silence that follow.
struct SpokenPiece: Sendable {
    /// The speech and its decay; empty when there was nothing to say.
    let clip: AudioClip
    /// How many samples at the end of the clip are the decay.
    var decay = 0
    /// In order of time.
    let marks: [TimedWord]
    /// How many samples of silence follow.
    let silence: Int
    /// Whether the phrase ends with it.
    let isLast: Bool
    /// How fast it is said, times the voice's own pace.
    var speed = 1.0
    /// Why it was not said, when the engine's process ended over it, the dictionary left nothing to say or the voice
    /// has no sound for it.
    var fault: SynthesisError?
    /// Symbols that the voice does not know.
    var unknown: [Unicode.Scalar] = []

    /// How long it lasts, in seconds.
    fileprivate var speech: Double { Double(clip.samples.count) / Double(clip.sampleRate) }
    /// How long the silence after it lasts, in seconds.
    fileprivate var pause: Double { Double(silence) / Double(clip.sampleRate) }
}

/// Synthesizes the phrases of one narration, as many at once as its semaphore permits.
struct PhraseSpeaker: Sendable {
    let voice: Voice
    let speaker: Int
    let prosody: Prosody
    let synthesizer: any SpeechSynthesizer
    let semaphore: PrioritySemaphore

    /// Kept of the engine's own silence at either end, in seconds: enough for a soft onset, and no pause.
    private static let margin = 0.02
    /// The most that is kept after the last sound while it dies away, in seconds; what exceeds the margin is taken from
    /// the pause.
    private static let longestDecay = 0.15
    /// How long a phrase's end fades, in seconds, so that it does not click.
    private static let fade = 0.005

    /// How much faster than the rest a phrase may be said that has too little time, times the narration's speed.
    private static let mostHastening = 1.3
    /// How often a phrase is said again because an engine's speed does not shorten its speech as much as it should.
    private static let mostAttempts = 2

    /// Speaks `phrase`, with its own pause instead of the engine's silence, and faster where its time is short.
    func speak(_ phrase: PlannedPhrase) async throws -> SpokenPiece {
        let spoken = try await speak(phrase, with: prosody)
        guard case .speech(let time)? = phrase.time else { return spoken }
        return try await fit(spoken, of: phrase, to: time.upperBound - time.lowerBound)
    }

    /// Returns `spoken`, or says its phrase faster, as fast as is natural, when it and its pause last longer than `seconds`.
    func fit(_ spoken: SpokenPiece, of phrase: PlannedPhrase, to seconds: Double) async throws -> SpokenPiece {
        let fastest = min(prosody.speed * Self.mostHastening, Prosody.speedRange.upperBound)
        var spoken = spoken
        for _ in 0..<Self.mostAttempts {
            let room = seconds - spoken.pause
            guard spoken.fault == nil, spoken.speech > max(0, room), spoken.speed < fastest else { break }
            let wanted = room > 0 ? spoken.speed * spoken.speech / room : fastest
            // Hundredths, so that speech that was made before is found again.
            let speed = min(fastest, (wanted * 100).rounded(.up) / 100)
            spoken = try await speak(phrase, with: try prosody.sped(speed))
        }
        return spoken
    }

    private func speak(_ phrase: PlannedPhrase, with prosody: Prosody) async throws -> SpokenPiece {
        var fragments: [SpeechFragment] = []
        let fault = try await fragmentsOf(phrase, with: prosody) { fragments.append($0) }
        var spoken = ending(SpeechFragment(joining: fragments), for: phrase.pauseAfter, after: Delivered(), fault)
        spoken.speed = prosody.speed
        return spoken
    }

    /// Begins to speak `phrase` in stretches, each of which is there as soon as the engine has made it.
    func begin(_ phrase: PlannedPhrase) -> OpeningPhrase {
        let (pieces, listener) = AsyncThrowingStream.makeStream(
            of: SpokenPiece.self,
            bufferingPolicy: .unbounded  // It holds one phrase, whose length is bounded.
        )
        guard !phrase.text.isBlank else {
            // A text can begin with any number of pauses, and a busy machine makes each task wait.
            listener.yield(ending(nil, for: phrase.pauseAfter, after: Delivered(), phrase.fault))
            listener.finish()
            return OpeningPhrase(phrase, pieces, job: nil)
        }
        let job = Task {
            do {
                try await stretches(of: phrase) { listener.yield($0) }
                listener.finish()
            } catch {
                listener.finish(throwing: error)
            }
        }
        return OpeningPhrase(phrase, pieces, job: job)
    }

    private func stretches(of phrase: PlannedPhrase, deliver: (SpokenPiece) -> Void) async throws {
        // The last fragment is held back, because the end of the phrase gets the pause; so are leading fragments
        // without sound.
        var held: SpeechFragment?
        var delivered = Delivered()
        let fault = try await fragmentsOf(phrase, with: prosody) { fragment in
            var fragment = fragment
            if let before = held {
                held = nil
                if delivered.samples == 0, before.clip.soundRange().isEmpty {
                    let continues = fragment.continues
                    fragment = SpeechFragment(joining: [before, fragment]) ?? fragment
                    fragment.continues = continues
                } else {
                    deliver(going(before, after: &delivered))
                }
            }
            if fragment.continues, delivered.samples > 0 || !fragment.clip.soundRange().isEmpty {
                deliver(going(fragment, after: &delivered))
            } else {
                held = fragment
            }
        }
        deliver(ending(held, for: phrase.pauseAfter, after: delivered, fault))
    }

    /// - Returns: Why the phrase was not said, when the engine's process ended over it, it has no words left or the
    ///   voice has no sound for them.
    private func fragmentsOf(
        _ phrase: PlannedPhrase,
        with prosody: Prosody,
        take: (SpeechFragment) async throws -> Void
    ) async throws -> SynthesisError? {
        guard !phrase.text.isBlank else { return phrase.fault }
        let utterance = Utterance(text: phrase.text, voice: voice.id, speaker: speaker, prosody: prosody)
        return try await semaphore.pass { _ in
            do {
                try await synthesizer.speak(utterance) { fragment in
                    // Beside sound at the voice's former rate, it would be heard at another speed and pitch.
                    guard fragment.clip.sampleRate == voice.sampleRate else {
                        throw SynthesisError.voiceChanged(voice.id)
                    }
                    try await take(fragment)
                }
                return nil
            } catch SynthesisError.nothingToSay {
                // Marks and symbols pass in silence; words that the voice has no sound for would be missed.
                return phrase.hasWords ? .nothingToSay : nil
            } catch let error as SynthesisError {
                guard case .engineDied = error else { throw error }
                return error
            }
        }
    }

    /// The delivered part of a phrase.
    private struct Delivered {
        /// Samples of the engine, those trimmed included.
        var samples = 0
        /// The largest amplitude.
        var peak: Float = 0
    }

    /// Makes the piece of a fragment that others follow.
    private func going(_ fragment: SpeechFragment, after delivered: inout Delivered) -> SpokenPiece {
        let isFirst = delivered.samples == 0
        delivered.samples += fragment.clip.samples.count
        delivered.peak = max(delivered.peak, fragment.clip.peak)
        let begun = fragment.trimmed(start: isFirst, end: false, margin: Self.margin)
        return SpokenPiece(
            clip: begun.clip,
            marks: begun.marks,
            silence: 0,
            isLast: false,
            unknown: fragment.unknown
        )
    }

    /// Makes the last piece of a phrase, or the only one of a phrase without sound.
    private func ending(
        _ fragment: SpeechFragment?,
        for seconds: Double,
        after delivered: Delivered,
        _ fault: SynthesisError?
    ) -> SpokenPiece {
        let rate = Double(fragment?.clip.sampleRate ?? voice.sampleRate)
        let pause = Int((seconds * rate).rounded())
        guard let fragment else {
            let nothing = AudioClip(samples: [], sampleRate: voice.sampleRate)
            return SpokenPiece(clip: nothing, marks: [], silence: pause, isLast: true, fault: fault)
        }
        let decay = self.decay(of: fragment, after: delivered).prefix(pause)
        let spoken = fragment.trimmed(start: delivered.samples == 0, margin: Self.margin, offset: delivered.samples)
        var clip = spoken.clip
        clip.samples += decay
        clip.fadeOut(Int(Self.fade * rate))
        return SpokenPiece(
            clip: clip,
            decay: decay.count,
            marks: spoken.marks,
            silence: pause - decay.count,
            isLast: true,
            fault: fault,
            unknown: fragment.unknown
        )
    }

    /// The sound after the margin that follows the last sound of a phrase, until it is silent.
    private func decay(of fragment: SpeechFragment, after delivered: Delivered) -> ArraySlice<Float> {
        let (clip, rate) = (fragment.clip, Double(fragment.clip.sampleRate))
        let sound = clip.soundRange(offset: delivered.samples)
        guard !sound.isEmpty else { return [] }
        let peak = max(delivered.peak, clip.peak)
        let longest = Int(Self.longestDecay * rate)
        let length = clip.decay(after: sound.upperBound, peak: peak, longest: longest)
        return clip.samples.dropFirst(sound.upperBound).prefix(length).dropFirst(Int(Self.margin * rate))
    }
}

/// A phrase that is delivered while it is being spoken.
struct OpeningPhrase {
    /// Speaks it, and has to be ended by the caller; `nil` where there is nothing to say.
    let job: Task<Void, Never>?
    private let phrase: PlannedPhrase
    private var pieces: AsyncThrowingStream<SpokenPiece, any Error>.Iterator
    /// How far the phrase's text has been said, in UTF-16 units of the whole text.
    private var position: Int

    fileprivate init(
        _ phrase: PlannedPhrase,
        _ pieces: AsyncThrowingStream<SpokenPiece, any Error>,
        job: Task<Void, Never>?
    ) {
        self.phrase = phrase
        self.pieces = pieces.makeAsyncIterator()
        self.job = job
        position = phrase.source.lowerBound
    }

    /// The next stretch, and the part of the phrase that it says; `nil` when all has been said, or the task is cancelled.
    mutating func next() async throws -> (part: PlannedPhrase, piece: SpokenPiece)? {
        guard let piece = try await pieces.next(isolation: #isolation) else { return nil }
        return (part(saidBy: piece), piece)
    }

    /// The part with the words that `piece`, the last stretch, has marks for, and all that is written up to the next word.
    private mutating func part(saidBy piece: SpokenPiece) -> PlannedPhrase {
        let start = position
        let said = piece.marks.last?.source.upperBound ?? start
        let next = phrase.words.first { $0.lowerBound >= max(said, start) }?.lowerBound
        let end = piece.isLast ? phrase.source.upperBound : max(start, next ?? said)
        position = end
        let units = Array(phrase.writing.utf16)
        let inside = (start..<end).clamped(to: phrase.source)
        let offset = phrase.source.lowerBound
        var part = phrase
        part.isFirst = phrase.isFirst && start == phrase.source.lowerBound
        part.source = inside
        part.writing = String(
            decoding: units[
                min(inside.lowerBound - offset, units.count)..<min(inside.upperBound - offset, units.count)
            ],
            as: UTF16.self
        )
        part.words = phrase.words.filter {
            $0.lowerBound >= start && $0.lowerBound < end || piece.isLast && $0.lowerBound >= start
        }
        return part
    }
}
