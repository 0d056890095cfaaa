/// The tools for transcriptions.
package struct TranscriptionTools: Sendable {
    package let recognizer: any SpeechRecognizer
    package let detector: any VoiceActivityDetector
    package let diarizer: any SpeakerDiarizer
    /// Learns how long the recognizers of this machine need.
    package let paces: any RecognizerPaceStore
    /// Makes a converter from one sample rate to another, both in hertz.
    package let conversion: @Sendable (_ from: Int, _ to: Int) throws -> any RateConversion
    /// Returns the SHA-256 of a sound in hexadecimal digits.
    package let digest: @Sendable (any StoredSound) async throws -> String
    /// Returns what a recognizer would send for `seconds` of sound; `nil` for a local one.
    package let sending: @Sendable (Recognizer.ID, _ seconds: Double) async throws -> Sending?

    package init(
        recognizer: any SpeechRecognizer,
        detector: any VoiceActivityDetector,
        diarizer: any SpeakerDiarizer,
        paces: any RecognizerPaceStore,
        conversion: @escaping @Sendable (_ from: Int, _ to: Int) throws -> any RateConversion,
        digest: @escaping @Sendable (any StoredSound) async throws -> String,
        sending: @escaping @Sendable (Recognizer.ID, _ seconds: Double) async throws -> Sending? = { _, _ in nil }
    ) {
        self.recognizer = recognizer
        self.detector = detector
        self.diarizer = diarizer
        self.paces = paces
        self.conversion = conversion
        self.digest = digest
        self.sending = sending
    }

    /// - Parameters:
    ///   - rate: The sample rate of the sound, in hertz.
    ///   - rules: The rules of segmentation.
    /// - Returns: A segmenter for a sound, from its start.
    /// - Throws: ``RecognitionError``, and what `conversion` throws.
    package func segmenter(rate: Int, rules: SegmentationRules) async throws -> ClipSegmenter {
        let conversion = try rateConversion(from: rate)
        return ClipSegmenter(conversion: conversion, detector: try await detector.open(), rules: rules)
    }

    private func rateConversion(from rate: Int) throws -> (any RateConversion)? {
        rate == RecognitionClip.sampleRate ? nil : try conversion(rate, RecognitionClip.sampleRate)
    }

    /// Opens a recognizer and a segmenter at once, since each starts a process and loads a model.
    ///
    /// - Parameters:
    ///   - recognizer: The recognizer.
    ///   - settings: Its settings.
    ///   - rate: The sample rate of the sound, in hertz.
    ///   - rules: Returns the rules of segmentation for what was opened.
    /// - Returns: Both, for a sound from its start.
    /// - Throws: ``RecognitionError``, what `conversion` throws, and `CancellationError`; then nothing remains open.
    package func open(
        _ recognizer: Recognizer.ID,
        _ settings: RecognitionSettings,
        rate: Int,
        rules: @Sendable (any RecognitionSession) -> SegmentationRules
    ) async throws -> OpenRecognition {
        let conversion = try rateConversion(from: rate)
        async let opening = detector.open()
        let session: any RecognitionSession
        do {
            session = try await self.recognizer.open(recognizer, settings)
        } catch {
            if let unused = try? await opening { await unused.close() }
            throw error
        }
        do {
            let segmenter = ClipSegmenter(conversion: conversion, detector: try await opening, rules: rules(session))
            return OpenRecognition(session: session, segmenter: segmenter)
        } catch {
            await session.close()
            throw error
        }
    }
}

/// An open recognizer, and what segments a sound for it.
package struct OpenRecognition: Closeable {
    package let session: any RecognitionSession
    package let segmenter: ClipSegmenter

    package func close() async {
        await segmenter.close()
        await session.close()
    }
}

/// Sound that is read piece by piece.
package protocol ClipSource: Sendable {
    /// In hertz.
    var sampleRate: Int { get }

    /// - Returns: The next piece, or `nil` at the end.
    func next() async throws -> AudioClip?
}

/// A part of a recording, read piece by piece.
package actor RecordingClips: ClipSource {
    private let reader: RecordingReader
    private var position: Int
    private let end: Int

    package nonisolated let sampleRate: Int

    /// - Parameters:
    ///   - reader: Reads the recording.
    ///   - range: The part, in seconds; `nil` for all of it.
    package init(_ reader: RecordingReader, range: Range<Double>? = nil) {
        self.reader = reader
        sampleRate = reader.sampleRate
        position = range.map { reader.sample(at: $0.lowerBound) } ?? 0
        end = range.map { reader.sample(at: $0.upperBound) } ?? reader.count
    }

    package func next() async throws -> AudioClip? {
        guard position < end else { return nil }
        let clip = try await reader.clip(from: position, limit: end - position)
        position += clip.samples.count
        return clip.samples.isEmpty ? nil : clip
    }
}

/// Transcribes a sound from start to end, several clips at a time.
package struct TranscriptionRun: Sendable {
    /// Receives the results.
    package struct Listener: Sendable {
        /// Called with all segments since the last call, when everything before the position, in seconds of the
        /// recording, is complete.
        var keep: @Sendable ([TranscriptSegment], _ position: Double) async throws -> Void
        /// Called with the position up to which the sound was recognized, in seconds of the recording.
        var progress: @Sendable (Double) async -> Void

        package init(
            progress: @escaping @Sendable (Double) async -> Void = { _ in },
            keep: @escaping @Sendable ([TranscriptSegment], _ position: Double) async throws -> Void
        ) {
            (self.keep, self.progress) = (keep, progress)
        }
    }

    private let recognition: ClipRecognition
    private let lanes: Int
    private let pauseInPacks: Int?

    /// - Parameters:
    ///   - session: The recognizer.
    ///   - lanes: How many clips it recognizes at once.
    ///   - packsClips: Whether clips with pauses between them wait for one another, to be recognized as one by a
    ///     recognizer that prefers packs.
    package init(by session: any RecognitionSession, lanes: Int, packsClips: Bool = false) {
        recognition = ClipRecognition(by: session)
        self.lanes = max(1, lanes)
        // A clip of which nothing is recognized in a pack is given to the session once more.
        pauseInPacks = packsClips && session.recognizesAgain ? session.pauseInPacks : nil
    }

    /// Transcribes all of `source`.
    ///
    /// - Parameters:
    ///   - source: The sound.
    ///   - segmenter: Segments the sound.
    ///   - offset: The start of the sound in the recording, in seconds.
    ///   - listener: Called with the results, in order.
    /// - Throws: What the parts throw, and `CancellationError`.
    package func recognize(_ source: any ClipSource, by segmenter: ClipSegmenter, offset: Double, _ listener: Listener)
        async throws
    {
        try await withThrowingTaskGroup(of: [Int: ClipRecognition.RecognizedClip].self) { group in
            var order = OrderedResults(offset: offset, lanes: lanes, pauseInPacks: pauseInPacks)
            var isOver = false
            while !isOver {
                try Task.checkCancellation()
                let clip = try await source.next()
                isOver = clip == nil
                let found = if let clip { try await segmenter.add(clip) } else { try await segmenter.finish() }
                // After the last piece, what waits to be packed.
                var pieces: [ClipSegmenter.Piece?] = found.map { $0 }
                if isOver { pieces.append(nil) }
                for piece in pieces {
                    for pack in order.take(piece) {
                        order.start()
                        group.addTask {
                            let recognized = try await recognition.recognize(pack.clips)
                            return Dictionary(uniqueKeysWithValues: zip(pack.numbers, recognized))
                        }
                        while order.underWay >= lanes, let recognized = try await group.next() {
                            order.receive(recognized)
                        }
                    }
                    try await order.deliver(to: listener)
                }
            }
            while let recognized = try await group.next() {
                order.receive(recognized)
                try await order.deliver(to: listener)
            }
            try await order.finish(to: listener)
        }
    }
}

/// Clips in recognition, whose results are delivered in the order of the sound.
private struct OrderedResults {
    /// Clips to recognize as one.
    struct Pack: Sendable {
        /// The number of each clip.
        let numbers: [Int]
        let clips: ClipPack
    }

    /// The samples are left to the recognizer, so that they are not held here as well.
    private var pieces: [(number: Int, piece: SpeechSegmenter.Piece)] = []
    private var recognized: [Int: ClipRecognition.RecognizedClip] = [:]
    private var next = 0
    private var packing: ClipPacking
    /// Those of the clips that wait in ``packing``.
    private var packed: [Int] = []
    private var assembly: TranscriptAssembly
    private var segments: [TranscriptSegment] = []
    private let offset: Double
    private let lanes: Int
    private var position: Double
    private(set) var underWay = 0

    init(offset: Double, lanes: Int, pauseInPacks: Int?) {
        (self.offset, self.lanes) = (offset, lanes)
        packing = ClipPacking(pause: pauseInPacks)
        position = offset
        assembly = TranscriptAssembly(offset: offset)
    }

    /// - Parameter piece: The next piece; `nil` after the last one.
    /// - Returns: The packs to recognize now.
    mutating func take(_ piece: ClipSegmenter.Piece?) -> [Pack] {
        guard let piece else {
            // Nothing follows for the other lanes.
            let idle = lanes - underWay
            let rest = packing.finish().flatMap { $0.split(among: idle) }
            return numbered(rest)
        }
        defer { next += 1 }
        switch piece {
        case .silence(let range):
            pieces.append((next, .silence(range)))
            return []
        case .clip(let clip, let sound):
            pieces.append((next, .clip(clip)))
            packed.append(next)
            let packs = packing.add(clip, sound)
            return numbered(packs)
        }
    }

    private mutating func numbered(_ packs: [ClipPack]) -> [Pack] {
        var taken: [Pack] = []
        for clips in packs {
            taken.append(Pack(numbers: Array(packed.prefix(clips.parts.count)), clips: clips))
            packed.removeFirst(clips.parts.count)
        }
        return taken
    }

    /// Notes that a pack is being recognized.
    mutating func start() { underWay += 1 }

    /// - Parameter result: What was recognized of each clip of a pack, by its number.
    mutating func receive(_ result: [Int: ClipRecognition.RecognizedClip]) {
        recognized.merge(result) { $1 }
        underWay -= 1
    }

    mutating func deliver(to listener: TranscriptionRun.Listener) async throws {
        while let (number, piece) = pieces.first {
            let end: Int
            switch piece {
            case .silence(let range):
                segments += assembly.skip(range)
                end = range.upperBound
            case .clip(let clip):
                guard let result = recognized.removeValue(forKey: number) else { return }
                segments += assembly.add(result.speech, of: clip, remark: result.remark, gaps: result.gaps)
                end = clip.range.upperBound
            }
            pieces.removeFirst()
            position = Double(end) / Double(RecognitionClip.sampleRate) + offset
            await listener.progress(position)
            try await keep(to: listener)
        }
    }

    mutating func finish(to listener: TranscriptionRun.Listener) async throws {
        segments += assembly.finish()
        try await keep(to: listener)
    }

    private mutating func keep(to listener: TranscriptionRun.Listener) async throws {
        if assembly.isComplete {
            try await listener.keep(segments, position)
        } else if let last = segments.last, last.isExact {
            // The clip's end is still open.
            try await listener.keep(segments, last.time.upperBound)
        } else {
            // Estimated times are too inaccurate to resume at.
            return
        }
        segments = []
    }
}
