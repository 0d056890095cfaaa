/// A stretch of sound for a recognizer, in samples at ``RecognitionClip/sampleRate``.
package struct SpeechClip: Sendable, Hashable {
    /// The samples for the recognizer: at most 28 s.
    package var range: Range<Int>
    /// Its windows, of ``VoiceWindow/samples`` each from the start of ``range``.
    package var windows: [VoiceWindow]
    /// Whether it begins within speech, which the previous clip contains as well.
    package var overlapsPrevious: Bool
    /// Whether it ends within speech, which the next clip contains as well.
    package var overlapsNext: Bool

    package init(range: Range<Int>, windows: [VoiceWindow], overlapsPrevious: Bool = false, overlapsNext: Bool = false)
    {
        self.range = range
        self.windows = windows
        self.overlapsPrevious = overlapsPrevious
        self.overlapsNext = overlapsNext
    }
}

/// The rules for cutting sound into clips.
package struct SegmentationRules: Sendable, Hashable {
    /// The longest clip, in windows: 28 s, because Whisper recognizes at most 30.
    package static let longest = 875

    /// Silence that ends a clip of at least ``minimum``, in windows.
    package var pause: Int
    /// The length from which on a pause ends a clip, in windows.
    package var minimum: Int
    /// Silence that ends every clip, in windows.
    package var longPause: Int
    /// The silence that remains at both ends of a clip, in windows; recognizers need some for the first and last
    /// sounds.
    package var margin: Int
    /// Speech that two clips share where there is no silence to cut at, in windows.
    package var overlap: Int
    /// Whether ranges without speech are recognized as well.
    package var includesSilence: Bool
    /// Whether a clip of at least ``minimum`` ends in the longest pause before ``longest``, instead of the first.
    package var choosesPause: Bool

    /// For a complete recording: clips of 10 s and more, because recognizers are more accurate with more context.
    package static let whole = SegmentationRules(pause: 16, minimum: 312, longPause: 63)

    /// For a complete recording and a recognizer that prefers long clips: they end in the longest pause from 22 s on, else in
    /// the last one before.
    ///
    /// The margin of 0.38 s takes it no time, and a Whisper often omits a short word that a clip begins with at once.
    package static let long = SegmentationRules(pause: 16, minimum: 688, longPause: 63, margin: 12, choosesPause: true)

    /// For a live recording: each clip ends soon after the speaker has paused.
    package static let live = SegmentationRules(pause: 16, minimum: 47, longPause: 25)

    /// For a recording that is there.
    ///
    /// - Parameter session: The recognizer of the clips.
    /// - Returns: ``whole`` or ``long``.
    package static func whole(for session: any RecognitionSession) -> SegmentationRules {
        session.prefersLongClips ? long : whole
    }

    package init(
        pause: Int,
        minimum: Int,
        longPause: Int,
        margin: Int = 8,
        overlap: Int = 32,
        includesSilence: Bool = false,
        choosesPause: Bool = false
    ) {
        self.pause = pause
        self.minimum = minimum
        self.longPause = longPause
        self.margin = margin
        self.overlap = overlap
        self.includesSilence = includesSilence
        self.choosesPause = choosesPause
    }
}

/// Cuts sound into clips of speech and ranges of silence, using the results of a voice activity detector.
///
/// A clip ends in a silence if possible; otherwise speech is cut at its quietest point, and the two clips overlap there
/// so that no word is lost.
package struct SpeechSegmenter: Sendable {
    package enum Piece: Sendable, Hashable {
        case clip(SpeechClip)
        /// A range without speech, in samples at ``RecognitionClip/sampleRate``.
        case silence(Range<Int>)
    }

    /// The delay with which a detector notices the beginning or end of speech, in windows.
    private static let lateness = 4

    private let rules: SegmentationRules
    /// The windows from ``first`` on: those of the current clip, or the last ones of a silence.
    private var windows: [VoiceWindow] = []
    /// The number of the first of ``windows``, from the start of the sound.
    private var first = 0
    /// The start of the silence that was not reported yet.
    private var silenceStart = 0
    private var isOpen = false
    private var overlapsPrevious = false
    /// How many of ``windows`` there are up to the end of the last speech.
    private var speechEnd = 0

    package init(_ rules: SegmentationRules) {
        self.rules = rules
    }

    /// The first sample that a later piece may have.
    var needed: Int { first * VoiceWindow.samples }

    /// How many windows have been added.
    private var count: Int { first + windows.count }

    /// Adds the next window.
    ///
    /// - Returns: The pieces completed by it.
    package mutating func add(_ window: VoiceWindow) -> [Piece] {
        windows.append(window)
        var pieces: [Piece] = []
        if !isOpen {
            guard window.isSpeech || rules.includesSilence else {
                trimSilence()
                return []
            }
            pieces += open()
        }
        if window.isSpeech { speechEnd = windows.count }
        let silence = windows.count - speechEnd
        let isDue = silence >= rules.pause && speechEnd >= rules.minimum && !rules.choosesPause
        if silence >= rules.longPause || isDue {
            return pieces + (rules.includesSilence ? closeAtLength() : close())
        }
        if windows.count == SegmentationRules.longest { pieces += cut() }
        return pieces
    }

    /// Ends the sound.
    ///
    /// - Parameter samples: The total number of samples; the last window may be incomplete.
    /// - Returns: The remaining pieces.
    package mutating func finish(samples: Int) -> [Piece] {
        var pieces: [Piece] = []
        if isOpen { pieces += close(at: samples) }
        let silence = silenceStart * VoiceWindow.samples..<max(silenceStart * VoiceWindow.samples, samples)
        if !silence.isEmpty, !isOpen { pieces.append(.silence(silence)) }
        return pieces.filter { if case .silence(let range) = $0 { !range.isEmpty } else { true } }
    }

    // MARK: - Opening and closing

    /// Keeps as much of a silence as the next clip begins with.
    private mutating func trimSilence() {
        let surplus = windows.count - rules.margin
        guard surplus > 0 else { return }
        windows.removeFirst(surplus)
        first += surplus
    }

    private mutating func open() -> [Piece] {
        isOpen = true
        overlapsPrevious = false
        speechEnd = 0
        guard first > silenceStart else { return [] }
        return [.silence(silenceStart * VoiceWindow.samples..<first * VoiceWindow.samples)]
    }

    /// Ends the clip a margin after its speech.
    private mutating func close() -> [Piece] {
        let length = min(windows.count, speechEnd + rules.margin)
        let clip = clip(of: length, overlapsNext: false)
        leave(length)
        return [clip]
    }

    /// Ends the clip at its last window, where silence is recognized as well.
    private mutating func closeAtLength() -> [Piece] {
        guard windows.count >= rules.minimum else { return [] }
        let clip = clip(of: windows.count, overlapsNext: false)
        leave(windows.count)
        return [clip]
    }

    private mutating func close(at samples: Int) -> [Piece] {
        let reachesEnd = rules.includesSilence || windows.count - speechEnd <= rules.margin
        let length = reachesEnd ? windows.count : speechEnd + rules.margin
        guard case .clip(var clip) = clip(of: length, overlapsNext: false) else { return [] }
        leave(length)
        if reachesEnd {
            // The rest of a window that was never completed.
            let limit = clip.range.lowerBound + Int(RecognitionClip.longest) * RecognitionClip.sampleRate
            clip.range = clip.range.lowerBound..<min(max(clip.range.upperBound, samples), limit)
            silenceStart = (samples + VoiceWindow.samples - 1) / VoiceWindow.samples
        }
        return [.clip(clip)]
    }

    private func clip(of length: Int, overlapsNext: Bool) -> Piece {
        .clip(
            SpeechClip(
                range: first * VoiceWindow.samples..<(first + length) * VoiceWindow.samples,
                windows: Array(windows[..<length]),
                overlapsPrevious: overlapsPrevious,
                overlapsNext: overlapsNext
            )
        )
    }

    /// Continues with a silence after the first `length` windows.
    private mutating func leave(_ length: Int) {
        windows.removeFirst(length)
        first += length
        silenceStart = first
        isOpen = false
        overlapsPrevious = false
        speechEnd = 0
        trimSilence()
    }

    // MARK: - Cutting

    /// Cuts a clip that has reached its greatest length.
    private mutating func cut() -> [Piece] {
        if let silence = bestSilence() {
            let place = place(in: silence)
            return resume(from: place, after: clip(of: place, overlapsNext: false), overlapping: false)
        }
        let place = quietestPlace()
        let end = min(windows.count, place + rules.overlap / 2)
        return resume(
            from: max(1, place - rules.overlap / 2),
            after: clip(of: end, overlapsNext: true),
            overlapping: true
        )
    }

    private mutating func resume(from place: Int, after clip: Piece, overlapping: Bool) -> [Piece] {
        windows.removeFirst(place)
        first += place
        silenceStart = first
        overlapsPrevious = overlapping
        speechEnd = (windows.lastIndex(where: \.isSpeech) ?? -1) + 1
        isOpen = overlapping || speechEnd > 0 || rules.includesSilence
        if !isOpen { trimSilence() }
        return [clip]
    }

    /// Finds the silence to cut a clip in that has reached its greatest length.
    private func bestSilence() -> Range<Int>? {
        let half = windows.count / 2
        guard rules.choosesPause else { return longest(of: silences(from: half)) }
        if let best = longest(of: silences(from: min(rules.minimum, windows.count))), best.count >= rules.pause {
            return best
        }
        // The longest one may be much earlier, and each clip takes as long as one of the greatest length.
        return silences(from: half).last { $0.count >= rules.pause } ?? longest(of: silences(from: half))
    }

    /// The runs of windows without speech from a window on.
    private func silences(from start: Int) -> [Range<Int>] {
        var silences: [Range<Int>] = []
        for place in start..<windows.count where !windows[place].isSpeech {
            if let last = silences.last, last.upperBound == place {
                silences[silences.count - 1] = last.lowerBound..<place + 1
            } else {
                silences.append(place..<place + 1)
            }
        }
        return silences
    }

    /// The longest of some silences; among equals the last.
    ///
    /// Silences shorter than 96 ms are ignored, because they may be the closure of a stop consonant.
    private func longest(of silences: [Range<Int>]) -> Range<Int>? {
        let shortest = 3
        return silences.filter { $0.count >= shortest }.reversed().max { $0.count < $1.count }
    }

    /// The place to cut at in a silence: its middle, or before that in a short one, if it is quieter there.
    ///
    /// A detector notices late that speech has begun or ended, so that the next word may begin in a silence's second half.
    private func place(in silence: Range<Int>) -> Int {
        let middle = (silence.lowerBound + silence.upperBound) / 2
        guard silence.count < 2 * rules.margin else { return middle }
        // At the end of the clip nobody knows yet where the silence ends.
        let first = silence.upperBound == windows.count ? silence.lowerBound : silence.lowerBound - Self.lateness
        let places = max(1, first)...middle
        return places.reversed().min { loudness(around: $0) < loudness(around: $1) } ?? middle
    }

    /// The middle of the quietest 96 ms in the last third of the clip, far enough from its end for the overlap.
    private func quietestPlace() -> Int {
        let places = windows.count * 2 / 3..<windows.count - rules.overlap / 2
        return places.min { loudness(around: $0) < loudness(around: $1) } ?? windows.count / 2
    }

    private func loudness(around place: Int) -> Float {
        let around = max(0, place - 1)..<min(windows.count, place + 2)
        return windows[around].map(\.level).reduce(0, +) / Float(around.count)
    }
}

/// Moves the edges of a part of a recording outwards to pauses, so that no word is cut in two.
///
/// Words that an edge cuts are recognized in halves, and lost where the part replaces that of another version.
struct PauseSearch: Sendable {
    /// How far an edge is moved at most, in seconds.
    private static let reach = 10.0
    /// The seconds of sound that a detector needs before it separates speech from noise.
    private static let settling = 3.0
    /// How far an edge may lie from that of a segment to be the same, in seconds.
    private static let tolerance = 0.05
    private static let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)

    private let reader: RecordingReader
    private let tools: TranscriptionTools

    /// - Parameters:
    ///   - reader: Reads the recording.
    ///   - tools: Convert the sound, and detect speech.
    init(in reader: RecordingReader, with tools: TranscriptionTools) {
        (self.reader, self.tools) = (reader, tools)
    }

    /// Moves the edges of a part to the next pauses, and into no other segment with words.
    ///
    /// - Parameters:
    ///   - part: The part, in seconds.
    ///   - segments: Those of the version that the part goes into; an edge that is one of theirs cuts no word, and the
    ///     words of those beside the part stay.
    /// - Returns: The part, or a longer one.
    /// - Throws: What reading, the conversion and the detector throw.
    func part(around part: Range<Double>, between segments: [TranscriptSegment]) async throws -> Range<Double> {
        let part = part.clamped(to: 0..<max(0, reader.duration))
        let edges = segments.flatMap { [$0.time.lowerBound, $0.time.upperBound] }
        let isFree = { (edge: Double) in !edges.contains { abs($0 - edge) < Self.tolerance } }
        var (start, end) = (part.lowerBound, part.upperBound)
        let spoken = segments.filter { !$0.text.isEmpty }.map(\.time)
        if isFree(start) {
            let first = spoken.map(\.upperBound).filter { $0 <= start }.max() ?? 0
            start = max(first, try await pause(before: start))
        }
        if isFree(end) {
            let last = spoken.map(\.lowerBound).filter { $0 >= end }.min() ?? reader.duration
            end = max(end, min(last, try await pause(after: end)))
        }
        return start..<end
    }

    private func pause(before edge: Double) async throws -> Double {
        let first = max(0, edge - Self.reach)
        let settling = max(0, first - Self.settling)
        let last = min(reader.duration, edge + Double(PausePlace.shortest) * Self.window)
        let windows = try await activity(in: settling..<last)
        let end = settling + Double(windows.count) * Self.window
        let speech = windows.dropFirst(Int((first - settling) / Self.window))
        // From the end on, so that what comes before the edge comes after it.
        let place = max(0, Int(((end - edge) / Self.window).rounded()))
        guard let moved = PausePlace.next(to: place, in: speech.reversed(), reachesEnd: first == 0) else { return edge }
        return moved >= speech.count && first == 0 ? 0 : max(0, min(edge, end - Double(moved) * Self.window))
    }

    private func pause(after edge: Double) async throws -> Double {
        let first = max(0, edge - Self.settling)
        let last = min(reader.duration, edge + Self.reach)
        let speech = try await activity(in: first..<last)
        let place = min(speech.count, Int(((edge - first) / Self.window).rounded()))
        let reachesEnd = last == reader.duration
        guard let moved = PausePlace.next(to: place, in: speech, reachesEnd: reachesEnd) else { return edge }
        return moved >= speech.count && reachesEnd ? last : min(last, max(edge, first + Double(moved) * Self.window))
    }

    /// Which windows of a part, in seconds, are speech.
    private func activity(in part: Range<Double>) async throws -> [Bool] {
        let rate = reader.sampleRate
        let conversion =
            rate == RecognitionClip.sampleRate ? nil : try tools.conversion(rate, RecognitionClip.sampleRate)
        let session = try await tools.detector.open()
        return try await session.closing {
            var windows: [VoiceWindow] = []
            let clips = RecordingClips(reader, range: part)
            while let clip = try await clips.next() {
                windows += try await session.detect(conversion?.convert(clip, isLast: false) ?? clip)
            }
            if let conversion {
                let empty = AudioClip(samples: [], sampleRate: RecognitionClip.sampleRate)
                windows += try await session.detect(conversion.convert(empty, isLast: true))
            }
            return windows.map(\.isSpeech)
        }
    }
}

/// Where a part that ends among windows of sound can end instead.
enum PausePlace {
    /// The shortest pause between words, in windows: 0.26 s.
    static let shortest = 8
    /// The shortest silence that is no closure of a consonant, in windows.
    private static let silence = 3
    /// How much of a pause belongs to the part, in windows.
    private static let margin = 8

    /// Finds the next pause.
    ///
    /// - Parameters:
    ///   - edge: The number of windows before the part's end.
    ///   - speech: For each window whether it is speech.
    ///   - reachesEnd: Whether there is no sound after the windows.
    /// - Returns: The number of windows before the pause, and a margin of it; where there is none, before the middle of the
    ///   longest silence, or at the end. `nil` where the edge stays: it is in a pause, or there is no silence.
    static func next(to edge: Int, in speech: [Bool], reachesEnd: Bool) -> Int? {
        var longest: Range<Int>?
        var start = 0
        for place in 0...speech.count where place == speech.count || speech[place] {
            let run = start..<place
            start = place + 1
            guard run.upperBound >= edge else { continue }
            if run.count >= shortest || (reachesEnd && place == speech.count && !run.isEmpty) {
                return run.lowerBound <= edge ? nil : run.lowerBound + min(margin, run.count / 2)
            }
            if run.count >= max(silence, (longest?.count ?? 0) + 1), run.lowerBound > edge { longest = run }
        }
        if let longest { return longest.lowerBound + longest.count / 2 }
        return reachesEnd ? speech.count : nil
    }
}

/// Cuts sound that comes piece by piece into clips for a recognizer.
///
/// ```swift
/// for piece in try await segmenter.add(clip) { … }
/// for piece in try await segmenter.finish() { … }
/// ```
package actor ClipSegmenter: Closeable {
    package enum Piece: Sendable {
        case silence(Range<Int>)
        /// A clip with its sound, at ``RecognitionClip/sampleRate``.
        case clip(SpeechClip, AudioClip)
    }

    private let conversion: (any RateConversion)?
    private let detector: any VoiceActivitySession
    private var segmenter: SpeechSegmenter
    /// The sound that may still be needed, and where it begins.
    private var samples: [Float] = []
    private var start = 0

    /// - Parameters:
    ///   - conversion: Converts the sound to ``RecognitionClip/sampleRate``; `nil` if it has that rate.
    ///   - detector: Detects speech.
    ///   - rules: The rules of segmentation.
    package init(
        conversion: (any RateConversion)?,
        detector: any VoiceActivitySession,
        rules: SegmentationRules
    ) {
        self.conversion = conversion
        self.detector = detector
        segmenter = SpeechSegmenter(rules)
    }

    /// Samples that have been added, at ``RecognitionClip/sampleRate``.
    private var end: Int { start + samples.count }

    /// Adds the next piece of sound.
    package func add(_ clip: AudioClip) async throws -> [Piece] {
        try await take(conversion?.convert(clip, isLast: false) ?? clip)
    }

    /// Ends the sound, and returns the rest of it.
    package func finish() async throws -> [Piece] {
        var pieces: [Piece] = []
        if let conversion {
            let empty = AudioClip(samples: [], sampleRate: RecognitionClip.sampleRate)
            pieces = try await take(conversion.convert(empty, isLast: true))
        }
        return pieces + segmenter.finish(samples: end).map(withSound)
    }

    /// Frees the detector; idempotent.
    package func close() async {
        await detector.close()
    }

    private func take(_ clip: AudioClip) async throws -> [Piece] {
        guard !clip.samples.isEmpty else { return [] }
        samples += clip.samples
        var pieces: [Piece] = []
        for window in try await detector.detect(clip) { pieces += segmenter.add(window).map(withSound) }
        let surplus = segmenter.needed - start
        if surplus > 0 {
            samples.removeFirst(min(surplus, samples.count))
            start += surplus
        }
        return pieces
    }

    private func withSound(_ piece: SpeechSegmenter.Piece) -> Piece {
        switch piece {
        case .silence(let range): return .silence(range)
        case .clip(var clip):
            clip.range = clip.range.clamped(to: start..<end)
            let sound = samples[clip.range.moved(by: -start)]
            return .clip(clip, AudioClip(samples: Array(sound), sampleRate: RecognitionClip.sampleRate))
        }
    }
}
