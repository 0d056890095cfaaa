import EchoText
import Foundation

/// All marks and transcripts of a recording, for an archive.
struct ArchivedTranscripts: Encodable {
    private struct Version: Encodable {
        let id: Transcript.ID
        let number: Int
        let created: Date
        let source: TranscriptSource
        let language: String
        let isCurrent: Bool
        let segments: [TranscriptSegment]
    }

    private let marks: [LibraryArchive.Contents.Mark]
    /// The newest first.
    private var transcripts: [Version] = []

    /// Fails for a recording that has neither marks nor transcripts.
    ///
    /// - Parameters:
    ///   - item: The recording.
    ///   - library: The library with its transcripts.
    ///   - failure: Set to the error's code where the marks or a transcript are damaged; all others are taken.
    /// - Throws: ``VaultError``, ``LibraryError``.
    init?(of item: AudioItem, in library: Library, noting failure: inout String?) async throws {
        var marks: [RecordingMark] = []
        do {
            marks = try await library.audio.marks(of: item.id)
        } catch let error as VaultError where error.isOfOnePart {
            failure = error.code
        }
        self.marks = marks.map { LibraryArchive.Contents.Mark($0, sampleRate: item.sampleRate) }
        // Narrations have no transcripts.
        if item.narration == nil {
            for version in try await Self.versions(of: item, in: library, noting: &failure) {
                do {
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
                } catch TranscriptError.notFound {
                    continue  // It was deleted meanwhile, so nothing is missing.
                } catch let error as VaultError where error.isOfOnePart {
                    failure = error.code
                }
            }
        }
        if marks.isEmpty && transcripts.isEmpty { return nil }
    }

    private static func versions(
        of item: AudioItem,
        in library: Library,
        noting failure: inout String?
    ) async throws -> [TranscriptVersion] {
        do {
            return try await library.transcripts.versions(of: item.id)
        } catch let error as VaultError where error.isOfOnePart {
            failure = error.code
            return []
        }
    }
}

/// An unfinished transcription with what was heard so far, for an archive.
struct ArchivedTranscription: Encodable {
    private let id: TranscriptionJob.ID
    private let item: AudioItem.ID
    private let created: Date
    private let order: TranscriptionOrder
    /// In seconds of the recording: everything before was heard.
    private let progress: Double
    private let segments: [TranscriptSegment]

    private init(_ job: TranscriptionJob, in jobs: any TranscriptionJobs) async throws {
        (id, item, created) = (job.id, job.item, job.created)
        (order, progress) = (job.order, job.progress)
        segments = try await jobs.segments(of: job.id)
    }

    /// Those of a library, oldest first.
    ///
    /// - Returns: Those that can be read, and whether these are all.
    static func all(of library: Library) async throws -> (transcriptions: [ArchivedTranscription], isWhole: Bool) {
        var (transcriptions, isWhole): ([ArchivedTranscription], Bool) = ([], true)
        for job in try await library.transcriptions.jobs() {
            do {
                transcriptions.append(try await ArchivedTranscription(job, in: library.transcriptions))
            } catch TranscriptError.jobNotFound {
                continue  // It was finished or discarded meanwhile.
            } catch let error as VaultError where error.isOfOnePart {
                isWhole = false
            }
        }
        return (transcriptions, isWhole)
    }
}
