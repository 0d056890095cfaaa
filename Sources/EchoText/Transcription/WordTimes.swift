/// Determines the times of a clip's words.
struct WordTimes: Sendable {
    private static let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)
    /// The shortest silence that words are moved out of, in windows; shorter ones are parts of words.
    private static let shortestSilence = 6

    private let length: Double
    /// The ranges with speech, in seconds from the start of the clip.
    private let speech: [Range<Double>]

    /// - Parameters:
    ///   - clip: The clip.
    ///   - gaps: Speech that was not understood, in seconds from the start of the clip; it contains no word.
    init(_ clip: SpeechClip, gaps: [Range<Double>] = []) {
        length = Double(clip.range.count) / Double(RecognitionClip.sampleRate)
        let windows = clip.windows.enumerated().map { place, window in
            let middle = (Double(place) + 0.5) * Self.window
            let isUnderstood = !gaps.contains { $0.contains(middle) }
            return VoiceWindow(isSpeech: window.isSpeech && isUnderstood, level: window.level)
        }
        speech = Self.speech(in: windows, length: length)
    }

    private static func speech(in windows: [VoiceWindow], length: Double) -> [Range<Double>] {
        var runs: [Range<Int>] = []
        for (place, window) in windows.enumerated() where window.isSpeech {
            if let last = runs.last, place - last.upperBound < shortestSilence {
                runs[runs.count - 1] = last.lowerBound..<place + 1
            } else {
                runs.append(place..<place + 1)
            }
        }
        guard !runs.isEmpty else { return [0..<length] }
        return runs.map { run in
            let start = min(length, Double(run.lowerBound) * window)
            return start..<max(start, min(length, Double(run.upperBound) * window))
        }
    }

    /// The words of `heard`, including the characters between them; times are from the start of the clip.
    ///
    /// If the recogniser reports no times, the words are distributed over the speech in proportion to their lengths.
    func words(of heard: RecognizedSpeech) -> [TranscriptAssembly.Word] {
        let units = Array(heard.text.utf16)
        let known = heard.words.filter { $0.source.lowerBound >= 0 && $0.source.upperBound <= units.count }
        let words = known.isEmpty ? spread(Self.wordRanges(in: units), of: units) : known.map(snapped)
        return words.indices.map { place in
            let begin = place == 0 ? 0 : words[place].source.lowerBound
            let end = place + 1 < words.count ? words[place + 1].source.lowerBound : units.count
            return TranscriptAssembly.Word(
                text: String(decoding: units[begin..<max(begin, end)], as: UTF16.self),
                length: words[place].source.upperBound - begin,
                start: words[place].start,
                end: words[place].end,
                confidence: words[place].confidence
            )
        }
    }

    /// Runs without white space; in scripts without white space, single characters.
    private static func wordRanges(in units: [UInt16]) -> [TextRange] {
        var ranges: [TextRange] = []
        for (place, unit) in units.enumerated() {
            guard let scalar = Unicode.Scalar(unit) else {
                // Half of a character beyond the first plane.
                if let last = ranges.last, last.upperBound == place {
                    ranges[ranges.count - 1] = last.lowerBound..<place + 1
                } else {
                    ranges.append(place..<place + 1)
                }
                continue
            }
            guard !scalar.properties.isWhitespace else { continue }
            if let last = ranges.last, last.upperBound == place, !isIdeograph(scalar),
                !(Unicode.Scalar(units[place - 1]).map(isIdeograph) ?? false)
            {
                ranges[ranges.count - 1] = last.lowerBound..<place + 1
            } else {
                ranges.append(place..<place + 1)
            }
        }
        return ranges
    }

    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
    }

    private func spread(_ ranges: [TextRange], of units: [UInt16]) -> [RecognizedWord] {
        let total = Double(ranges.reduce(0) { $0 + $1.count + 1 })
        var done = 0.0
        return ranges.map { range in
            let start = time(at: done / total)
            done += Double(range.count + 1)
            return RecognizedWord(source: range, start: start, end: max(start, time(at: done / total)))
        }
    }

    /// The time at which a share of all speech has been said.
    private func time(at share: Double) -> Double {
        var rest = share * speech.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        for run in speech {
            let length = run.upperBound - run.lowerBound
            if rest <= length { return run.lowerBound + rest }
            rest -= length
        }
        return speech.last?.upperBound ?? length
    }

    /// Moves a word out of silences that it reaches into; recognisers include pauses in adjacent words.
    private func snapped(_ word: RecognizedWord) -> RecognizedWord {
        var word = word
        word.start = min(max(0, word.start), length)
        word.end = min(max(word.start, word.end), length)
        // The run that the word shares most time with; else the nearest.
        let run = speech.max { shared($0, word) < shared($1, word) }
        guard let run, shared(run, word) > 0 || word.start == word.end else { return word }
        let start = min(max(word.start, run.lowerBound), run.upperBound)
        word.end = max(start, min(word.end, run.upperBound))
        word.start = start
        return word
    }

    private func shared(_ run: Range<Double>, _ word: RecognizedWord) -> Double {
        min(run.upperBound, word.end) - max(run.lowerBound, word.start)
    }
}
