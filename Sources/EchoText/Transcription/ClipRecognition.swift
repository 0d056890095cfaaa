/// Has clips recognized, distrusts a recogniser that repeats itself, and has speech without words recognized again.
package struct ClipRecognition: Sendable {
    /// The result of recognizing a clip.
    package struct Heard: Sendable {
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
    package func recognize(_ clip: SpeechClip, _ sound: AudioClip) async throws -> Heard {
        var heard = try await recognizeOnce(clip, sound)
        guard session.hearsAgain, heard.remark == nil else { return heard }
        let gaps = UnheardSpeech.gaps(in: clip, after: heard.speech)
        // Signs without a word are no speech.
        if !gaps.isEmpty, heard.speech.words.isEmpty { heard.speech.text = "" }
        for gap in gaps {
            let time = Self.withSilence(gap, in: clip.windows)
            let again = try await recognize(time, of: sound)
            guard again.hasWords, RepetitionCheck.start(in: again.spokenWords) == nil else {
                heard.gaps.append(gap)
                continue
            }
            heard.speech = heard.speech.inserting(again, after: time.lowerBound)
            // A word or two may be all that was understood of it.
            heard.gaps += UnheardSpeech.gaps(in: clip, after: heard.speech).filter { gap.overlaps($0) }
        }
        return heard
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

    private func recognizeOnce(_ clip: SpeechClip, _ sound: AudioClip) async throws -> Heard {
        let speech = try await session.recognize(sound)
        guard RepetitionCheck.start(in: speech.spokenWords) != nil else { return Heard(speech: speech) }
        guard session.hearsAgain, clip.windows.count >= Self.shortestDivided else {
            return Heard(speech: speech.cut(), remark: .cutShort)
        }
        return try await recognizeInHalves(clip, sound)
    }

    private func recognizeInHalves(_ clip: SpeechClip, _ sound: AudioClip) async throws -> Heard {
        let place = Self.quietestPlace(in: clip.windows) * VoiceWindow.samples
        let halves = [sound.samples[..<place], sound.samples[place...]].map { samples in
            AudioClip(samples: Array(samples), sampleRate: sound.sampleRate)
        }
        let first = try await session.recognize(halves[0])
        let second = try await session.recognize(halves[1])
        let isCut = [first, second].contains { RepetitionCheck.start(in: $0.spokenWords) != nil }
        let joined = first.cut().followed(by: second.cut(), after: halves[0].seconds)
        return Heard(speech: joined, remark: isCut ? .cutShort : .repeated)
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
            return word
        }
        // Times that only a half of the words have are none.
        if words.isEmpty != next.words.isEmpty, !text.isEmpty { (speech.words, speech.timing) = ([], .none) }
        if text.isEmpty { speech.timing = next.timing }
        return speech
    }
}
