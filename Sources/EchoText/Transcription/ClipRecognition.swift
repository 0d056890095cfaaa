/// Has clips recognized, distrusts a recogniser that repeats itself, and has speech without words recognized again.
package struct ClipRecognition: Sendable {
    /// The result of recognizing a clip.
    package struct RecognizedClip: Sendable {
        package var speech: RecognizedSpeech
        package var remark: TranscriptSegment.Remark?
        /// Where something is said that was not understood, in seconds from the start of the clip.
        package var gaps: [Range<Double>] = []
    }

    /// The shortest clip that is divided, in windows: 4 s.
    private static let shortestDivided = 125
    /// The silence around speech that is heard alone, in windows: a detector finds the first sound of a word late.
    private static let margin = 8

    private let session: any RecognitionSession

    package init(by session: any RecognitionSession) {
        self.session = session
    }

    /// Recognizes one clip.
    ///
    /// If the session may hear a sound again, a clip in which it repeats itself is heard again in two halves, and speech
    /// in which it has heard no word is heard again alone. What is repeated even in a half is left out; what has no
    /// word even then is a gap.
    ///
    /// - Throws: What the session throws.
    package func recognize(_ clip: SpeechClip, _ sound: AudioClip) async throws -> RecognizedClip {
        try await filled(recognizeOnce(clip, sound), clip, sound)
    }

    /// Has speech recognized alone in which no word was heard.
    private func filled(_ recognized: RecognizedClip, _ clip: SpeechClip, _ sound: AudioClip) async throws
        -> RecognizedClip
    {
        guard session.hearsAgain, recognized.remark == nil else { return recognized }
        var recognized = recognized
        let gaps = UnheardSpeech.gaps(in: clip, after: recognized.speech)
        // Signs without a word are no speech.
        if !gaps.isEmpty, recognized.speech.words.isEmpty { recognized.speech.text = "" }
        for gap in gaps {
            let time = Self.withSilence(gap, in: clip.windows)
            let again = try await recognize(time, of: sound)
            guard again.hasWords, RepetitionCheck.start(in: again.spokenWords) == nil else {
                recognized.gaps.append(gap)
                continue
            }
            recognized.speech = recognized.speech.inserting(again, after: time.lowerBound)
            // A word or two may be all that was understood of it.
            recognized.gaps += UnheardSpeech.gaps(in: clip, after: recognized.speech).filter { gap.overlaps($0) }
        }
        return recognized
    }

    /// Recognizes clips as one sound.
    ///
    /// A clip of which nothing is heard in it for certain is recognized alone; so are all if the session repeats itself,
    /// or reports no times from which the clip of a word follows.
    ///
    /// - Returns: What was heard of each clip, in order.
    /// - Throws: What the session throws.
    package func recognize(_ pack: ClipPack) async throws -> [RecognizedClip] {
        guard pack.parts.count > 1 || pack.lead > 0 else { return try await recognizeAlone(pack.parts) }
        let (clip, sound) = pack.whole
        let speech = try await session.recognize(sound)
        // Words that are said again and again in clips of their own are no repetition of the session's.
        guard RepetitionCheck.start(in: speech.spokenWords) == nil else { return try await recognizeAlone(pack.parts) }
        let recognized = try await filled(RecognizedClip(speech: speech), clip, sound)
        guard var divided = pack.divided(recognized) else { return try await recognizeAlone(pack.parts) }
        for (place, part) in pack.parts.enumerated() where divided[place].isEmpty {
            divided[place] = try await recognize(part.clip, part.sound)
        }
        return divided
    }

    private func recognizeAlone(_ parts: [ClipPack.Part]) async throws -> [RecognizedClip] {
        var recognized: [RecognizedClip] = []
        for part in parts { recognized.append(try await recognize(part.clip, part.sound)) }
        return recognized
    }

    /// Some time with the silence around it, as far as it reaches and the margin allows.
    private static func withSilence(_ time: Range<Double>, in windows: [VoiceWindow]) -> Range<Double> {
        let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)
        let first = min(windows.count, Int((time.lowerBound / window).rounded()))
        let last = min(windows.count, Int((time.upperBound / window).rounded()))
        let before = windows[..<first].suffix(margin).reversed().prefix { !$0.isSpeech }.count
        let after = windows[last...].prefix(margin).prefix { !$0.isSpeech }.count
        return max(0, time.lowerBound - Double(before) * window)..<time.upperBound + Double(after) * window
    }

    private func recognize(_ time: Range<Double>, of sound: AudioClip) async throws -> RecognizedSpeech {
        let rate = Double(sound.sampleRate)
        let range = Int(time.lowerBound * rate)..<Int(time.upperBound * rate)
        let samples = sound.samples[range.clamped(to: sound.samples.indices)]
        return try await session.recognize(AudioClip(samples: Array(samples), sampleRate: sound.sampleRate))
    }

    private func recognizeOnce(_ clip: SpeechClip, _ sound: AudioClip) async throws -> RecognizedClip {
        let speech = try await session.recognize(sound)
        guard RepetitionCheck.start(in: speech.spokenWords) != nil else { return RecognizedClip(speech: speech) }
        guard session.hearsAgain, clip.windows.count >= Self.shortestDivided else {
            return RecognizedClip(speech: speech.cut(), remark: .cutShort)
        }
        return try await recognizeInHalves(clip, sound)
    }

    private func recognizeInHalves(_ clip: SpeechClip, _ sound: AudioClip) async throws -> RecognizedClip {
        let place = Self.quietestPlace(in: clip.windows) * VoiceWindow.samples
        let halves = [sound.samples[..<place], sound.samples[place...]].map { samples in
            AudioClip(samples: Array(samples), sampleRate: sound.sampleRate)
        }
        let first = try await session.recognize(halves[0])
        let second = try await session.recognize(halves[1])
        let isCut = [first, second].contains { RepetitionCheck.start(in: $0.spokenWords) != nil }
        let joined = first.cut().followed(by: second.cut(), after: halves[0].seconds)
        return RecognizedClip(speech: joined, remark: isCut ? .cutShort : .repeated)
    }

    /// Searched in the middle third, where a word is unlikely to be cut.
    private static func quietestPlace(in windows: [VoiceWindow]) -> Int {
        let places = windows.count / 3..<windows.count * 2 / 3
        return places.min { windows[$0].level < windows[$1].level } ?? windows.count / 2
    }
}

extension RecognizedSpeech {
    var spokenWords: [Substring] { text.split(whereSeparator: \.isWhitespace) }

    /// Whether there is a letter or a digit; for noise, some recognisers write an ellipsis or a note.
    var hasWords: Bool { text.contains { $0.isLetter || $0.isNumber } }

    /// The text up to where it only repeats itself.
    func cut() -> RecognizedSpeech {
        let words = spokenWords
        guard let first = RepetitionCheck.start(in: words), first < words.count else { return self }
        let end = first > 0 ? words[first - 1].endIndex : text.startIndex
        var speech = self
        speech.text = String(text[..<end])
        let length = speech.text.utf16.count
        speech.words = self.words.filter { $0.source.upperBound <= length }
        return speech
    }

    /// Appends the next text, which starts `seconds` later.
    func followed(by next: RecognizedSpeech, after seconds: Double) -> RecognizedSpeech {
        guard !next.text.isEmpty else { return self }
        var speech = self
        if !speech.text.isEmpty { speech.text += " " }
        let offset = speech.text.utf16.count
        speech.text += next.text
        speech.words += next.words.map { word in
            var word = word
            word.source = word.source.lowerBound + offset..<word.source.upperBound + offset
            (word.start, word.end) = (word.start + seconds, word.end + seconds)
            word.passage = word.passage.map { $0.lowerBound + seconds..<$0.upperBound + seconds }
            return word
        }
        // Times that only a half of the words have are none.
        if words.isEmpty != next.words.isEmpty, !text.isEmpty { (speech.words, speech.timing) = ([], .none) }
        if text.isEmpty { speech.timing = next.timing }
        return speech
    }
}

/// Detects that a recogniser repeats itself, a known fault of autoregressive decoders.
///
/// - SeeAlso: OpenAI's `whisper/transcribe.py`, which decodes again above a compression ratio of 2.4; this check
///   measures the share of a text that repeats what directly precedes it, which needs no compressor and locates the
///   start.
package enum RepetitionCheck {
    /// The longest phrase that is looked for, in words.
    private static let longestPhrase = 12
    /// How often a phrase may be said in a row: people do say “no, no, no”, but not longer phrases as often.
    private static func allowed(words: Int) -> Int { words == 1 ? 5 : words <= 3 ? 3 : 2 }

    /// Finds where a repetition exceeds what people say.
    ///
    /// - Parameter words: The words of one clip, in order; letter case and punctuation are ignored.
    /// - Returns: The index of the first excess word, or `nil`.
    package static func start(in words: [some StringProtocol]) -> Int? {
        let words = words.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        var earliest: Int?
        for length in 1...longestPhrase where words.count > length {
            var begin = 0
            while begin + 2 * length <= words.count {
                let times = repetitions(of: begin..<begin + length, in: words)
                if times > allowed(words: length) {
                    let place = begin + length * allowed(words: length)
                    earliest = min(earliest ?? place, place)
                    break
                }
                begin += 1
            }
        }
        return earliest
    }

    /// How often the phrase occurs in a row, including the first time.
    private static func repetitions(of phrase: Range<Int>, in words: [String]) -> Int {
        guard phrase.contains(where: { !words[$0].isEmpty }) else { return 1 }
        var times = 1
        var next = phrase.upperBound
        while next + phrase.count <= words.count, words[phrase] == words[next..<next + phrase.count] {
            times += 1
            next += phrase.count
        }
        return times
    }
}

/// Finds speech in which a recogniser has heard no word.
enum UnheardSpeech {
    private static let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)
    /// The shortest speech that is missed, in windows: 2 s, in which nearly everybody says several words.
    private static let shortest = 63
    /// Pauses that part no speech, in windows: 0.5 s.
    private static let pause = 16
    /// How far a word's time may be off, in seconds.
    private static let tolerance = 0.3

    /// Where something is said and nothing was heard, in seconds from the start of the clip.
    ///
    /// - Parameters:
    ///   - clip: Which of its windows are speech.
    ///   - recognized: What was recognized; words without times count as all that is said.
    /// - Returns: In order, each long enough to be heard alone.
    static func gaps(in clip: SpeechClip, after recognized: RecognizedSpeech) -> [Range<Double>] {
        guard !recognized.hasWords || !recognized.words.isEmpty else { return [] }
        var isOpen = clip.windows.map(\.isSpeech)
        for word in recognized.words {
            let first = Int(max(0, (word.start - tolerance) / window))
            let last = min(isOpen.count, Int((word.end + tolerance) / window) + 1)
            for place in first..<max(first, last) { isOpen[place] = false }
        }
        var gaps: [Range<Int>] = []
        var speech = 0
        func close() {
            if speech < shortest, !gaps.isEmpty { gaps.removeLast() }
            speech = 0
        }
        for (place, isSpeech) in isOpen.enumerated() where isSpeech {
            if let last = gaps.last, speech > 0, place - last.upperBound < pause,
                isContinued(last.upperBound..<place, in: clip)
            {
                gaps[gaps.count - 1] = last.lowerBound..<place + 1
            } else {
                close()
                gaps.append(place..<place + 1)
            }
            speech += 1
        }
        close()
        let length = Double(clip.range.count) / Double(RecognitionClip.sampleRate)
        return gaps.map { gap in
            let start = min(length, Double(gap.lowerBound) * window)
            return start..<max(start, min(length, Double(gap.upperBound) * window))
        }
    }

    /// Whether there is a pause, and no word, in the windows between.
    private static func isContinued(_ between: Range<Int>, in clip: SpeechClip) -> Bool {
        !clip.windows[between].contains(where: \.isSpeech)
    }
}

extension RecognizedSpeech {
    /// This text with another in it, which was heard `seconds` after its start.
    ///
    /// A text without times is all before the other.
    func inserting(_ other: RecognizedSpeech, after seconds: Double) -> RecognizedSpeech {
        guard let place = words.firstIndex(where: { $0.start >= seconds }) else {
            return followed(by: other, after: seconds)
        }
        let units = Array(text.utf16)
        // Signs between two words stay with the first one.
        let start = place > 0 ? words[place].source.lowerBound : 0
        var (before, after) = (self, self)
        before.text = String(decoding: units[..<start], as: UTF16.self).trimmingWhitespace
        before.words = Array(words[..<place])
        after.text = String(decoding: units[start...], as: UTF16.self)
        after.words = words[place...].map { word in
            var word = word
            word.source = word.source.lowerBound - start..<word.source.upperBound - start
            return word
        }
        return before.followed(by: other, after: seconds).followed(by: after, after: 0)
    }
}
