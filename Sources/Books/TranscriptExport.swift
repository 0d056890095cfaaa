package import EchoText
package import Foundation

/// Writes a transcript for other programs.
///
/// Exported files are not encrypted. A failed or cancelled export discards its output.
package struct TranscriptExport: Sendable {
    private let transcript: WrittenTranscript

    package init(of transcript: WrittenTranscript) {
        self.transcript = transcript
    }

    /// - Parameters:
    ///   - format: The format to write.
    ///   - file: The sink to write to; it is finished.
    ///   - time: The current time.
    /// - Throws: What the sink throws, `CancellationError`.
    package func write(as format: TranscriptFormat, to file: any ByteSink, at time: Date) async throws {
        try await file.completed {
            switch format {
            case .txt: try await file.append(transcript.plainText)
            case .md: try await file.append(transcript.markdown)
            case .srt: try await file.append(transcript.captions(.subRip))
            case .vtt: try await file.append(transcript.captions(.webVTT))
            case .json: try await file.append(transcript.json)
            case .csv: try await file.append(transcript.table)
            case .docx: try await DOCXTranscript(transcript).write(to: file, at: time)
            }
        }
    }
}
