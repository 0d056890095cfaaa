/// Moves the edges of a part of a recording outwards to pauses, so that no word is cut in two.
///
/// Words that an edge cuts are heard in halves, and lost where the part replaces that of another version.
struct PauseSearch: Sendable {
    /// How far an edge is moved at most, in seconds.
    private static let reach = 10.0
    /// What a detector has to hear before it tells speech from noise, in seconds.
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

    /// Moves the edges of a part to the next pauses.
    ///
    /// - Parameters:
    ///   - part: The part, in seconds.
    ///   - segments: Those of the version that the part goes into; an edge that is one of theirs cuts no word.
    /// - Returns: The part, or a longer one.
    /// - Throws: What reading, the conversion and the detector throw.
    func part(around part: Range<Double>, between segments: [TranscriptSegment]) async throws -> Range<Double> {
        let part = part.clamped(to: 0..<max(0, reader.duration))
        let edges = segments.flatMap { [$0.time.lowerBound, $0.time.upperBound] }
        let isFree = { (edge: Double) in !edges.contains { abs($0 - edge) < Self.tolerance } }
        var (start, end) = (part.lowerBound, part.upperBound)
        if isFree(start) { start = try await pause(before: start) }
        if isFree(end) { end = try await pause(after: end) }
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
