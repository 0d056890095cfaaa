package import Foundation

/// Finds the speakers of transcripts, and adds versions in which they are named.
package struct SpeakerFinding: Sendable {
    private let library: Library
    private let tools: TranscriptionTools
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - library: The library with the recordings and the transcripts.
    ///   - tools: The diarizer, and the sample rate conversion for it.
    ///   - now: Returns the time of day.
    package init(in library: Library, with tools: TranscriptionTools, now: @escaping @Sendable () -> Date = { Date() })
    {
        (self.library, self.tools, self.now) = (library, tools, now)
    }

    /// Checks the preconditions before the analysis.
    ///
    /// - Returns: The transcript and its recording.
    /// - Throws: ``TranscriptError/notFound``, ``LibraryError/itemNotFound``, ``SpeakerError/missingModels(_:)``,
    ///   ``SpeakerError/tooLong``.
    package func prepare(_ id: Transcript.ID) async throws -> (transcript: Transcript, item: AudioItem) {
        let transcript = try await library.transcripts.transcript(id)
        guard let item = try await library.audio.item(transcript.item) else { throw LibraryError.itemNotFound }
        _ = try SpeakerModels(of: await tools.diarizer.models())
        guard item.duration <= SpeakerDiarization.longest else { throw SpeakerError.tooLong }
        return (transcript, item)
    }

    /// Finds the speakers of a transcript, and makes the version that names them the current one.
    ///
    /// If another version, such as a correction, became current meanwhile, the speakers are named in that version.
    ///
    /// - Parameters:
    ///   - id: The id of any version.
    ///   - count: How many people speak.
    ///   - report: Called with the fraction of the work done, from 0 to 1.
    /// - Returns: The new version.
    /// - Throws: As ``prepare(_:)``; ``SpeakerError``, ``RecognitionError``, what reading throws, `CancellationError`.
    package func find(
        in id: Transcript.ID,
        _ count: SpeakerCount,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> TranscriptVersion {
        let (_, item) = try await prepare(id)
        let wasCurrent = try await current(of: item.id) == id
        let reader = try await RecordingReader(of: library.audio.sound(of: item.id))
        let isConverted = reader.sampleRate != RecognitionClip.sampleRate
        let conversion = isConverted ? try tools.conversion(reader.sampleRate, RecognitionClip.sampleRate) : nil
        let turns = try await tools.diarizer.turns(
            in: ConvertedClips(RecordingClips(reader), by: conversion),
            seconds: reader.duration,
            count,
            report: report
        )
        try Task.checkCancellation()
        guard !turns.isEmpty else { throw SpeakerError.nobodyHeard }
        // The text that a person has corrected meanwhile stays the current one.
        let base = wasCurrent ? try await current(of: item.id) ?? id : id
        let labelled = try await library.transcripts.transcript(base).labelled(by: turns, at: now())
        guard (labelled.source.speakers ?? 0) > 0 else { throw SpeakerError.nobodyHeard }
        // The caller's task may be cancelled meanwhile; a version is added whole or not at all.
        return try await Task { try await library.transcripts.add(labelled) }.value
    }

    private func current(of item: AudioItem.ID) async throws -> Transcript.ID? {
        try await library.transcripts.versions(of: item).first(where: \.isCurrent)?.id
    }
}
