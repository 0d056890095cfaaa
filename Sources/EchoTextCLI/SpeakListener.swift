import EchoText

/// Takes the passages of a narration that goes into the library to where else they are wanted.
actor SpeakListener {
    private let options: Speak
    private var summary: SpeakSummary
    private var progress: ProgressLine
    private var output: SpeakOutput?

    init(options: Speak, summary: SpeakSummary, progress: ProgressLine) {
        self.options = options
        self.summary = summary
        self.progress = progress
    }

    func take(_ passage: Passage) async throws {
        if output == nil, options.output.isAnythingWanted {
            output = try await SpeakOutput(options.output, isKept: true, sampleRate: passage.clip.sampleRate)
        }
        try await output?.append(passage)
        summary.add(passage)
        progress.update(units: passage.source.upperBound, seconds: summary.duration)
    }

    func finish() async throws {
        progress.clear()
        try await output?.finish()
        output = nil
    }

    /// Ends what was begun, and gives back the output that is to be stopped.
    func close() -> SpeakOutput? {
        progress.clear()
        defer { output = nil }
        return output
    }

    func summary(of item: AudioItem, elapsed: Double) -> SpeakSummary {
        summary.item = item.id
        summary.elapsed = elapsed
        return summary
    }
}
