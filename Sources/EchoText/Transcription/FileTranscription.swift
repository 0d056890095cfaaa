/// Transcribes sound files that are not stored in the library.
///
/// ```swift
/// let transcription = FileTranscription(with: tools, decoder: decoder, lanes: 2)
/// let session = try await tools.recognizer.open(recognizer, settings)
/// let recognized = try await session.closing { try await transcription.recognize(file, by: session) }
/// ```
package struct FileTranscription: Sendable {
    /// The outcome for one file.
    package struct Result: Sendable {
        /// In order of time.
        package let segments: [TranscriptSegment]
        /// The length of the sound, in seconds.
        package let duration: Double
        /// Notices about the file for a person.
        package let notices: [SoundImportNotice]

        package init(segments: [TranscriptSegment], duration: Double, notices: [SoundImportNotice] = []) {
            (self.segments, self.duration, self.notices) = (segments, duration, notices)
        }
    }

    private let tools: TranscriptionTools
    private let decoder: any SoundFileDecoder
    private let lanes: Int

    /// - Parameters:
    ///   - tools: Find where speech is.
    ///   - decoder: Decodes the file.
    ///   - lanes: How many clips are recognized at once.
    package init(with tools: TranscriptionTools, decoder: any SoundFileDecoder, lanes: Int) {
        (self.tools, self.decoder, self.lanes) = (tools, decoder, lanes)
    }

    /// Transcribes a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - session: The open recognizer; it stays open.
    ///   - includesSilence: Whether stretches without speech are recognized too.
    ///   - keepsPart: Whether the sound of a damaged file ends where the damage is, instead of failing.
    ///   - track: Among the file's tracks with sound, from 1; `nil` for the usual one.
    /// - Returns: The recognized segments.
    /// - Throws: ``RecognitionError``, ``SoundImportError``, `CancellationError`, and what reading `file` throws.
    package func recognize(
        _ file: any StoredBytes,
        by session: any RecognitionSession,
        includesSilence: Bool = false,
        keepsPart: Bool = false,
        track: Int? = nil
    ) async throws -> Result {
        try await DecodedClips.use(of: file, by: decoder, keepsPart: keepsPart, track: track) { sound in
            let counted = CountedClips(sound)
            let segments = try await segments(of: counted, by: session, includesSilence: includesSilence)
            return Result(segments: segments, duration: await counted.duration, notices: await sound.notices)
        }
    }

    private func segments(
        of sound: CountedClips,
        by session: any RecognitionSession,
        includesSilence: Bool
    ) async throws -> [TranscriptSegment] {
        var rules = SegmentationRules.whole(for: session)
        rules.includesSilence = includesSilence
        let segmenter = try await tools.segmenter(rate: sound.sampleRate, rules: rules)
        let run = TranscriptionRun(by: session, lanes: lanes, packsClips: true)
        let recognized = RecognizedSegments()
        let listener = TranscriptionRun.Listener { segments, _ in await recognized.add(segments) }
        try await segmenter.closing { try await run.recognize(sound, by: segmenter, offset: 0, listener) }
        return await recognized.segments
    }
}

/// Counts the sound that is read.
private actor CountedClips: ClipSource {
    nonisolated let sampleRate: Int
    private let source: any ClipSource
    private var count = 0

    init(_ source: any ClipSource) {
        self.source = source
        sampleRate = source.sampleRate
    }

    /// In seconds.
    var duration: Double { Double(count) / Double(sampleRate) }

    func next() async throws -> AudioClip? {
        let clip = try await source.next()
        count += clip?.samples.count ?? 0
        return clip
    }
}

/// The segments that were recognized so far.
private actor RecognizedSegments {
    private(set) var segments: [TranscriptSegment] = []

    func add(_ more: [TranscriptSegment]) { segments += more }
}
