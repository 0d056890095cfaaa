/// Clips that are recognized as one sound, without all of the silences between them.
package struct ClipPack: Sendable {
    package struct Part: Sendable {
        package var clip: SpeechClip
        /// The samples of its range.
        package var sound: AudioClip

        package init(_ clip: SpeechClip, _ sound: AudioClip) {
            (self.clip, self.sound) = (clip, sound)
        }

        fileprivate var seconds: Double { sound.seconds }
    }

    /// Where two parts meet.
    private struct Joint {
        /// From the end of the one's speech to the beginning of the other's, in seconds of ``whole``.
        var silence: ClosedRange<Double>
        /// The first word behind it.
        var word: Int
    }

    private static let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)
    /// The average length of a part where a pack is split, in windows: 10 s, for the sake of context.
    private static let share = SegmentationRules.whole.minimum

    /// In the order of the sound; all but the last are of whole windows.
    package let parts: [Part]
    /// The silence between two parts, in windows.
    private let pause: Int
    /// The silence before the first part, in windows.
    let lead: Int

    /// - Parameters:
    ///   - parts: At least one, in the order of the sound, together with the silence between them of at most
    ///     ``SegmentationRules/longest`` windows; all but the last of whole windows.
    ///   - pause: The silence between two parts, in windows, in addition to what is in the clips.
    ///   - lead: The silence before the first part, in windows; a few.
    package init(_ parts: [Part], pause: Int = 0, lead: Int = 0) {
        (self.parts, self.pause, self.lead) = (parts, pause, lead)
    }

    /// All clips as one, with a time of its own and its sound.
    var whole: (clip: SpeechClip, sound: AudioClip) {
        let quiet = VoiceWindow(isSpeech: false, level: VoiceWindow.lowestLevel)
        var samples = Self.silence(of: lead)
        samples += parts.map(\.sound.samples).joined(separator: Self.silence(of: pause))
        var windows = Array(repeating: quiet, count: lead)
        windows += parts.map(\.clip.windows).joined(separator: Array(repeating: quiet, count: pause))
        let sound = AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
        return (SpeechClip(range: 0..<sound.samples.count, windows: windows), sound)
    }

    private static func silence(of windows: Int) -> [Float] {
        Array(repeating: 0, count: windows * VoiceWindow.samples)
    }

    /// When each part is recognized, in seconds of ``whole``.
    private var times: [Range<Double>] {
        var times: [Range<Double>] = []
        for part in parts {
            let start = times.last.map { $0.upperBound + Double(pause) * Self.window } ?? Double(lead) * Self.window
            times.append(start..<start + part.seconds)
        }
        return times
    }

    /// Splits it among recognizers that would have nothing to do.
    ///
    /// - Parameter lanes: How many clips can be recognized at once.
    /// - Returns: At most as many packs, in order and about equally long.
    func split(among lanes: Int) -> [ClipPack] {
        let windows = parts.reduce(0) { $0 + $1.clip.windows.count }
        let count = min(lanes, windows / Self.share)
        guard count > 1, parts.count > 1 else { return [self] }
        var packs: [[Part]] = Array(repeating: [], count: count)
        var done = 0
        for part in parts {
            let middle = done + part.clip.windows.count / 2
            packs[min(count - 1, middle * count / windows)].append(part)
            done += part.clip.windows.count
        }
        return packs.filter { !$0.isEmpty }.enumerated().map { place, parts in
            ClipPack(parts, pause: pause, lead: place == 0 ? lead : 0)
        }
    }

    /// Divides what was recognized of ``whole`` among the parts.
    ///
    /// Each word belongs to one part: the one with whose speech it shares most time, as recognizers include pauses in
    /// adjacent words. Where only the times of passages are known, each passage belongs to the part in whose speech it is.
    ///
    /// Parts between which a word or a passage may belong to either keep nothing: what is then recognized of them alone
    /// has it once. Between words, that is so only if one of the parts has no other word.
    ///
    /// - Returns: For each part, with times from its start; `nil` for a text whose words have neither times of their own nor
    ///   those of passages.
    func divided(_ recognized: ClipRecognition.RecognizedClip) -> [ClipRecognition.RecognizedClip]? {
        let words = recognized.speech.words
        guard recognized.speech.text.isEmpty || !words.isEmpty else { return nil }
        guard words.contains(where: \.isEstimated) else { return dividedByWords(recognized) }
        return PassageDivision(of: words, among: speeches).map { dividedByPassages(recognized, $0) }
    }

    private func dividedByWords(_ recognized: ClipRecognition.RecognizedClip) -> [ClipRecognition.RecognizedClip] {
        let (words, times) = (recognized.speech.words, self.times)
        var (divided, joints, first) = ([ClipRecognition.RecognizedClip](), [Joint](), 0)
        for (place, time) in times.enumerated() {
            var end = words.count
            if place + 1 < times.count {
                let silence = silence(after: place, from: time.upperBound, until: times[place + 1].lowerBound)
                end = words[first...].firstIndex { !$0.isBefore(silence) } ?? words.count
                joints.append(Joint(silence: silence, word: end))
            }
            divided.append(recognized.part(first..<end, in: time))
            first = end
        }
        for place in Self.unclear(divided, words, joints) { divided[place] = .nothing }
        return divided
    }

    private func dividedByPassages(
        _ recognized: ClipRecognition.RecognizedClip,
        _ division: PassageDivision
    ) -> [ClipRecognition.RecognizedClip] {
        var (moved, divided) = (recognized, [ClipRecognition.RecognizedClip]())
        for (place, (time, speech)) in zip(times, speeches).enumerated() {
            for word in division.words[place] { moved.speech.words[word].move(into: speech) }
            divided.append(moved.part(division.words[place], in: time))
        }
        let silent = Set(divided.indices.filter { divided[$0].isEmpty })
        for place in division.unclear(unrecognized: silent) { divided[place] = .nothing }
        return divided
    }

    /// From the beginning to the end of each part's speech, in seconds of ``whole``.
    private var speeches: [Range<Double>] {
        zip(parts, times).map { part, time in
            let before = part.clip.windows.prefix { !$0.isSpeech }.count
            let after = part.clip.windows.reversed().prefix { !$0.isSpeech }.count
            let start = min(time.lowerBound + Double(before) * Self.window, time.upperBound)
            return start..<max(start, time.upperBound - Double(after) * Self.window)
        }
    }

    /// The parts of which nobody can say what was recognized of them.
    ///
    /// - Parameters:
    ///   - divided: What each part would have.
    ///   - words: All words, with times of ``whole``.
    ///   - joints: Between the parts.
    /// - Returns: The places of those without a word that is theirs alone, and of those that share a word with them.
    private static func unclear(
        _ divided: [ClipRecognition.RecognizedClip],
        _ words: [RecognizedWord],
        _ joints: [Joint]
    ) -> Set<Int> {
        func isShared(_ word: RecognizedWord, by place: Int) -> Bool {
            place > 0 && word.mayPrecede(joints[place - 1].silence)
                || place < joints.count && word.mayFollow(joints[place].silence)
        }
        var unclear: Set<Int> = []
        for (place, recognized) in divided.enumerated() {
            let first = place > 0 ? joints[place - 1].word : 0
            let end = place < joints.count ? joints[place].word : words.count
            let own = words[first..<end]
            if own.isEmpty ? recognized.isEmpty : own.allSatisfy({ isShared($0, by: place) }) { unclear.insert(place) }
        }
        let sharing = joints.indices.filter { place in
            let (silence, word) = (joints[place].silence, joints[place].word)
            return word > 0 && words[word - 1].mayFollow(silence)
                || word < words.count && words[word].mayPrecede(silence)
        }
        for place in sharing where unclear.contains(place) { unclear.insert(place + 1) }
        for place in sharing.reversed() where unclear.contains(place + 1) { unclear.insert(place) }
        return unclear
    }

    /// The silence between a part and the next one, in seconds of ``whole``.
    ///
    /// - Parameters:
    ///   - place: The part's.
    ///   - end: Where the part ends.
    ///   - start: Where the next one begins.
    /// - Returns: From the end of the part's speech to the beginning of the next one's.
    private func silence(after place: Int, from end: Double, until start: Double) -> ClosedRange<Double> {
        let before = parts[place].clip.windows.reversed().prefix { !$0.isSpeech }.count
        let after = parts[place + 1].clip.windows.prefix { !$0.isSpeech }.count
        return end - Double(before) * Self.window...start + Double(after) * Self.window
    }
}

/// Which parts of a pack words belong to of which only the times of their passages are known.
private struct PassageDivision {
    /// How far a passage may reach into speech of which it has nothing, in seconds.
    private static let tolerance = 0.2

    /// Those of each part.
    private(set) var words: [Range<Int>]
    /// The parts to one of which a passage belongs, or which it has words of, where nobody knows which.
    private var shared: Set<Int> = []
    /// When the words of each part begin and end by their passages.
    private var reaches: [Range<Double>?]
    private let speeches: [Range<Double>]

    /// Divides words; `nil` if one is in no passage, or passages go back.
    ///
    /// - Parameters:
    ///   - words: All words.
    ///   - speeches: When somebody speaks in each part, from the first sound to the last; one at least.
    init?(of words: [RecognizedWord], among speeches: [Range<Double>]) {
        self.speeches = speeches
        self.words = Array(repeating: 0..<0, count: speeches.count)
        reaches = Array(repeating: nil, count: speeches.count)
        var (first, latest) = (0, 0)
        while first < words.count {
            guard let passage = words[first].passage else { return nil }
            let end = words[first...].firstIndex { $0.passage != passage } ?? words.count
            let owners = Self.owners(of: passage, among: speeches)
            guard owners.lowerBound >= latest else { return nil }
            latest = owners.upperBound
            if owners.count > 1 {
                shared.formUnion(owners)
            } else {
                let place = owners.lowerBound
                self.words[place] = self.words[place].isEmpty ? first..<end : self.words[place].lowerBound..<end
                reaches[place] = (reaches[place] ?? passage).joined(with: passage)
            }
            first = end
        }
    }

    /// The parts that a passage may have been said in.
    private static func owners(of passage: Range<Double>, among speeches: [Range<Double>]) -> ClosedRange<Int> {
        let times = speeches.map { min($0.upperBound, passage.upperBound) - max($0.lowerBound, passage.lowerBound) }
        for least in [tolerance, 0] {
            let places = times.indices.filter { times[$0] > least }
            if let first = places.first, let last = places.last { return first...last }
        }
        // It is in a silence, and belongs to the part before that or to the one behind it.
        let last = speeches.count - 1
        let next = speeches.firstIndex { $0.lowerBound >= passage.upperBound } ?? last
        let before = speeches.lastIndex { $0.upperBound <= passage.lowerBound } ?? 0
        return min(before, next)...max(before, next)
    }

    /// The parts of which nobody can say what was recognized of them.
    ///
    /// Beside one of which nothing was recognized, a passage may have its words that reaches beyond the middle of the
    /// silence between them.
    ///
    /// - Parameter unrecognized: Those of which nothing was recognized.
    /// - Returns: The places.
    func unclear(unrecognized: Set<Int>) -> Set<Int> {
        var unclear = shared.union(unrecognized)
        for place in unrecognized {
            if place > 0, let reach = reaches[place - 1] {
                let middle = (speeches[place - 1].upperBound + speeches[place].lowerBound) / 2
                if reach.upperBound > middle { unclear.insert(place - 1) }
            }
            if place + 1 < speeches.count, let reach = reaches[place + 1] {
                let middle = (speeches[place].upperBound + speeches[place + 1].lowerBound) / 2
                if reach.lowerBound < middle { unclear.insert(place + 1) }
            }
        }
        return unclear
    }
}

extension Range<Double> {
    /// From the earlier beginning to the later end.
    fileprivate func joined(with other: Self) -> Self {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension RecognizedWord {
    /// How far its time may reach into the next speech by mistake, in seconds.
    private static let tolerance = 0.2

    /// Moves it with its passage into the speech that the passage belongs to; what is outside is silence.
    fileprivate mutating func move(into speech: Range<Double>) {
        guard let passage, passage.overlaps(speech) else { return }
        let time = passage.clamped(to: speech)
        let scale = (time.upperBound - time.lowerBound) / (passage.upperBound - passage.lowerBound)
        start = time.lowerBound + (start - passage.lowerBound) * scale
        end = max(start, time.lowerBound + (end - passage.lowerBound) * scale)
    }

    /// Whether a word that counts as one before a silence may have been said after it.
    fileprivate func mayFollow(_ silence: ClosedRange<Double>) -> Bool {
        start >= silence.lowerBound || end > silence.upperBound + Self.tolerance
    }

    /// Whether a word that counts as one after a silence may have been said before it.
    fileprivate func mayPrecede(_ silence: ClosedRange<Double>) -> Bool {
        end <= silence.upperBound || start < silence.lowerBound - Self.tolerance
    }

    /// Whether more of it is before a silence than after it; within the silence, whether it is nearer to the beginning.
    fileprivate func isBefore(_ silence: ClosedRange<Double>) -> Bool {
        min(end, silence.lowerBound) - start >= end - max(start, silence.upperBound)
    }
}

extension ClipRecognition.RecognizedClip {
    /// Whether there is neither a word nor a gap that a transcript marks.
    var isEmpty: Bool {
        speech.text.isEmpty && gaps.allSatisfy { $0.upperBound - $0.lowerBound < TranscriptAssembly.shortestGap }
    }

    /// That nothing was recognized, so far.
    fileprivate static let nothing = Self(speech: RecognizedSpeech(text: ""))

    /// The speech in a part of the sound.
    ///
    /// - Parameters:
    ///   - words: Which of the words belong to it.
    ///   - time: When it is.
    /// - Returns: The words and gaps, with times from its start.
    fileprivate func part(_ words: Range<Int>, in time: Range<Double>) -> Self {
        let gaps = self.gaps.map { $0.clamped(to: time) }.filter { !$0.isEmpty }
        return Self(
            speech: speech.part(words, in: time),
            gaps: gaps.map { $0.moved(by: -time.lowerBound) }
        )
    }
}

extension RecognizedSpeech {
    /// Some of the words with the signs around them.
    ///
    /// - Parameters:
    ///   - range: Which of ``words``.
    ///   - time: The part of the sound that they are in.
    /// - Returns: Their text, with times from the start of that part.
    fileprivate func part(_ range: Range<Int>, in time: Range<Double>) -> RecognizedSpeech {
        var part = part(range)
        part.text = part.text.trimmed
        let length = time.upperBound - time.lowerBound
        part.words = part.words.map { word in
            var word = word
            word.start = min(max(0, word.start - time.lowerBound), length)
            word.end = min(max(word.start, word.end - time.lowerBound), length)
            word.passage = word.passage.map {
                let passage = $0.clamped(to: time)
                return passage.moved(by: -time.lowerBound)
            }
            return word
        }
        return part
    }
}

/// Packs clips for a recognizer that needs as long for a short one as for a long one.
///
/// Otherwise a dictation with many pauses is recognized in many short clips, each of which takes as long as 30 s.
struct ClipPacking: Sendable {
    /// The longest pause between clips that are recognized as one, in samples: 10 s; after it, much may be different.
    private static let longestPause = 10 * RecognitionClip.sampleRate
    /// The silence before a clip with which the sound begins, in windows: 0.13 s.
    ///
    /// A Whisper often omits a short word that a clip begins with at once, and the sound may have too little before it.
    private static let lead = 4
    /// Where a clip begins, in samples, that is not one with which the sound begins.
    private static let beginning = SegmentationRules.long.margin * VoiceWindow.samples

    /// The silence between clips in a pack, in windows.
    private let pause: Int?
    private var parts: [ClipPack.Part] = []

    /// - Parameter pause: The silence between clips in a pack, in windows; `nil` for packs of one clip each.
    init(pause: Int?) {
        self.pause = pause
    }

    /// Adds the next clip.
    ///
    /// - Returns: The packs completed by it.
    mutating func add(_ clip: SpeechClip, _ sound: AudioClip) -> [ClipPack] {
        var packs: [ClipPack] = []
        if !canFollow(clip) { packs += finish() }
        parts.append(ClipPack.Part(clip, sound))
        if pause == nil || clip.overlapsNext { packs += finish() }
        return packs
    }

    /// Ends the pack.
    ///
    /// - Returns: It, unless there is no clip in it.
    mutating func finish() -> [ClipPack] {
        guard let first = parts.first else { return [] }
        defer { parts = [] }
        guard let pause else { return [ClipPack(parts)] }
        return [ClipPack(parts, pause: pause, lead: first.clip.range.lowerBound < Self.beginning ? Self.lead : 0)]
    }

    /// Whether a clip may be recognized with those before it; what two clips share would be recognized twice.
    private func canFollow(_ clip: SpeechClip) -> Bool {
        guard let pause, let last = parts.last?.clip, !clip.overlapsPrevious, !clip.overlapsNext else { return false }
        let windows = parts.reduce(clip.windows.count) { $0 + $1.clip.windows.count + pause }
        return windows <= SegmentationRules.longest
            && last.range.count == last.windows.count * VoiceWindow.samples
            && clip.range.lowerBound - last.range.upperBound <= Self.longestPause
    }
}
