import AudioFiles
import Books
import EchoText
import Foundation

/// Where a transcript is written: a file, or standard output.
struct TranscriptPlace {
    private let path: String
    let format: TranscriptFormat

    /// Whether it is standard output.
    var isStandardOutput: Bool { path == "-" }

    /// - Parameters:
    ///   - path: The file; `-` for standard output.
    ///   - format: The format; `nil` for the one that the file's name says, and for text on standard output.
    ///   - isByWord: Whether each word is wanted, so that standard output gets a table.
    ///   - isAnswered: Whether the command answers in JSON on standard output.
    /// - Throws: ``TranscriptError/unknownFormat(ending:)``, ``CommandError``.
    init(path: String, format: TranscriptFormat?, isByWord: Bool, isAnswered: Bool) throws {
        let usual: TranscriptFormat? = path == "-" ? (isByWord ? .csv : .txt) : TranscriptFormat(fileName: path)
        guard let format = format ?? usual else {
            throw TranscriptError.unknownFormat(ending: (path as NSString).pathExtension)
        }
        (self.path, self.format) = (path, format)
        guard path == "-" else { return }
        guard !isAnswered else {
            throw CommandError.contradiction(
                "Standard output cannot take both the answer and the transcript.",
                hint: "Leave --json out, or write to a file."
            )
        }
        try StandardStreams.checkOutput()
        if format == .docx, isatty(STDOUT_FILENO) == 1 {
            throw CommandError.contradiction(
                "Standard output is a terminal, which shows a Word document as rubbish.",
                hint: "Send it on with “|” or “>”, or give -o a file."
            )
        }
    }

    /// Writes the transcript; what a terminal would obey is left out where standard output is one.
    ///
    /// - Throws: ``AudioFileError``, ``CommandError/outputFailed(errno:)``.
    func write(_ export: TranscriptExport, at time: Date) async throws {
        guard isStandardOutput else { return try await export.write(as: format, to: ByteFile(path: path), at: time) }
        let memory = MemoryBytes()
        try await export.write(as: format, to: memory, at: time)
        var bytes = try await memory.read(0..<memory.length)
        if isatty(STDOUT_FILENO) == 1 { bytes = Data(Answer.harmless(String(decoding: bytes, as: UTF8.self)).utf8) }
        try EchoTextCommand.answer(bytes: bytes)
    }
}
