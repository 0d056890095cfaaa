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
    ///   - heard: What was heard; words without times count as all that is said.
    /// - Returns: In order, each long enough to be heard alone.
    static func gaps(in clip: SpeechClip, after heard: RecognizedSpeech) -> [Range<Double>] {
        guard !heard.hasWords || !heard.words.isEmpty else { return [] }
        var isOpen = clip.windows.map(\.isSpeech)
        for word in heard.words {
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
