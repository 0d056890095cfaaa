package import Foundation

/// A text to practise, with its voice and settings: the input of a practice track.
package struct PracticeReading: Sendable {
    package let text: PracticeText
    package let voice: Voice
    /// BCP 47.
    package let language: String
    package let settings: PracticeSettings
    private let pauses: NarrationSettings.Pauses
    private let speaking: SegmentSpeaking
    private let segments: PracticeSegments

    /// - Parameters:
    ///   - order: The person's order.
    ///   - library: The library with the text, the settings, the profile and the dictionary.
    ///   - narrator: Synthesizes the segments.
    ///   - voices: The voices that can speak now.
    ///   - time: The time at which hard segments have to be due.
    /// - Throws: ``PracticeError``, ``SynthesisError``, and what reading the source throws.
    package init(
        _ order: PracticeSessions.Order,
        in library: Library,
        by narrator: Narrator,
        voices: [Voice],
        at time: Date
    ) async throws {
        let resolved = try await ResolvedPractice(order, in: library, among: voices, at: time)
        (text, voice, language, settings) = (resolved.text, resolved.voice, resolved.language, resolved.settings)
        let defaults = resolved.defaults
        pauses = defaults.pauses
        speaking = try defaults.speaking(by: narrator, as: voice, speaker: resolved.speaker, naming: text.title.text)
        segments = PracticeSegments(
            of: StringSource(text.text),
            language: language,
            by: settings.granularity,
            segmenter: narrator.segmenter,
            preparation: try defaults.preparation(for: language)
        )
    }

    /// Renders the practice track; see ``PracticeTrack``.
    ///
    /// - Parameters:
    ///   - sink: Receives the sound, at the voice's sample rate; `nil` when only the durations are needed.
    ///   - report: Receives each segment once it is on the track.
    /// - Returns: The length of the track, in seconds.
    /// - Throws: As ``PracticeTrack/write(to:speak:report:)``.
    package func track(
        to sink: (any AudioSink)?,
        report: (PracticeTrack.Entry) async throws -> Void
    ) async throws -> Double {
        try await PracticeTrack(of: segments, settings, pauses: pauses).write(
            to: sink,
            speak: { segment, rate in try await speaking.speak(segment.text, rate: rate).clip },
            report: report
        )
    }
}
