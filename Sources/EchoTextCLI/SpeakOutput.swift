import AudioFiles
import EchoText
import Foundation

/// Where the speech and its timing table go: files, a pipe, the loudspeaker, or several of them.
struct SpeakOutput: Sendable {
    private let sinks: [any AudioSink]
    private let writer: SoundFileWriter?
    private let timings: TimingFile?

    /// Refuses what could only fail later, before anything is touched.
    ///
    /// - Parameters:
    ///   - options: What was asked for.
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
    }

    /// Opens all that was asked for.
    ///
    /// - Throws: ``AudioFileError``; nothing is left behind then.
    init(_ options: OutputOptions, sampleRate: Int) async throws {
        writer = try await Self.writer(options, sampleRate: sampleRate)
        do {
            let isPlayed = options.play || options.output == nil
            let loudspeaker = isPlayed ? try await LoudspeakerSink(sampleRate: sampleRate) : nil
            let both: [(any AudioSink)?] = [writer, loudspeaker]
            sinks = both.compactMap(\.self)
            timings = try await options.timings.asyncMap { path in
                try await TimingFile(
                    path: path == "-" ? nil : path,
                    format: TimingFormat(fileName: path) ?? .json,
                    sampleRate: sampleRate
                )
            }
        } catch {
            await writer?.abandon()
            throw error
        }
    }

    func append(_ passage: Passage) async throws {
        for sink in sinks { try await sink.append(passage.clip) }
        try await timings?.append(passage)
    }

    /// Completes everything; the sound last, so that a file in its place has its timings beside it.
    func finish() async throws {
        try await timings?.finish()
        for sink in sinks { try await sink.finish() }
    }

    /// Completes what has been made so far.
    func keep() async throws {
        try await timings?.finishPartial()
        try await writer?.finishPartial()
    }

    func abandon() async {
        for sink in sinks { await sink.abandon() }
        await timings?.abandon()
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

    /// A name that two paths share exactly when they lead to one file.
    private static func identity(_ path: String) -> String {
        path == "-" ? "-" : URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Output>(_ transform: (Wrapped) async throws -> Output) async rethrows -> Output? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
