import ArgumentParser
import AudioFiles
import EchoText
import FileSystem
import Foundation

/// `echotext speak`: text in, speech out.
struct Speak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Speak a text: into a file, a pipe or the loudspeaker.",
        discussion: """
            Without TEXT and -f, reads standard input. Without -o and --save, plays what it speaks. Ctrl-C stops it and \
            leaves no file behind; what goes into the library is kept and can be resumed.

            Examples:
              echotext speak "Hello, world." -o hello.wav
              echotext speak -f book.txt -o book.mp3 --timings book.vtt
              echotext speak -f notes.txt --voice ~/voices/en_US-lessac-medium
              echotext speak -f book.txt --save --name "A book"
              echotext speak --document "A book" --pages 3-7,9 -o pages.mp3
              echotext speak -f talk.srt --keep-times -o talk.mp3
              echotext speak "Tere!" --voice et -o - | aplay

            A file or pipe that does not say how its characters are written is not refused: the encoding is guessed, as by \
            “echotext import”, and a note says which it was taken for.

            A pause is written [pause:1.5s] in the text. A dictionary has one line a word: “word = replacement” or \
            “word = /ipa/”.
            """
    )

    @Argument(help: "What to say.")
    var text: String?

    @Option(name: [.short, .long], help: "Read the text from this file; - is standard input.", completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("Speak this document of the library, by its id or name.", valueName: "id|name"))
    var document: String?

    @Flag(
        help:
            "Let each caption of subtitles begin at its own time, as for a voice-over: with silence between them, and up to 1.3 times as fast where the time is short."
    )
    var keepTimes = false

    @OptionGroup(title: "Document")
    var choice: SelectionOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    @OptionGroup(title: "Library")
    var keeping: KeepingOptions

    @OptionGroup(title: "Voice")
    var voice: VoiceOptions

    @OptionGroup(title: "Text")
    var preparation: PreparationOptions

    @OptionGroup(title: "Work")
    var work: WorkOptions

    func validate() throws {
        if [text, file, document].compactMap(\.self).count > 1 {
            throw ValidationError("Give one of TEXT, -f FILE and --document.")
        }
        if document == nil, choice.isGiven {
            throw ValidationError("--pages, --chapters and --with are for --document.")
        }
        if text != nil, keepTimes { throw ValidationError("--keep-times is for -f FILE and --document.") }
        if keeping.name != nil, !keeping.save { throw ValidationError("--name is for --save.") }
        if keeping.noLibrary, needsLibrary {
            throw ValidationError("--save, --profile and --document need the library; leave out --no-library.")
        }
        if voice.profile != nil, voice.voice != nil { throw ValidationError("Give --voice or --profile, not both.") }
    }

    func run() async throws {
        try await JSONFailure.printed(if: output.json) {
            let result = try await TerminationSignals.cancelling {
                guard needsLibrary else {
                    let job = SpeakJob(options: self, request: try await request(), defaults: try await defaults())
                    return try await job.run(library: nil)
                }
                return try await LibraryAccess.use { library in
                    let request = try await request(in: library)
                    let defaults = try await NarrationDefaults(of: library, profile: request.profile)
                    return try await SpeakJob(options: self, request: request, defaults: defaults).run(library: library)
                }
            }
            if output.json { try EchoTextCommand.answer(try result.json()) }
        }
    }
}

extension Speak {
    private var needsLibrary: Bool { keeping.save || voice.profile != nil || document != nil }

    /// The library's defaults, if it opens without a passcode.
    private func defaults() async throws -> NarrationDefaults {
        let bare = NarrationDefaults(voice: Settings.ofThisProcess.standardVoice)
        guard !keeping.noLibrary else { return bare }
        return try await OptionalLibrary.use { try await NarrationDefaults(of: $0) } ?? bare
    }

    private func request(in library: Library? = nil) async throws -> NarrationRequest {
        var request = try await voice.request(in: library)
        request.voiceFolder = voice.folder
        request.name = keeping.name ?? output.title
        request.pauses = .init(
            sentence: preparation.sentencePause,
            paragraph: preparation.paragraphPause,
            heading: preparation.headingPause
        )
        request.withoutSteps = preparation.without
        request.dictionary = try await preparation.dictionaryText()
        request.lanes = work.threads
        return request
    }
}

/// The options for the output.
struct OutputOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Write the sound to this file; - is standard output.", completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "How to store it; as the file's name ends when absent, and wav on standard output.",
            valueName: "format"
        ),
        completion: .list(AudioFormat.allCases.map(\.rawValue))
    )
    var format: AudioFormat?

    @Option(
        help: ArgumentHelp(
            "Write when each sentence and word is heard, as .json, .srt or .vtt.",
            valueName: "file"
        ),
        completion: .file(extensions: TimingFormat.allCases.map(\.rawValue))
    )
    var timings: String?

    @Flag(help: "Play it, also when it is written to a file.")
    var play = false

    @Flag(help: "After Ctrl-C or a failure keep what was made so far, as a file that plays.")
    var keepPartial = false

    @Option(help: ArgumentHelp("The title that is written into the file.", valueName: "text"))
    var title: String?

    @Flag(help: "Print a summary, or what went wrong, as JSON on standard output.")
    var json = false

    /// Whether the speech goes anywhere other than the library.
    var isAnythingWanted: Bool { output != nil || timings != nil || play }
}

/// Whether the library stores the speech, and which of its settings apply.
struct KeepingOptions: ParsableArguments {
    @Flag(help: "Keep it in the library while it is spoken.")
    var save = false

    @Option(help: ArgumentHelp("Its name in the library; the text's first words when absent.", valueName: "name"))
    var name: String?

    @Flag(
        help: "Take nothing from the library, as if there were none: neither profile, pauses, dictionary nor threads."
    )
    var noLibrary = false
}

/// Options for the voice and its settings.
struct VoiceOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Who speaks: an ID or a language from “echotext voices”, or a folder with a Piper voice.",
            valueName: "id|dir"
        ),
        completion: .directory
    )
    var voice: String?

    @Option(
        help: ArgumentHelp(
            "Speak as this profile of the library; the options beside it win. The chosen profile speaks when no voice is named.",
            valueName: "name"
        )
    )
    var profile: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Which of the voice's people: a number from 0, or a name.", valueName: "n|name")
    )
    var speaker: VoiceSpeaker?

    @Option(
        help: ArgumentHelp(
            "Times the voice's own pace, 0.5 to 1.5; as the chosen profile when absent.",
            valueName: "factor"
        )
    )
    var speed: Double?

    @Option(
        help: ArgumentHelp(
            "Times the voice's own pitch, 0.5 to 2; the speed stays. As the chosen profile when absent.",
            valueName: "factor"
        )
    )
    var pitch: Double?

    @Option(
        help: ArgumentHelp(
            "How much a natural voice's melody varies, times its own, 0 to 1.5; as the chosen profile when absent.",
            valueName: "factor"
        )
    )
    var liveliness: Double?

    @Option(
        help: ArgumentHelp(
            "How much the length of a natural voice's sounds varies, times its own, 0 to 1.5; as the chosen profile when absent.",
            valueName: "factor"
        )
    )
    var rhythm: Double?
}

extension VoiceOptions {
    /// Returns the request that the options make, with the environment's voice where they name none.
    ///
    /// - Throws: ``LibraryError/profileNotFound``.
    func request(in library: Library?) async throws -> NarrationRequest {
        var request = NarrationRequest()
        if let library, let profile { request.profile = try await library.profiles.profile(called: profile).id }
        request.voice = voice ?? (profile == nil ? Settings.ofThisProcess.namedVoice : nil)
        request.speaker = speaker
        (request.speed, request.pitch) = (speed, pitch)
        (request.liveliness, request.rhythm) = (liveliness, rhythm)
        return request
    }

    /// The folder that `--voice` names, if its value is a folder.
    var folder: String? {
        guard let voice else { return nil }
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: voice, isDirectory: &isFolder), isFolder.boolValue else {
            return ["/", "./", "../", "~"].contains(where: voice.hasPrefix) ? voice : nil
        }
        return voice
    }
}

/// Options for the preparation of the text.
struct PreparationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A pronunciation dictionary.", valueName: "file"), completion: .file())
    var dictionary: String?

    @Option(
        help: ArgumentHelp(
            "Leave out a step of the preparation: \(TextPreparation.Steps.all.names.joined(separator: ", ")). May be repeated.",
            valueName: "step"
        ),
        completion: .list(TextPreparation.Steps.all.names)
    )
    var without: [String] = []

    @Option(help: ArgumentHelp("Silence between sentences, in seconds.", valueName: "s"))
    var sentencePause: Double?

    @Option(help: ArgumentHelp("Silence between paragraphs, in seconds.", valueName: "s"))
    var paragraphPause: Double?

    @Option(help: ArgumentHelp("Silence after a heading, in seconds.", valueName: "s"))
    var headingPause: Double?

    func validate() throws {
        let pauses = [sentencePause, paragraphPause, headingPause].compactMap(\.self)
        guard pauses.allSatisfy({ (0...60).contains($0) }) else {
            throw ValidationError("A pause lasts from 0 to 60 seconds.")
        }
        guard TextPreparation.Steps(names: without) != nil else {
            throw ValidationError("--without takes \(TextPreparation.Steps.all.names.joined(separator: ", ")).")
        }
    }
}

extension PreparationOptions {
    /// Reads the named dictionary, and checks that it is valid.
    func dictionaryText() async throws -> String? {
        guard let dictionary else { return nil }
        let source = try FileTextSource(path: dictionary, decoding: Studio.textDecoding)
        var text = ""
        while let piece = try await source.next() {
            text += piece
            // A block beyond the limit is enough for the parser to report that it is too long.
            if text.utf8.count > 2 * PronunciationDictionary.maximumBytes { break }
        }
        for notice in await source.notices {
            EchoTextCommand.say("note: “\((dictionary as NSString).lastPathComponent)”: \(notice.message)")
        }
        _ = try PronunciationDictionary(parsing: text)
        return text
    }
}

/// The options for the use of the processor.
struct WorkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many sentences are spoken at once; as the setting speech.lanes says when absent.",
            valueName: "n"
        )
    )
    var threads: Int?

    @Option(help: ArgumentHelp("How long the engine may take to respond, in seconds.", valueName: "s"))
    var timeout = 60.0

    func validate() throws {
        guard threads.map((1...64).contains) ?? true else { throw ValidationError("--threads takes 1 to 64.") }
        guard (1...3_600).contains(timeout) else { throw ValidationError("--timeout takes 1 to 3600 seconds.") }
    }

    /// How many sentences are synthesized at once; `usual` is the library's setting.
    func lanes(usual: Int?) -> Int { threads ?? usual ?? ProcessInfo.processInfo.activeProcessorCount }
}

extension AudioFormat: ExpressibleByArgument {}

/// The text that `echotext speak` is given.
struct SpeakInput: Sendable {
    let source: any TextSource
    /// The source, when it is a file or a pipe.
    let file: FileTextSource?
    /// The document in the library that it comes from, if any.
    var document: DocumentLink?
    /// The document's name.
    var name: ItemName?
    /// The languages that the document is in, as far as they are known.
    var languages: TextLanguages?
    /// The captions of the text, if each of them is to begin at its own time.
    var cues: [SubtitleCue]?
    /// Notices about how the document was read.
    private var documentNotices: [DocumentNotice] = []

    /// Notices about how the text has been read so far.
    var notices: [DocumentNotice] {
        get async { documentNotices + (await file?.notices ?? []) }
    }

    /// Prints the notices on standard error.
    func reportNotices() async {
        for notice in await notices { EchoTextCommand.say("note: \(notice.message)") }
    }

    /// Takes the selected parts of a document.
    ///
    /// - Throws: ``PageRangesError``, ``LibraryError``, ``VaultError``, or ``SynthesisError/nothingToSay``;
    ///   ``DocumentError/noTimes`` when times are to be kept that the document does not have.
    init(_ reference: String, _ choice: SelectionOptions, keepsTimes: Bool, in library: Library) async throws {
        let document = try await library.documents.document(called: reference)
        let remembered = try await library.documents.selection(of: document.id)
        let selection = choice.isGiven ? try choice.selection() : remembered ?? DocumentSelection()
        let structure = try await library.documents.structure(of: document.id)
        let part = try selection.part(of: structure)
        let spoken = try await library.documents.spoken(selection, of: document.id)
        guard spoken.text.contains(where: { !$0.isWhitespace }) else { throw SynthesisError.nothingToSay }
        if keepsTimes { cues = try spoken.cues(of: structure) }
        source = StringSource(spoken.text)
        file = nil
        self.document = DocumentLink(id: document.id.rawValue, part: part, selection: selection)
        name = document.name.with(part: part)
        languages = spoken.languages(of: structure)
        documentNotices = structure.notices
    }

    /// - Throws: ``TextSourceError``, or ``SynthesisError/nothingToSay`` when there is no text and no input to wait for.
    init(text: String?, file path: String?) throws {
        if let text {
            source = StringSource(text)
            file = nil
            return
        }
        let opened = try Self.open(path)
        source = CaptionTextSource(of: opened)
        file = opened
    }

    /// Reads subtitles whole, with the times of their captions.
    ///
    /// - Parameter path: The file; standard input when absent, and for `-`.
    /// - Throws: ``TextSourceError``, ``SynthesisError/nothingToSay``, ``DocumentError/tooLarge(limit:)``, or
    ///   ``DocumentError/noTimes`` for any other text.
    init(subtitles path: String?) async throws {
        let opened = try Self.open(path)
        let limit = DocumentKind.srt.largestFile
        var written = ""
        while let piece = try await opened.next() {
            written += piece
            guard written.utf8.count <= limit else { throw DocumentError.tooLarge(limit: limit) }
        }
        guard let format = CaptionWriter.Format(ofTextBeginning: written) else { throw DocumentError.noTimes }
        var reader = CaptionReader(format, keepsTimes: true)
        let begun = reader.read(written)
        let text = begun + reader.finish()
        source = StringSource(text)
        languages = LanguageGuess.language(of: text).map { TextLanguages(main: $0) }
        cues = reader.cues
        file = opened
    }

    private static func open(_ path: String?) throws -> FileTextSource {
        if let path, path != "-" { return try FileTextSource(path: path, decoding: Studio.textDecoding) }
        guard path == "-" || isatty(STDIN_FILENO) == 0 else { throw SynthesisError.nothingToSay }
        return try FileTextSource(decoding: Studio.textDecoding)
    }
}
