import EchoText
import Foundation

/// All marks and transcripts of a recording, for an archive.
struct KeptTranscripts: Encodable {
    private struct Mark: Encodable {
        let seconds: Double
        let label: String?
    }

    private struct Version: Encodable {
        let id: Transcript.ID
        let number: Int
        let created: Date
        let source: TranscriptSource
        let language: String
        let isCurrent: Bool
        let segments: [TranscriptSegment]
    }

    private let marks: [Mark]
    /// The newest first.
    private var transcripts: [Version] = []

    /// Fails for a recording that has neither marks nor transcripts.
    init?(of item: AudioItem, in library: Library) async throws {
        marks = try await library.audio.marks(of: item.id).map { mark in
            Mark(seconds: mark.seconds(at: item.sampleRate), label: mark.label)
        }
        // Narrations have no transcripts.
        if item.narration == nil {
            for version in try await library.transcripts.versions(of: item.id) {
                let transcript = try await library.transcripts.transcript(version.id)
                transcripts.append(
                    Version(
                        id: version.id,
                        number: version.number,
                        created: version.created,
                        source: version.source,
                        language: version.language,
                        isCurrent: version.isCurrent,
                        segments: transcript.segments
                    )
                )
            }
        }
        if marks.isEmpty && transcripts.isEmpty { return nil }
    }
}
