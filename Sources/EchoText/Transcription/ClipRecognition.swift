/// Has clips recognized, distrusts a recognizer that repeats itself, and has speech without words recognized again.
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
    /// The silence around speech that is recognized alone, in windows: a detector finds the first sound of a word late.
    private static let margin = 8
    /// How much longer it takes to say what was recognized in two halves that is believed, in seconds.
    private static let gain = 1.0

    private let session: any RecognitionSession

    package init(by session: any RecognitionSession) {
        self.session = session
    }

    /// Recognizes one clip.
    ///
    /// If the session may recognize a sound again, a clip in which it repeats itself, or of which it has written few
    /// words without times, is recognized again in two halves, and speech without a recognized word is recognized again
    /// alone. What is repeated even in a half is left out; what has no word even then is a gap, and so is all speech
    /// without words for a session that may not.
    ///
    /// - Throws: What the session throws.
    package func recognize(_ clip: SpeechClip, _ sound: AudioClip) async throws -> RecognizedClip {
        let recognized = try await recognizeOnce(clip, sound)
        guard session.recognizesAgain, recognized.remark == nil, clip.windows.count >= Self.shortestDivided,
            recognized.speech.hasUntimedWords, UnrecognizedSpeech.lacksWords(recognized.speech.text, in: clip)
        else { return try await filled(recognized, clip, sound) }
        let divided = try await recognizeEachHalf(clip, sound)
        let gain =
            SpeakingPace.usual.seconds(of: divided.speech.text)
            - SpeakingPace.usual.seconds(of: recognized.speech.text)
        // With less around them, words are understood less well.
        if gain >= Self.gain || gain > -Self.gain && !divided.gaps.isEmpty { return divided }
        return try await filled(recognized, clip, sound)
    }

    /// Has speech recognized alone in which no word was recognized.
    private func filled(_ recognized: RecognizedClip, _ clip: SpeechClip, _ sound: AudioClip) async throws
        -> RecognizedClip
    {
        guard recognized.remark == nil else { return recognized }
        var recognized = recognized
        let before = recognized.speech.passages
        recognized.speech = UnrecognizedSpeech.settled(recognized.speech, in: clip)
        let shortened = recognized.speech.passages.subtracting(before)
        let gaps = UnrecognizedSpeech.gaps(in: clip, after: recognized.speech)
        // Signs without a word are no speech.
        if !gaps.isEmpty, !recognized.speech.hasWords { (recognized.speech.text, recognized.speech.words) = ("", []) }
        // Where words have no times, the place of a gap is a guess, and some of them would be recognized twice.
        guard session.recognizesAgain, !recognized.speech.hasUntimedWords else {
            recognized.gaps = gaps
            return recognized
        }
        for gap in gaps {
            let time = Self.withSilence(gap, in: clip.windows)
            let again = try await recognize(time, of: sound)
            guard again.hasWords, RepetitionCheck.start(in: again.spokenWords) == nil else {
                recognized.gaps.append(gap)
                continue
            }
            let filled = recognized.speech.dropping(again, of: shortened, before: time.lowerBound)
                .inserting(again, after: time.lowerBound)
            recognized.speech = UnrecognizedSpeech.settled(filled, in: clip)
            // A word or two may be all that was understood of it.
            let rest =
                filled.hasUntimedWords
                ? UnrecognizedSpeech.gaps(in: clip.part(gap), after: again).map { $0.moved(by: gap.lowerBound) }
                : UnrecognizedSpeech.gaps(in: clip, after: recognized.speech).filter { gap.overlaps($0) }
            recognized.gaps += rest
        }
        return recognized
    }

    /// Recognizes clips as one sound.
    ///
    /// A clip of which nothing is recognized in it for certain is recognized alone; so are all if the session repeats
    /// itself, or reports no times from which the clip of a word follows.
    ///
    /// - Returns: What was recognized of each clip, in order.
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
        guard session.recognizesAgain, clip.windows.count >= Self.shortestDivided else {
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

    /// Recognizes the halves as clips of their own.
    private func recognizeEachHalf(_ clip: SpeechClip, _ sound: AudioClip) async throws -> RecognizedClip {
        let place = Self.quietestPlace(in: clip.windows)
        let cut = min(sound.samples.count, place * VoiceWindow.samples)
        let before = AudioClip(samples: Array(sound.samples[..<cut]), sampleRate: sound.sampleRate)
        let after = AudioClip(samples: Array(sound.samples[cut...]), sampleRate: sound.sampleRate)
        let first = try await recognize(
            SpeechClip(range: 0..<cut, windows: Array(clip.windows[..<place])),
            before
        )
        let second = try await recognize(
            SpeechClip(range: cut..<sound.samples.count, windows: Array(clip.windows[place...])),
            after
        )
        return RecognizedClip(
            speech: first.speech.followed(by: second.speech, after: before.seconds),
            remark: first.remark ?? second.remark,
            gaps: first.gaps + second.gaps.map { $0.moved(by: before.seconds) }
        )
    }

    /// Searched in the middle third, where a word is unlikely to be cut.
    private static func quietestPlace(in windows: [VoiceWindow]) -> Int {
        let places = windows.count / 3..<windows.count * 2 / 3
        return places.min { windows[$0].level < windows[$1].level } ?? windows.count / 2
    }
}

extension RecognizedSpeech {
    var spokenWords: [Substring] { text.split(whereSeparator: \.isWhitespace) }

    /// Whether there is a letter or a digit; for noise, some recognizers write an ellipsis or a note.
    var hasWords: Bool { text.contains { $0.isLetter || $0.isNumber } }

    /// Whether nobody knows when its words were said.
    var hasUntimedWords: Bool { hasWords && words.isEmpty }

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
            var word = word.moved(by: offset)
            (word.start, word.end) = (word.start + seconds, word.end + seconds)
            word.passage = word.passage.map { $0.moved(by: seconds) }
            return word
        }
        // Times that only a half of the words have are none.
        if words.isEmpty != next.words.isEmpty, !text.isEmpty { (speech.words, speech.timing) = ([], .none) }
        if text.isEmpty { speech.timing = next.timing }
        return speech
    }
}

/// Detects that a recognizer repeats itself, a known fault of autoregressive decoders.
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

/// How long people take to say words, for words of which nobody knows when they were said.
///
/// The three readers and speakers of the tests' recordings say 12 to 14 letters in a second of speech, pauses left out.
struct SpeakingPace: Sendable {
    /// Ten letters a second; most people say more.
    static let usual = SpeakingPace(letter: 0.1)
    /// Five letters a second; hardly anybody says fewer for long.
    static let slow = SpeakingPace(letter: 0.2)

    /// The letters that a word counts as at least: short words are said slowly, and names spelled.
    private static let shortestWord = 4
    /// The letters that a digit or a sign such as “%” counts as, which is said as a word.
    private static let digit = 4
    /// The letters that a sign of a syllable or a word counts as.
    private static let syllable = 3

    /// The time for a letter, in seconds.
    let letter: Double

    /// The time that it takes to say a text, in seconds.
    func seconds(of text: String) -> Double {
        let letters = text.split(whereSeparator: \.isWhitespace).reduce(0) { letters, word in
            let own = word.unicodeScalars.reduce(0) { $0 + Self.letters(of: $1) }
            return letters + (own > 0 ? max(Self.shortestWord, own) : 0)
        }
        return Double(letters) * letter
    }

    private static func letters(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber, .currencySymbol, .mathSymbol: digit
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
            isSyllable(scalar) ? syllable : 1
        case .spacingMark: 1
        default: scalar == "%" || scalar == "&" || scalar == "@" ? digit : 0
        }
    }

    private static func isSyllable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1200...0x139F, 0x2D80...0x2DDF, 0xAB00...0xAB2F: true  // Ethiopic
        case 0x13A0...0x167F, 0xAB70...0xABBF: true  // Cherokee, Canadian Aboriginal syllabics
        case 0x3040...0x30FF, 0xA000...0xA48F, 0xA500...0xA63F, 0xAC00...0xD7A3: true  // kana, Yi, Vai, Hangul
        default: scalar.properties.isIdeographic
        }
    }
}

/// Finds speech in which a recognizer has recognized no word.
enum UnrecognizedSpeech {
    private static let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)
    /// The shortest speech that is missed, in windows: 2 s, in which nearly everybody says several words.
    private static let shortest = 63
    /// The same where the times of words are unknown, in windows: 3 s.
    private static let shortestOfUntimed = 94
    /// Pauses that part no speech, in windows: 0.5 s.
    private static let pause = 16
    /// How far a word's time may be off, in seconds.
    private static let tolerance = 0.3

    /// Where something is said and nothing was recognized, in seconds from the start of the clip.
    ///
    /// - Parameters:
    ///   - clip: Which of its windows are speech.
    ///   - recognized: What was recognized. Words without times count as said first and slowly, since a recognizer that
    ///     loses words mostly ends too early.
    /// - Returns: In order, each long enough to be recognized alone.
    static func gaps(in clip: SpeechClip, after recognized: RecognizedSpeech) -> [Range<Double>] {
        var isOpen = clip.windows.map(\.isSpeech)
        guard !recognized.hasUntimedWords else {
            let end = end(of: recognized.text, from: 0, in: clip)
            for place in isOpen.indices.prefix(end) { isOpen[place] = false }
            return gaps(isOpen, in: clip, shortest: shortestOfUntimed)
        }
        let units = Array(recognized.text.utf16)
        var (reached, written) = (0, 0)
        /// Words that the recognizer has written and not timed are said between those around them.
        func closeUntimed(_ source: Range<Int>, until last: Int) {
            guard source.count > 1, reached < last else { return }
            let text = String(decoding: units[source], as: UTF16.self)
            guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return }
            for place in reached..<min(last, end(of: text, from: reached, in: clip)) { isOpen[place] = false }
        }
        for word in recognized.words {
            let first = min(isOpen.count, Int(max(0, (word.start - tolerance) / window)))
            let last = min(isOpen.count, Int((word.end + tolerance) / window) + 1)
            let source = word.source.clamped(to: written..<units.count)
            closeUntimed(written..<source.lowerBound, until: first)
            for place in first..<max(first, last) { isOpen[place] = false }
            (reached, written) = (max(reached, last), source.upperBound)
        }
        closeUntimed(written..<units.count, until: isOpen.count)
        return gaps(isOpen, in: clip, shortest: shortest)
    }

    /// Groups windows in which something is said and nothing was recognized.
    ///
    /// - Parameters:
    ///   - isOpen: For each window whether it is one of them.
    ///   - clip: The clip.
    ///   - shortest: The shortest gap, in windows of speech.
    /// - Returns: In order, in seconds from the start of the clip.
    private static func gaps(_ isOpen: [Bool], in clip: SpeechClip, shortest: Int) -> [Range<Double>] {
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

    /// Whether a text is too short for what is said in a clip, by three seconds or more at a usual pace.
    static func lacksWords(_ text: String, in clip: SpeechClip) -> Bool {
        guard !isNote(text) else { return false }
        let speech = clip.windows.count(where: \.isSpeech)
        return speech - Int(SpeakingPace.usual.seconds(of: text) / window) >= shortestOfUntimed
    }

    /// The speech with passages that are no longer than it takes to say their words slowly.
    ///
    /// A Whisper that ends too early often says that what it wrote has lasted until much later. The ends of its passages
    /// are believed where the clip has words enough, as a stamp may also be that of the next passage.
    ///
    /// - Parameters:
    ///   - speech: The speech; only passages whose words have no times of their own are changed.
    ///   - clip: The clip.
    /// - Returns: The same text; a passage that ends earlier has all its words before that.
    static func settled(_ speech: RecognizedSpeech, in clip: SpeechClip) -> RecognizedSpeech {
        guard speech.words.contains(where: { $0.passage != nil }), lacksWords(speech.text, in: clip) else {
            return speech
        }
        var settled = speech
        let whole = 0..<speech.text.utf16.count
        var first = 0
        while first < speech.words.count {
            let passage = speech.words[first].passage
            let next = speech.words[first...].firstIndex { $0.passage != passage } ?? speech.words.count
            let places = first..<next
            first = next
            let start = speech.words[places.lowerBound].source.lowerBound
            let source = start..<max(start, speech.words[places.upperBound - 1].source.upperBound)
            let text = String(speech.text.part(source.clamped(to: whole)))
            guard let passage, let end = earlierEnd(of: passage, saying: text, in: clip) else { continue }
            for place in places { settled.words[place].shorten(passage, to: end) }
        }
        return settled
    }

    /// Where the words of a passage end at the latest, if there is much speech behind them; in seconds.
    private static func earlierEnd(of passage: Range<Double>, saying text: String, in clip: SpeechClip) -> Double? {
        let first = min(clip.windows.count, Int(max(0, passage.lowerBound) / window))
        let last = min(clip.windows.count, Int(max(0, passage.upperBound) / window))
        // Signs take no time.
        let end = max(first + 1, end(of: text, from: first, in: clip))
        guard end < last else { return nil }
        let rest = clip.windows[end..<last].count(where: \.isSpeech)
        let time = Double(end) * window
        guard rest >= shortestOfUntimed + Int(tolerance / window), time > passage.lowerBound else { return nil }
        return time
    }

    /// Whether a text only names a sound, such as “[Music]” or “♪ la la ♪”, which lasts as long as it lasts.
    private static func isNote(_ text: String) -> Bool {
        guard let first = text.first, let last = text.last(where: { !".,!?。".contains($0) }) else { return false }
        return "[(*♪♫（【".contains(first) && "])*♪♫）】".contains(last)
    }

    /// The window behind a text that is said slowly, from a window on.
    private static func end(of text: String, from first: Int, in clip: SpeechClip) -> Int {
        guard !isNote(text) else { return clip.windows.count }
        var rest = Int((SpeakingPace.slow.seconds(of: text) / window).rounded(.up))
        for place in clip.windows.indices.dropFirst(first) where clip.windows[place].isSpeech {
            guard rest > 0 else { return place }
            rest -= 1
        }
        return clip.windows.count
    }
}

extension SpeechClip {
    /// A part of it, from a time to another in seconds from its start, as a clip.
    fileprivate func part(_ time: Range<Double>) -> SpeechClip {
        let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)
        let first = min(windows.count, max(0, Int((time.lowerBound / window).rounded())))
        let last = min(windows.count, max(first, Int((time.upperBound / window).rounded())))
        return SpeechClip(range: 0..<(last - first) * VoiceWindow.samples, windows: Array(windows[first..<last]))
    }
}

extension RecognizedWord {
    /// Gives it its share of a passage that ends earlier.
    fileprivate mutating func shorten(_ passage: Range<Double>, to end: Double) {
        let scale = (end - passage.lowerBound) / (passage.upperBound - passage.lowerBound)
        start = Swift.min(end, passage.lowerBound + Swift.max(0, start - passage.lowerBound) * scale)
        self.end = Swift.min(end, Swift.max(start, passage.lowerBound + (self.end - passage.lowerBound) * scale))
        self.passage = passage.lowerBound..<end
    }
}

extension RecognizedSpeech {
    /// When its passages were said.
    fileprivate var passages: Set<Range<Double>> { Set(words.compactMap(\.passage)) }

    /// This text without the end of a passage that was recognized again: the passage lasts as long as it said.
    ///
    /// Whoever sings says few letters a second.
    ///
    /// - Parameters:
    ///   - other: What was recognized again; the words of a passage that it begins with are dropped.
    ///   - shortened: The passages from which words may be dropped: two, or all that was recognized again.
    ///   - seconds: Where it was recognized.
    /// - Returns: The rest of the text.
    fileprivate func dropping(
        _ other: RecognizedSpeech,
        of shortened: Set<Range<Double>>,
        before seconds: Double
    ) -> RecognizedSpeech {
        let end = words.firstIndex { $0.start >= seconds } ?? words.count
        guard end > 0, let passage = words[end - 1].passage, shortened.contains(passage) else { return self }
        let units = Array(text.utf16)
        let heard = other.text.comparedWord
        var (said, count, dropped) = ("", 0, 0)
        for word in words[..<end].reversed().prefix(while: { $0.passage == passage }) {
            said = String(decoding: units[word.source], as: UTF16.self).comparedWord + said
            count += 1
            if said == heard || count > 1 && heard.hasPrefix(said) { dropped = count }
        }
        guard dropped > 0 else { return self }
        let start = words[end - dropped].source.lowerBound
        let next = end < words.count ? words[end].source.lowerBound : units.count
        var rest = self
        rest.text = String(decoding: units[..<start] + units[next...], as: UTF16.self).trimmed
        rest.words.removeSubrange(end - dropped..<end)
        for place in rest.words.indices.dropFirst(end - dropped) {
            rest.words[place] = rest.words[place].moved(by: start - next)
        }
        return rest
    }

    /// This text with another in it, which was recognized `seconds` after its start.
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
        before.text = String(decoding: units[..<start], as: UTF16.self).trimmed
        before.words = Array(words[..<place])
        after.text = String(decoding: units[start...], as: UTF16.self)
        after.words = words[place...].map { $0.moved(by: -start) }
        return before.followed(by: other, after: seconds).followed(by: after, after: 0)
    }
}
