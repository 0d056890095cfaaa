/// A stretch of sound for a recogniser, in samples at ``RecognitionClip/sampleRate``.
package struct SpeechClip: Sendable, Hashable {
    /// The samples for the recogniser: at most 28 s.
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
    /// The silence that remains at both ends of a clip, in windows; recognisers need some for the first and last
    /// sounds.
    package var margin: Int
    /// Speech that two clips share where there is no silence to cut at, in windows.
    package var overlap: Int
    /// Whether ranges without speech are recognized as well.
    package var includesSilence: Bool

    /// For a complete recording: clips of 10 s and more, because recognisers are more accurate with more context.
    package static let whole = SegmentationRules(pause: 16, minimum: 312, longPause: 63)

    /// For a complete recording and a recogniser that prefers long clips: clips of 22 s and more.
    package static let long = SegmentationRules(pause: 16, minimum: 688, longPause: 63)

    /// For a live recording: each clip ends soon after the speaker has paused.
    package static let live = SegmentationRules(pause: 16, minimum: 47, longPause: 25)

    /// For a recording that is there.
    ///
    /// - Parameter session: What hears the clips.
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
        includesSilence: Bool = false
    ) {
        self.pause = pause
        self.minimum = minimum
        self.longPause = longPause
        self.margin = margin
        self.overlap = overlap
        self.includesSilence = includesSilence
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
        if silence >= rules.longPause || (silence >= rules.pause && speechEnd >= rules.minimum) {
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
            let place = (silence.lowerBound + silence.upperBound) / 2
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

    /// Finds the longest silence in the second half of the clip; among equals the last.
    ///
    /// Silences shorter than 96 ms are ignored, because they may be the closure of a stop consonant.
    private func bestSilence() -> Range<Int>? {
        let shortest = 3
        var best: Range<Int>?
        var begin = windows.count / 2
        for place in windows.count / 2..<windows.count {
            guard !windows[place].isSpeech else {
                begin = place + 1
                continue
            }
            let run = begin..<place + 1
            if run.count >= max(shortest, best?.count ?? 0) { best = run }
        }
        return best
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
