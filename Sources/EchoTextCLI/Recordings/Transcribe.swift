import API
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

    @Flag(help: "Take what can be read of a damaged file.")
    var keepPart = false

    @OptionGroup
    var choice: TrackOption

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
            try output.check(isAnswered: answer.json)
            // A recording may be called as its transcript.
            if let file = output.output, file != "-", FileManager.default.fileExists(atPath: source),
                SpeakOutput.identity(file) == SpeakOutput.identity(source)
            {
                throw CommandError.contradiction(
                    "The transcript would replace the sound it is made from.",
                    hint: "Give the transcript another name."
                )
            }
            try await TerminationSignals.cancelling {
                if noLibrary { return try await transcribeFile() }
                try await LibraryAccess.use { try await transcribe(in: $0) }
            }
        }
    }

    /// Transcribes a recording of the library; a file is imported first.
    private func transcribe(in library: Library) async throws {
        let (item, notices, version) = try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: recognition.offline) { tools in
                // A file that no recognizer could transcribe is not imported.
                let preferred = try await library.settings.recognizerOrder()
                _ = try await recognition.recognizers(of: tools.recognizer, in: preferred)
                let (item, notices) = try await recording(in: library)
                let order = try await order(for: item, in: library, tools)
                let queue = ForegroundQueue(
                    in: library,
                    with: tools,
                    network: studio.networkWatch,
                    isShown: !answer.json
                )
                return (item, notices, try await queue.run { try await $0.take(order, for: item.id) })
            }
        }
        let transcript = try await library.transcripts.transcript(version)
        try await output.write(
            transcript,
            called: item.name.text,
            with: try await library.writtenMarks(of: item),
            notices,
            json: answer.json
        )
    }

    private func order(
        for item: AudioItem,
        in library: Library,
        _ tools: TranscriptionTools
    ) async throws -> TranscriptionOrder {
        let range = recognition.range(in: item)
        let current = try await library.transcripts.versions(of: item.id).first(where: \.isCurrent)
        let base = range == nil ? nil : current
        // In the few seconds of a part, a language is found out wrongly.
        let spoken = item.language == "und" ? base?.language ?? "und" : item.language
        let preferred = try await library.settings.recognizerOrder()
        let asked = try await recognition.recognizers(of: tools.recognizer, in: preferred, for: spoken)
        var order = TranscriptionOrder(recognizers: asked.map(\.id))
        order.settings = recognition.settings
        order.settings.settleLanguage(spoken: spoken, among: asked)
        order.skipsSilence = !recognition.silence
        (order.range, order.base) = (range, base?.id)
        return order
    }

    private func recording(in library: Library) async throws -> (AudioItem, [SoundImportNotice]) {
        guard FileManager.default.fileExists(atPath: source) else {
            let item = try await library.audio.item(called: source)
            if choice.track != nil {
                throw CommandError.contradiction(
                    "--track is for sound files; what is in the library has one track.",
                    hint: "Leave --track out, or import the file with it."
                )
            }
            return (item, [])
        }
        let options = SoundImport.Options(
            language: recognition.settings.language,
            keepsPart: keepPart,
            track: choice.track,
            twin: .reuse,
            largestStored: try await library.settings.largestStoredFile()
        )
        let importer = SoundImport(into: library)
        var outcome: SoundImport.Outcome
        do {
            let file = try StoredFile(at: source)
            outcome = try await importer.add(file, called: source, options)
            outcome.noteGrowth(of: file)
        } catch {
            throw FileFailure.naming(source, error)
        }
        if !answer.json {
            let way = outcome.isReused ? "in the library already, as" : "imported as"
            EchoTextCommand.say("\(way) \(outcome.item.mention)")
            show(outcome.notices)
        }
        return (outcome.item, outcome.notices)
    }

    private func show(_ notices: [SoundImportNotice]) {
        for notice in notices { EchoTextCommand.say("note: \(notice.message)") }
    }

    /// Transcribes a file that is not stored in the library.
    private func transcribeFile() async throws {
        let (result, recognizer) = try await Studio.with { studio in
            // A service would need a library, in which its key is.
            let client = studio.settings.outboundClient { OutboundRules(isOffline: true) }
            let tools = studio.transcriptionTools(through: client) { [] }
            let recognizer = try await recognition.recognizers(of: tools.recognizer, in: RecognizerOrder([]))[0].id
            let session = try await tools.recognizer.open(recognizer, recognition.settings)
            let transcription = FileTranscription(
                with: tools,
                decoder: Studio.soundDecoder,
                lanes: ProcessInfo.processInfo.activeProcessorCount
            )
            do {
                let result = try await session.closing {
                    try await transcription.recognize(
                        StoredFile(at: source),
                        by: session,
                        includesSilence: recognition.silence,
                        keepsPart: keepPart,
                        track: choice.track
                    )
                }
                return (result, recognizer)
            } catch {
                throw FileFailure.naming(source, error)
            }
        }
        if !answer.json { show(result.notices) }
        let transcript = Transcript(
            item: AudioItem.ID(),
            created: Date(),
            source: TranscriptSource(recognizer: recognizer, settings: recognition.settings),
            language: recognition.settings.language ?? "und",
            segments: result.segments
        )
        let name = ((source as NSString).lastPathComponent as NSString).deletingPathExtension
        do {
            try await output.write(transcript, called: name, result.notices, json: answer.json)
        } catch let error as AudioFileError {
            // The words are nowhere else. If their output fails too, the first error is the one to report.
            if answer.json {
                EchoTextCommand.show("\(CommandOutput.harmless(transcript.text))\n")
            } else {
                _ = try? CommandOutput.text(transcript.text)
            }
            throw error
        }
    }
}

/// The options for the recognizer and its settings.
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

    @Option(help: ArgumentHelp("Transcribe only from this time on: seconds, m:ss or h:mm:ss.", valueName: "time"))
    var from: PlayTime?

    @Option(help: ArgumentHelp("Transcribe only up to this time.", valueName: "time"))
    var to: PlayTime?

    @Flag(help: "Transcribe stretches without speech too.")
    var silence = false

    @Flag(help: "Connect to nothing; services are not asked.")
    var offline = false

    var settings: RecognitionSettings {
        RecognitionSettings(language: language.map(LanguageTag.canonical), hotwords: hotword, prompt: prompt)
    }

    /// Returns the recognizers to try, in order.
    ///
    /// - Parameters:
    ///   - recognizer: Lists them.
    ///   - order: The person's order of preference.
    ///   - spoken: The recording's language, used where `--language` is absent; `und` when it is not known.
    /// - Returns: At least one recognizer.
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

    /// Finds the recognizer called `name`: its id, or the part of the id after the slash.
    private static func recognizer(called name: String, among offered: [Recognizer]) throws -> Recognizer {
        if let found = offered.first(where: { $0.id.rawValue == name }) { return found }
        let ending = offered.filter { $0.id.rawValue.lowercased().hasSuffix("/\(name.lowercased())") }
        guard let found = ending.first, ending.count == 1 else {
            throw RecognitionError.noSuchRecognizer(Recognizer.ID(rawValue: name))
        }
        return found
    }

    /// The part of `item` to transcribe; `nil` for all of it.
    func range(in item: AudioItem) -> Range<Double>? {
        guard from != nil || to != nil else { return nil }
        let start = min(from?.seconds ?? 0, item.duration)
        return start..<max(start, min(to?.seconds ?? item.duration, item.duration))
    }
}

/// The options for printing or writing a transcript.
struct TranscriptOutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "txt, md, srt, vtt, json, csv or docx; as the file's name ends when absent, else txt.",
            valueName: "format"
        ),
        completion: .list(TranscriptFormat.allCases.map(\.rawValue))
    )
    var format: TranscriptFormat?

    @Flag(help: "Add the time of each paragraph, in txt, md and docx.")
    var times = false

    @Flag(help: "Every word with its time, in csv.")
    var words = false

    @Option(name: .shortAndLong, help: "The file to write; - is standard output.", completion: .file())
    var output: String?

    private func place(isAnswered: Bool) throws -> TranscriptDestination? {
        try output.map { try TranscriptDestination(path: $0, format: format, isByWord: words, isAnswered: isAnswered) }
    }

    /// - Parameter isAnswered: Whether the command answers in JSON on standard output.
    /// - Throws: ``TranscriptError/unknownFormat(ending:)``, ``CommandError``, ``AudioFileError``.
    func check(isAnswered: Bool) throws {
        let place = try place(isAnswered: isAnswered)
        if place == nil, format == .docx {
            throw CommandError.contradiction("A Word document is written to a file.", hint: "Give -o a name.")
        }
        if place == nil || isAnswered { try StandardStreams.checkOutput() }
    }

    private struct Written: Encodable {
        let item: AudioItem.ID
        let transcript: Transcript.ID
        let language: String
        let text: String
        let file: String?
        let notices: [SoundImportResponse.Notice]
    }

    /// Prints `transcript`, or writes it to the file; as JSON with notices about the sound and what was heard.
    func write(
        _ transcript: Transcript,
        called name: String,
        with marks: [WrittenTranscript.Mark] = [],
        _ notices: [SoundImportNotice] = [],
        json: Bool
    ) async throws {
        let remarks = SoundImportResponse.Notice.notices(about: transcript)
        let written = WrittenTranscript(
            transcript,
            title: name,
            marks: marks,
            showsTimes: times,
            isByWord: words
        )
        let export = TranscriptExport(of: written)
        let place = try place(isAnswered: json)
        try await place?.write(export, at: Date())
        if json {
            return try CommandOutput.json(
                Written(
                    item: transcript.item,
                    transcript: transcript.id,
                    language: transcript.language,
                    text: transcript.text,
                    file: output,
                    notices: notices.map { SoundImportResponse.Notice($0) } + remarks
                        + [SoundImportResponse.Notice.replacement(in: transcript)].compactMap(\.self)
                )
            )
        }
        for notice in remarks { EchoTextCommand.say(notice.message) }
        if let place {
            if !place.isStandardOutput { EchoTextCommand.say("1 file written") }
            return
        }
        let bytes = MemoryBytes()
        try await export.write(as: format ?? (words ? .csv : .txt), to: bytes, at: Date())
        let text = String(decoding: try await bytes.read(0..<bytes.length), as: UTF8.self)
        try CommandOutput.text(String(text.dropLast(text.hasSuffix("\n") ? 1 : 0)))
    }
}
