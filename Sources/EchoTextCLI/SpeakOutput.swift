import AudioFiles
import EchoText
import Foundation

/// The outputs of the speech and its timing table: files, a pipe, the loudspeaker, or several of them.
struct SpeakOutput: Sendable {
    private let writer: SoundFileWriter?
    private let timings: TimingFile?
    private let loudspeaker: LoudspeakerSink?

    /// Rejects invalid combinations before anything is opened.
    ///
    /// - Parameters:
    ///   - options: The options of the output.
    ///   - input: The text's file, if it is one.
    /// - Throws: ``CommandError``, ``AudioFileError/unknownFormat(ending:)``.
    static func check(_ options: OutputOptions, input: String?) throws {
        if let timings = options.timings {
            guard timings == "-" || TimingFormat(fileName: timings) != nil else {
                throw CommandError.contradiction(
                    "The ending of the --timings file says no format.",
                    hint: "Give it one of these: .json, .srt, .vtt."
                )
            }
        }
        if let output = options.output, output != "-", options.format == nil, AudioFormat(fileName: output) == nil {
            throw AudioFileError.unknownFormat(ending: (output as NSString).pathExtension)
        }
        let written = [options.output, options.timings].compactMap(\.self)
        guard Set(written.map(identity)).count == written.count else {
            throw CommandError.contradiction(
                "The sound and its timings would go to the same file.",
                hint: "Give -o and --timings different names."
            )
        }
        if let input, input != "-", written.contains(where: { $0 != "-" && identity($0) == identity(input) }) {
            throw CommandError.contradiction(
                "The output would replace the text it is made from.",
                hint: "Give the output another name."
            )
        }
        if options.json, written.contains("-") {
            throw CommandError.contradiction(
                "Standard output cannot take both the summary and the output.",
                hint: "Leave --json out, or write to a file."
            )
        }
        if written.contains("-") { try StandardStreams.checkOutput() }
        if options.output == "-", isatty(STDOUT_FILENO) == 1 { throw CommandError.soundOnTerminal }
    }

    /// Opens all outputs.
    ///
    /// - Parameters:
    ///   - options: The options of the output.
    ///   - isKept: Whether the library stores the speech, so that it is played only on request.
    ///   - sampleRate: In hertz.
    /// - Throws: ``AudioFileError``; no file is left behind then.
    init(_ options: OutputOptions, isKept: Bool = false, sampleRate: Int) async throws {
        let isPlayed = options.play || options.output == nil && !isKept
        writer = try await Self.writer(options, sampleRate: sampleRate)
        do {
            loudspeaker = isPlayed ? try await LoudspeakerSink(sampleRate: sampleRate) : nil
            timings = try await Self.timings(options, sampleRate: sampleRate)
        } catch {
            await writer?.discard()
            throw error
        }
    }

    /// Passes `passage` on, to the loudspeaker last because it plays at the listener's pace.
    func append(_ passage: Passage) async throws {
        if let writer { try await passage.forEachClip { try await writer.append($0) } }
        try await timings?.append(passage)
        if let loudspeaker { try await passage.forEachClip { try await loudspeaker.append($0) } }
    }

    /// Completes all outputs, the sound first, since timings are useless without it.
    func finish() async throws {
        try await writer?.finish()
        try await timings?.finish()
        try await loudspeaker?.finish()
    }

    /// Completes the files with what has been made so far, and stops playing.
    func keep() async throws {
        await loudspeaker?.discard()
        try await writer?.finishPartial()
        try await timings?.finishPartial()
    }

    func discard() async {
        await loudspeaker?.discard()
        await writer?.discard()
        await timings?.discard()
    }

    private static func timings(_ options: OutputOptions, sampleRate: Int) async throws -> TimingFile? {
        guard let path = options.timings else { return nil }
        return try await TimingFile(
            path: path == "-" ? nil : path,
            format: TimingFormat(fileName: path) ?? .json,
            sampleRate: sampleRate
        )
    }

    private static func writer(_ options: OutputOptions, sampleRate: Int) async throws -> SoundFileWriter? {
        guard let output = options.output else { return nil }
        return try await SoundFileWriter(
            destination: output == "-" ? .descriptor(STDOUT_FILENO) : .file(output),
            format: options.format ?? AudioFormat(fileName: output) ?? .wav,
            sampleRate: sampleRate,
            tags: AudioTags(title: options.title)
        )
    }

    /// A name that is the same for two paths exactly when they lead to the same file.
    private static func identity(_ path: String) -> String {
        path == "-" ? "-" : URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
