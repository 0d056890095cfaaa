import API
import ArgumentParser
import AudioFiles
import Books
import EchoText
import FileSystem
import Foundation

/// `echotext transcripts`: the transcripts of recordings, in all their versions.
struct TranscriptCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcripts",
        abstract: "Show, export, edit, compare and choose the versions of transcripts, and find who speaks in them.",
        discussion: """
            A transcript is named by its recording, which means the current version; with a colon and a number, which means \
            that version; or by its own id.

            Examples:
              echotext transcripts list "Interview"
              echotext transcripts show "Interview" --times
              echotext transcripts compare "Interview:1" "Interview:2"
              echotext transcripts export "Interview" -o interview.srt
              echotext transcripts edit "Interview" interview.srt
              echotext transcripts speakers "Interview" --speakers 2
            """,
        subcommands: [
            RecordingTranscripts.List.self, TranscriptShow.self, TranscriptExporting.self, TranscriptEditing.self,
            TranscriptCompare.self, TranscriptCurrent.self, TranscriptDelete.self, TranscriptSpeakers.self,
        ]
    )
}

extension Library {
    /// Finds a version of a transcript by its id, its recording, or its recording and number.
    ///
    /// - Throws: ``TranscriptError/notFound``, ``LibraryError``.
    func transcript(called reference: String) async throws -> (transcript: Transcript, version: TranscriptVersion) {
        let found = try await version(called: reference)
        return (try await transcripts.transcript(found.id), found)
    }

    /// As ``transcript(called:)``, also for a damaged one that is named by its recording.
    ///
    /// - Throws: ``TranscriptError/notFound``, ``LibraryError``.
    fileprivate func version(called reference: String) async throws -> TranscriptVersion {
        let (item, number) = try await recording(of: reference)
        let versions = try await transcripts.versions(of: item)
        let id = Transcript.ID(rawValue: reference.lowercased())
        let wanted = versions.first { version in
            number.map { $0 == version.number } ?? (version.id == id || version.isCurrent)
        }
        let found = versions.first { $0.id == id } ?? wanted
        guard let found else { throw TranscriptError.notFound }
        return found
    }

    /// The words by which a person named a transcript; `nil` where its recording is gone.
    ///
    /// - Throws: ``VaultError``.
    fileprivate func typedName(_ reference: String, for version: TranscriptVersion) async throws -> TypedName? {
        try await audio.item(version.item).map { TypedName(reference, for: version.id, of: $0) }
    }

    private func recording(of reference: String) async throws -> (AudioItem.ID, number: Int?) {
        do {
            return (try await transcripts.transcript(Transcript.ID(rawValue: reference.lowercased())).item, nil)
        } catch TranscriptError.notFound {
            do {
                return (try await audio.item(called: reference).id, nil)
            } catch LibraryError.itemNotFound {
                guard let parts = reference.wholeMatch(of: /(.+):(\d{1,9})/), let number = Int(parts.2) else {
                    throw LibraryError.itemNotFound
                }
                return (try await audio.item(called: String(parts.1)).id, number)
            }
        }
    }
}

extension Library {
    /// A version of a transcript as it is written, with the name and the marks of its recording where that is known.
    ///
    /// - Throws: As ``transcript(called:)``.
    fileprivate func written(
        _ reference: TranscriptReference,
        showsTimes: Bool,
        isByWord: Bool = false
    ) async throws -> WrittenTranscript {
        let transcript = try await transcript(called: reference.transcript).transcript
        let item = try await audio.item(transcript.item)
        var marks: [WrittenTranscript.Mark] = []
        if let item { marks = try await writtenMarks(of: item) }
        return WrittenTranscript(
            transcript,
            title: item?.name.text ?? "",
            marks: marks,
            showsTimes: showsTimes,
            isByWord: isByWord
        )
    }
}

/// `echotext recordings transcripts`.
struct RecordingTranscripts: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcripts",
        abstract: "List the versions of a recording's transcript, newest first."
    )

    /// The same command, among those for transcripts.
    struct List: LibraryCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: RecordingTranscripts.configuration.abstract
        )

        @OptionGroup
        var command: RecordingTranscripts

        var answer: JSONOption { command.answer }

        func run(in library: Library) async throws { try await command.run(in: library) }
    }

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        let versions = try await library.transcripts.versions(of: item.id)
        if json { return try CommandOutput.json(versions.map(TranscriptVersionResponse.init)) }
        guard !versions.isEmpty else { return EchoTextCommand.say("there is no transcript of this recording") }
        try CommandOutput.table(
            ["NUMBER", "CURRENT", "MADE", "WORDS", "LANGUAGE", "BY"],
            versions.map { version in
                let maker = version.source.recognizerName ?? version.source.recognizer?.rawValue ?? "a person"
                return [
                    String(version.number), version.isCurrent ? "yes" : "", CommandOutput.date(version.created),
                    String(version.words), version.language,
                    version.source.isDraft == true ? "\(maker), while recording" : maker,
                ]
            }
        )
    }
}

/// Which version of a transcript a command is about.
struct TranscriptReference: ParsableArguments {
    @Argument(help: "A transcript: its recording, RECORDING:NUMBER, or its id.")
    var transcript: String
}

/// `echotext transcripts show`.
struct TranscriptShow: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print what was said; with --json every word and its time."
    )

    @OptionGroup
    var reference: TranscriptReference

    @Flag(help: "Add the time of each paragraph.")
    var times = false

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let written = try await library.written(reference, showsTimes: times)
        let text = json ? written.json : written.plainText
        try CommandOutput.text(String(text.dropLast(text.hasSuffix("\n") ? 1 : 0)))
    }
}

/// `echotext transcripts export`.
struct TranscriptExporting: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a transcript to a file that other programs read.",
        discussion: "What is exported is no longer protected."
    )

    @OptionGroup
    var reference: TranscriptReference

    @Option(name: .shortAndLong, help: "The file to write; - is standard output.", completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "txt, md, srt, vtt, json, csv or docx; as the file's name ends when absent, and txt on standard output.",
            valueName: "format"
        ),
        completion: .list(TranscriptFormat.allCases.map(\.rawValue))
    )
    var format: TranscriptFormat?

    @Flag(help: "Add the time of each paragraph, in txt, md and docx.")
    var times = false

    @Flag(help: "A row for each word, in csv.")
    var words = false

    @OptionGroup
    var answer: JSONOption

    private struct Exported: Encodable {
        let file: String
        let notices: [SoundImportResponse.Notice]
    }

    func run(in library: Library) async throws {
        let place = try TranscriptDestination(path: output, format: format, isByWord: words, isAnswered: json)
        let written = try await library.written(reference, showsTimes: times, isByWord: words)
        try await place.write(TranscriptExport(of: written), at: Date())
        let notices = SoundImportResponse.Notice.notices(about: written.transcript)
        if json { return try CommandOutput.json(Exported(file: output, notices: notices)) }
        for notice in notices { EchoTextCommand.say(notice.message) }
        if !place.isStandardOutput { EchoTextCommand.say("1 file written") }
    }
}

/// `echotext transcripts edit`.
struct TranscriptEditing: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Save a transcript that was edited in another program as a new version.",
        discussion: """
            Export it as srt, vtt or json, change the file, and give it here. Words that stay keep their times; the version \
            before stays, too. Of json, the texts, speakers and times of segments are read; a note says what else it has, \
            or which comments vtt has, that the version has not. Subtitles from elsewhere become the first version of a \
            recording that has no transcript; such a recording gets the marks of json, too.

            Examples:
              echotext transcripts export "Interview" -o interview.srt
              echotext transcripts edit "Interview" interview.srt
              echotext transcripts edit "Interview:2" - < interview.json
            """
    )

    @OptionGroup
    var reference: TranscriptReference

    @Argument(help: "The edited file; - is standard input.", completion: .file())
    var file: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let (item, base) = try await edited(in: library)
        if let base {
            TypedName(reference.transcript, for: base.id, of: item).report()
        } else {
            TypedName(reference.transcript, for: item.id.rawValue, item.name).report()
        }
        let text = try await text()
        let edit = try TranscriptEdit(file: text, of: base, duration: item.duration)
        let transcript =
            try base?.edited(by: edit, duration: item.duration, at: Date())
            ?? Transcript(edit, of: item, at: Date())
        try await library.transcripts.add(transcript)
        if base == nil { _ = try await library.audio.changeMarks(of: item.id) { $0.add(from: text, to: item) } }
        let versions = try await library.transcripts.versions(of: item.id)
        guard let version = versions.first(where: { $0.id == transcript.id }) else { throw TranscriptError.notFound }
        let marks = try await library.writtenMarks(of: item)
        let omissions = TranscriptOmissions(of: text, in: transcript, from: base, marks: marks)
        if let words = omissions.words { EchoTextCommand.say("note: \(words)") }
        if json { return try CommandOutput.json(TranscriptVersionResponse(version)) }
        EchoTextCommand.say("saved as version \(version.number)")
    }

    /// The recording, and the version that was edited; `nil` for one without a transcript.
    private func edited(in library: Library) async throws -> (AudioItem, Transcript?) {
        do {
            let transcript = try await library.transcript(called: reference.transcript).transcript
            guard let item = try await library.audio.item(transcript.item) else { throw LibraryError.itemNotFound }
            return (item, transcript)
        } catch TranscriptError.notFound {
            guard let item = try? await library.audio.item(called: reference.transcript),
                try await library.transcripts.versions(of: item.id).isEmpty
            else { throw TranscriptError.notFound }
            return (item, nil)
        }
    }

    private func text() async throws -> String {
        let source =
            try file == "-"
            ? FileTextSource(decoding: Studio.textDecoding)
            : FileTextSource(path: file, decoding: Studio.textDecoding)
        var text = ""
        while let piece = try await source.next() {
            text += piece
            guard text.utf8.count <= TranscriptEdit.largestFile else { throw TranscriptError.unreadableFile }
        }
        for notice in await source.notices { EchoTextCommand.say("note: \(notice.message)") }
        return text
    }
}

/// `echotext transcripts compare`.
struct TranscriptCompare: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Show what differs between two versions, word by word.",
        discussion: """
            A line begins with - for words that only the first version has, with + for those of the second, each with its \
            time. Punctuation does not count; capitals count only where one version was made from the other.
            """
    )

    @Argument(help: "A transcript: its recording, RECORDING:NUMBER, or its id.")
    var first: String

    @Argument(help: "Another version of it.")
    var second: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let one = try await library.transcript(called: first).transcript
        let other = try await library.transcript(called: second).transcript
        let differences = TranscriptDifferences(from: one, to: other)
        let compared = TranscriptDifferencesResponse(differences, from: one.id, to: other.id)
        if json { return try CommandOutput.json(compared) }
        let lines = compared.passages.filter { $0.kind != .equal }.flatMap { passage -> [String] in
            let time = WrittenTranscript.clock((passage.first ?? passage.second)?.start ?? 0)
            let sides = [("-", passage.first?.text), ("+", passage.second?.text)]
            return sides.compactMap { sign, text in text.map { "\(sign) \(time)  \($0)" } }
        }
        if !lines.isEmpty { try CommandOutput.text(lines.joined(separator: "\n")) }
        EchoTextCommand.say("\(compared.missing) words only in the first version, \(compared.added) only in the second")
    }
}

/// `echotext transcripts current`.
struct TranscriptCurrent: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "current",
        abstract: "Make a version the one that is played along, searched and exported."
    )

    @OptionGroup
    var reference: TranscriptReference

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let version = try await library.version(called: reference.transcript)
        try await library.typedName(reference.transcript, for: version)?.report()
        try await library.transcripts.makeCurrent(version.id)
        var current = version
        current.isCurrent = true
        if json { return try CommandOutput.json(TranscriptVersionResponse(current)) }
        EchoTextCommand.say("version \(version.number) is the current one")
    }
}

/// `echotext transcripts delete`.
struct TranscriptDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a version for good; the newest of the others becomes the current one if it was."
    )

    @OptionGroup
    var reference: TranscriptReference

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let version = try await library.version(called: reference.transcript)
        try confirmation.requireWhole(try await library.typedName(reference.transcript, for: version))
        try await confirmation.confirm("Delete version \(version.number) for good?")
        try await library.transcripts.delete(version.id)
    }
}

extension TranscriptFormat: ExpressibleByArgument {}

/// `echotext transcripts speakers`.
struct TranscriptSpeakers: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "speakers",
        abstract: "Find who speaks when, and name the speakers in a new version.",
        discussion: """
            The speakers are called “Speaker 1” and so on, in the order in which they first speak. Words and times stay as they \
            are; a paragraph in which several speak is divided. All of it happens on this machine, with models that “echotext \
            recognizers add --help” names, and recordings of up to four hours.

            Examples:
              echotext transcripts speakers "Interview"
              echotext transcripts speakers "Interview:1" --speakers 2 --json
            """
    )

    @OptionGroup
    var reference: TranscriptReference

    @Option(help: ArgumentHelp("How many people speak, from 1 to 20; found out when absent.", valueName: "n"))
    var speakers: Int?

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let count = try SpeakerCount(speakers)
        let (transcript, base) = try await library.transcript(called: reference.transcript)
        try await library.typedName(reference.transcript, for: base)?.report()
        let id = transcript.id
        let line = SpeakerLine(isShown: !json && isatty(STDERR_FILENO) == 1)
        let version = try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: true) { tools in
                defer { line.clear() }
                return try await SpeakerFinding(in: library, with: tools).find(in: id, count) { line.show($0) }
            }
        }
        if json { return try CommandOutput.json(TranscriptVersionResponse(version)) }
        EchoTextCommand.say("\(version.source.speakers ?? 0) speakers, in version \(version.number)")
    }
}

/// Shows the progress of diarization on one line of the terminal.
private struct SpeakerLine {
    let isShown: Bool

    func show(_ share: Double) {
        guard isShown else { return }
        EchoTextCommand.show("\r\u{1B}[Kfinding the speakers, \(Int(share * 100)) %")
    }

    func clear() {
        if isShown { EchoTextCommand.show("\r\u{1B}[K") }
    }
}

/// Where a transcript is written: a file, or standard output.
struct TranscriptDestination {
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
        guard path == "-" else {
            try ByteFile.check(path)
            return
        }
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
        if isatty(STDOUT_FILENO) == 1 {
            bytes = Data(CommandOutput.harmless(String(decoding: bytes, as: UTF8.self)).utf8)
        }
        try EchoTextCommand.answer(bytes: bytes)
    }
}
