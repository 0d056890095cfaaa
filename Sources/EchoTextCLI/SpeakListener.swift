import EchoText

/// Passes the passages of a narration for the library on to the other outputs.
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

    /// Ends it, and returns the output that has to be closed.
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
