/// A practice session rendered as sound, with a pause after each segment for its repetition, for use without a screen.
///
/// It follows a ``PracticeSession`` in which every sound and pause runs to its end. A loop is practiced once, and a
/// pause that would wait for the speaker is as long as a timed one. Memory holds at most one segment.
package struct PracticeTrack: Sendable {
    /// A segment on the track.
    package struct Entry: Sendable, Hashable {
        package let segment: PracticeSegment
        /// Which time it is practiced, and which reading of the text; from 1.
        package let repetition: Int
        package let pass: Int
        package let rate: Double
        /// Its start on the track, in seconds.
        package let start: Double
        /// Its duration, in seconds.
        package let seconds: Double
        /// The silence after it, in seconds.
        package let pause: Double
    }

    /// Most chapters of an audiobook that every player lists.
    package static let maximumChapters = 255

    /// Makes the chapters of a track: one per segment, or per paragraph where there are too many segments.
    ///
    /// Repetitions of a segment belong to its chapter; each further reading of the text has its own chapters.
    ///
    /// - Parameters:
    ///   - entries: The segments on the track, in order.
    ///   - sampleRate: In hertz.
    /// - Returns: The chapters in order, the first at 0.
    package static func chapters(of entries: [Entry], sampleRate: Int) -> [Chapter] {
        func chapters(_ isSame: (Entry, Entry) -> Bool) -> [Chapter] {
            var last: Entry?
            return entries.compactMap { entry in
                defer { last = entry }
                if let last, last.pass == entry.pass, isSame(last, entry) { return nil }
                let title = entry.segment.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return Chapter(title: title, start: Int((entry.start * Double(sampleRate)).rounded()))
            }
        }
        let bySegment = chapters { $0.segment.number == $1.segment.number }
        return bySegment.count <= maximumChapters
            ? bySegment : chapters { $0.segment.paragraph == $1.segment.paragraph }
    }

    private let segments: PracticeSegments
    private let settings: PracticeSettings
    private let pauses: NarrationSettings.Pauses

    /// - Parameters:
    ///   - segments: The text, segmented as `settings` require.
    ///   - settings: Settings that ``PracticeSettings/checked()`` returned.
    ///   - pauses: The silence after segments without a pause for repetition.
    package init(of segments: PracticeSegments, _ settings: PracticeSettings, pauses: NarrationSettings.Pauses) {
        var settings = settings
        if settings.echo == .wait { settings.echo = .timed }
        self.segments = segments
        self.settings = settings
        self.pauses = pauses
    }

    /// Renders the track.
    ///
    /// - Parameters:
    ///   - sink: Receives the sound; `nil` when only the durations are needed.
    ///   - speak: Synthesizes a segment at a rate, always with the same sample rate.
    ///   - report: Receives each segment, in order, once it is on the track.
    /// - Returns: The length of the track, in seconds.
    /// - Throws: ``PracticeError/nothingToSay``, ``PracticeError/noSuchSegment(_:)`` for a loop that begins beyond the
    ///   text; what `speak` and `sink` throw.
    package func write(
        to sink: (any AudioSink)?,
        speak: (PracticeSegment, Double) async throws -> AudioClip,
        report: (Entry) async throws -> Void
    ) async throws -> Double {
        let first = settings.loop?.first ?? 1
        guard try await segments.segment(first) != nil else {
            throw first > 1 ? PracticeError.noSuchSegment(first) : .nothingToSay
        }
        var course = Course(settings, from: first)
        var written = Written()
        while let place = try await course.place(in: segments) {
            let clip = try await written.clip(of: place, speak)
            let start = written.seconds(at: clip.sampleRate)
            let pause = course.pause(after: clip, place.segment, pauses, next: try await follower(of: place.segment))
            try await written.append(clip, pause, to: sink)
            try await report(
                Entry(
                    segment: place.segment,
                    repetition: place.position.repetition,
                    pass: place.position.pass,
                    rate: place.rate,
                    start: start,
                    seconds: clip.seconds,
                    pause: Double(pause) / Double(clip.sampleRate)
                )
            )
        }
        return written.end
    }

    private func follower(of segment: PracticeSegment) async throws -> PracticeSegment? {
        try await segments.segment(segment.number + 1)
    }

    /// The position of a session.
    private struct Place {
        let segment: PracticeSegment
        let position: PracticeSession.Position
        let rate: Double
    }

    /// A session without interruptions.
    private struct Course {
        private var session: PracticeSession
        private var token = 0
        /// The readings of the text, or of the loop, that are on the track.
        private let passes: Int

        init(_ settings: PracticeSettings, from first: Int) {
            session = PracticeSession(settings, from: first, known: first)
            passes = settings.order == .listenFirst ? 2 : 1
            follow(.begin)
        }

        /// Returns the present segment, or `nil` at the end.
        mutating func place(in segments: PracticeSegments) async throws -> Place? {
            while session.phase == .playing, session.position.pass <= passes {
                // Requests one more segment, which shows whether this one is the last.
                let known = try await segments.segments(from: 1, count: session.position.segment + 1).count
                let position = session.position
                follow(.segmentsKnown(known, isComplete: await segments.isComplete))
                guard session.position == position, session.phase == .playing else { continue }
                guard let segment = try await segments.segment(position.segment) else { return nil }
                return Place(segment: segment, position: position, rate: session.rate)
            }
            return nil
        }

        /// Advances to the next segment.
        ///
        /// - Returns: The silence between the two, in samples.
        mutating func pause(
            after clip: AudioClip,
            _ segment: PracticeSegment,
            _ pauses: NarrationSettings.Pauses,
            next: PracticeSegment?
        ) -> Int {
            follow(.playbackFinished(token, seconds: clip.seconds))
            guard let echo = session.remainingEcho else {
                let pause =
                    if segment.isHeading { pauses.heading } else {
                        next?.paragraph == segment.paragraph ? pauses.sentence : pauses.paragraph
                    }
                return Int((pause * Double(clip.sampleRate)).rounded())
            }
            follow(.echoElapsed(token))
            return Int((echo * Double(clip.sampleRate)).rounded())
        }

        private mutating func follow(_ event: PracticeEvent) {
            for action in session.handle(event, at: .zero) {
                switch action {
                case .play(let token, _, _), .startEcho(let token, _, _, _): self.token = token
                default: break
                }
            }
        }
    }

    /// The part of the track that is already written.
    private struct Written {
        /// How long it is, in seconds.
        private(set) var end = 0.0
        private var samples = 0
        private var last: (segment: Int, rate: Double, clip: AudioClip)?

        func seconds(at sampleRate: Int) -> Double { Double(samples) / Double(sampleRate) }

        /// The sound of a segment; that of a repetition is not spoken again.
        mutating func clip(
            of place: Place,
            _ speak: (PracticeSegment, Double) async throws -> AudioClip
        ) async throws -> AudioClip {
            if let last, last.segment == place.segment.number, last.rate == place.rate { return last.clip }
            let clip = try await speak(place.segment, place.rate)
            last = (place.segment.number, place.rate, clip)
            return clip
        }

        mutating func append(_ clip: AudioClip, _ pause: Int, to sink: (any AudioSink)?) async throws {
            samples += clip.samples.count + pause
            end = seconds(at: clip.sampleRate)
            guard let sink else { return }
            try await sink.append(clip)
            var left = pause
            while left > 0 {
                let count = min(left, clip.sampleRate)  // a second
                try await sink.append(
                    AudioClip(samples: [Float](repeating: 0, count: count), sampleRate: clip.sampleRate)
                )
                left -= count
            }
        }
    }
}
