import ArgumentParser
import AudioFiles
import Books
import EchoText
import FileSystem
import Foundation

/// `echotext transcribe`.
struct Transcribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write down what is said in a recording or a sound file.",
        discussion: """
            A sound file is imported first, so that it can be heard beside its transcript; with --no-library nothing is kept. \
            The transcript is printed, or written with -o. Ctrl-C stops it; what was heard is kept, and “echotext jobs retry” \
            resumes it.

            Examples:
              echotext transcribe interview.m4a --language en -o interview.srt
              echotext transcribe "Morning walk" --from 1:30 --to 2:00
              echotext transcribe note.wav --no-library --hotword Tallinn --hotword Pärnu
            """
    )

    @Argument(help: "A sound file, or a recording by id or name.", completion: .file())
    var source: String

    @OptionGroup(title: "Recognition")
    var recognition: RecognitionOptions

    @OptionGroup(title: "Output")
    var output: TranscriptOutputOptions

    @Flag(help: "Keep nothing in the library.")
    var noLibrary = false

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        if noLibrary, recognition.from != nil || recognition.to != nil {
            throw ValidationError("--from and --to are for recordings of the library.")
        }
        if let from = recognition.from, let to = recognition.to, from.seconds >= to.seconds {
            throw ValidationError("--from takes a time before --to.")
        }
    }

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try output.check()
            try await TerminationSignals.cancelling {
                if noLibrary { return try await transcribeFile() }
                try await OpenedLibrary.use { try await transcribe(in: $0) }
            }
        }
    }

    /// Hears a recording of the library, which a file becomes first.
    private func transcribe(in library: Library) async throws {
        let (item, version) = try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: recognition.offline) { tools in
                // Nothing is imported that nobody can hear.
                let preferred = try await library.settings.recognizerOrder()
                _ = try await recognition.recognizers(of: tools.recognizer, in: preferred)
                let item = try await recording(in: library)
                let order = try await order(for: item, in: library, tools)
                let queue = ForegroundQueue(
                    in: library,
                    with: tools,
                    network: studio.networkWatch,
                    isShown: !answer.json
                )
                return (item, try await queue.run { try await $0.take(order, for: item.id) })
            }
        }
        let transcript = try await library.transcripts.transcript(version)
        try await output.write(transcript, called: item.name.text, json: answer.json)
    }

    private func order(
        for item: AudioItem,
        in library: Library,
        _ tools: TranscriptionTools
    ) async throws -> TranscriptionOrder {
        let preferred = try await library.settings.recognizerOrder()
        let asked = try await recognition.recognizers(of: tools.recognizer, in: preferred, for: item.language)
        var order = TranscriptionOrder(recognizers: asked.map(\.id))
        order.settings = recognition.settings
        // The recording's own language, where no other is named and somebody knows it.
        if order.settings.language == nil, item.language != "und", asked.contains(where: { $0.knows(item.language) }) {
            order.settings.language = item.language
        }
        order.skipsSilence = !recognition.silence
        order.range = recognition.range(in: item)
        if order.range != nil {
            order.base = try await library.transcripts.versions(of: item.id).first(where: \.isCurrent)?.id
        }
        return order
    }

    private func recording(in library: Library) async throws -> AudioItem {
        guard FileManager.default.fileExists(atPath: source) else {
            return try await library.audio.item(called: source)
        }
        let options = SoundImport.Options(language: recognition.settings.language)
        let importer = SoundImport(into: library.recordings, by: Studio.soundDecoder)
        let outcome = try await importer.add(StoredFile(at: source), called: source, options)
        if !answer.json { EchoTextCommand.say("imported as \(outcome.item.mention)") }
        return outcome.item
    }

    /// Hears a file that is kept nowhere.
    private func transcribeFile() async throws {
        let segments = try await Studio.with { studio in
            // A service would need a library, in which its key is.
            let client = studio.settings.outboundClient { OutboundRules(isOffline: true) }
            let tools = studio.transcriptionTools(through: client) { [] }
            let recognizer = try await recognition.recognizers(of: tools.recognizer, in: RecognizerOrder([]))[0].id
            let session = try await tools.recognizer.open(recognizer, recognition.settings)
            let heard = HeardSegments()
            do {
                try await DecodedClips.use(of: StoredFile(at: source), by: Studio.soundDecoder) { sound in
                    try await hear(sound, by: session, tools) { await heard.add($0) }
                }
                await session.close()
            } catch {
                await session.close()
                throw error
            }
            return (await heard.segments, recognizer)
        }
        let transcript = Transcript(
            item: AudioItem.ID(),
            created: Date(),
            source: TranscriptSource(recognizer: segments.1, settings: recognition.settings),
            language: recognition.settings.language ?? "und",
            segments: segments.0
        )
        let name = ((source as NSString).lastPathComponent as NSString).deletingPathExtension
        try await output.write(transcript, called: name, json: answer.json)
    }

    private func hear(
        _ sound: DecodedClips,
        by session: any RecognitionSession,
        _ tools: TranscriptionTools,
        keep: @escaping @Sendable ([TranscriptSegment]) async -> Void
    ) async throws {
        var rules = SegmentationRules.whole(for: session)
        rules.includesSilence = recognition.silence
        let cutter = try await tools.cutter(rate: sound.sampleRate, rules: rules)
        let run = TranscriptionRun(by: session, lanes: ProcessInfo.processInfo.activeProcessorCount)
        do {
            try await run.hear(
                sound,
                by: cutter,
                offset: 0,
                TranscriptionRun.Listener { segments, _ in await keep(segments) }
            )
            await cutter.close()
        } catch {
            await cutter.close()
            throw error
        }
    }
}

/// Which recogniser hears, and its settings.
struct RecognitionOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("service")],
        help: ArgumentHelp("The recogniser or service; “echotext recognizers list” shows them.", valueName: "id")
    )
    var recognizer: String?

    @Option(help: ArgumentHelp("The language that is spoken, such as en or et.", valueName: "tag"))
    var language: String?

    @Option(help: ArgumentHelp("A word that is likely to occur; may be repeated.", valueName: "word"))
    var hotword: [String] = []

    @Option(help: ArgumentHelp("Text that comes before, to imitate its style.", valueName: "text"))
    var prompt: String?

    @Option(help: ArgumentHelp("Hear only from here on: seconds, m:ss or h:mm:ss.", valueName: "time"))
    var from: PlayTime?

    @Option(help: ArgumentHelp("Hear only up to here.", valueName: "time"))
    var to: PlayTime?

    @Flag(help: "Hear stretches without speech too.")
    var silence = false

    @Flag(help: "Connect to nothing; services are not asked.")
    var offline = false

    var settings: RecognitionSettings {
        RecognitionSettings(language: language.map(LanguageTag.canonical), hotwords: hotword, prompt: prompt)
    }

    /// The recognisers that are asked, one after another.
    ///
    /// - Parameters:
    ///   - recognizer: Lists them.
    ///   - order: In which order the person wants them to be asked.
    ///   - spoken: The recording's language, where the person names none; `und` when it is not known.
    /// - Returns: At least one.
    /// - Throws: ``RecognitionError/noRecognizer``, ``RecognitionError/noSuchRecognizer(_:)``,
    ///   ``RecognitionError/unsupportedLanguage(_:)``.
    func recognizers(
        of recognizer: any SpeechRecognizer,
        in order: RecognizerOrder,
        for spoken: String? = nil
    ) async throws -> [Recognizer] {
        let offered = try await recognizer.recognizers()
        let language = settings.language
        let asked = try self.recognizer.map { [try Self.recognizer(called: $0, among: offered)] }
        let found = asked ?? order.asked(of: offered, for: language ?? spoken)
        if found.isEmpty { throw RecognitionError.noRecognizer }
        if let language, !found.contains(where: { $0.knows(language) }) {
            throw RecognitionError.unsupportedLanguage(language)
        }
        return found
    }

    /// The one that a person calls `name`: by its id, or by what follows the slash in it.
    private static func recognizer(called name: String, among offered: [Recognizer]) throws -> Recognizer {
        if let found = offered.first(where: { $0.id.rawValue == name }) { return found }
        let ending = offered.filter { $0.id.rawValue.lowercased().hasSuffix("/\(name.lowercased())") }
        guard let found = ending.first, ending.count == 1 else {
            throw RecognitionError.noSuchRecognizer(Recognizer.ID(rawValue: name))
        }
        return found
    }

    /// The part of `item` that is heard; `nil` for all of it.
    func range(in item: AudioItem) -> Range<Double>? {
        guard from != nil || to != nil else { return nil }
        let start = min(from?.seconds ?? 0, item.duration)
        return start..<max(start, min(to?.seconds ?? item.duration, item.duration))
    }
}

/// How a transcript is printed or written.
struct TranscriptOutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "txt, md, srt, vtt, json, csv or docx; as the file's name ends when absent, else txt.",
            valueName: "format"
        ),
        completion: .list(TranscriptFormat.allCases.map(\.rawValue))
    )
    var format: TranscriptFormat?

    @Flag(help: "Say when each paragraph begins, in txt, md and docx.")
    var times = false

    @Flag(help: "Every word with its time, in csv.")
    var words = false

    @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
    var output: String?

    private var chosen: TranscriptFormat? {
        format ?? (output.map { TranscriptFormat(fileName: $0) } ?? (words ? .csv : .txt))
    }

    /// - Throws: ``TranscriptError/unknownFormat(ending:)``, ``CommandError/contradiction(_:hint:)``.
    func check() throws {
        guard let chosen else {
            throw TranscriptError.unknownFormat(ending: ((output ?? "") as NSString).pathExtension)
        }
        if chosen == .docx, output == nil {
            throw CommandError.contradiction("A Word document is written to a file.", hint: "Give -o a name.")
        }
    }

    private struct Written: Encodable {
        let item: AudioItem.ID
        let transcript: Transcript.ID
        let language: String
        let text: String
        let file: String?
    }

    /// Prints `transcript`, or writes it to the file.
    func write(_ transcript: Transcript, called name: String, json: Bool) async throws {
        let written = WrittenTranscript(transcript, title: name, showsTimes: times, isByWord: words)
        let export = TranscriptExport(of: written)
        if let output {
            try await export.write(as: chosen ?? .txt, to: ByteFile(path: output), at: Date())
        }
        if json {
            return try Answer.json(
                Written(
                    item: transcript.item,
                    transcript: transcript.id,
                    language: transcript.language,
                    text: transcript.text,
                    file: output
                )
            )
        }
        let gaps = transcript.gaps
        if transcript.text.isEmpty, gaps.isEmpty { EchoTextCommand.say("no speech was heard") }
        if !gaps.isEmpty {
            let length = gaps.reduce(0) { $0 + $1.time.upperBound - $1.time.lowerBound }
            let passages = gaps.count == 1 ? "1 passage" : "\(gaps.count) passages"
            EchoTextCommand.say("not understood: \(passages), \(WrittenTranscript.clock(length.rounded())) in all")
        }
        guard output == nil else { return EchoTextCommand.say("1 file written") }
        let bytes = MemoryBytes()
        try await export.write(as: chosen ?? .txt, to: bytes, at: Date())
        let text = String(decoding: try await bytes.read(0..<bytes.length), as: UTF8.self)
        try Answer.text(String(text.dropLast(text.hasSuffix("\n") ? 1 : 0)))
    }
}

/// What was heard of a file that is kept nowhere.
private actor HeardSegments {
    private(set) var segments: [TranscriptSegment] = []

    func add(_ more: [TranscriptSegment]) { segments += more }
}
