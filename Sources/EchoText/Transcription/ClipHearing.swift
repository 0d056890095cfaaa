/// Has clips recognised, and does not believe a recogniser that repeats itself.
package struct ClipHearing: Sendable {
    /// The result of recognizing a clip.
    package struct Heard: Sendable {
        package var speech: RecognizedSpeech
        package var remark: TranscriptSegment.Remark?
    }

    /// The shortest clip that is divided, in windows: 4 s.
    private static let shortestDivided = 125

    private let session: any RecognitionSession

    package init(by session: any RecognitionSession) {
        self.session = session
    }

    /// Recognizes one clip.
    ///
    /// A clip in which the recogniser repeats itself is heard again in two halves, if it may be; what is repeated even there is left out.
    ///
    /// - Throws: What the session throws.
    package func hear(_ clip: SpeechClip, _ sound: AudioClip) async throws -> Heard {
        let speech = try await session.recognize(sound)
        guard RepetitionCheck.start(in: speech.spokenWords) != nil else { return Heard(speech: speech) }
        guard session.hearsAgain, clip.windows.count >= Self.shortestDivided else {
            return Heard(speech: speech.cut(), remark: .cutShort)
        }
        return try await hearInHalves(clip, sound)
    }

    private func hearInHalves(_ clip: SpeechClip, _ sound: AudioClip) async throws -> Heard {
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
