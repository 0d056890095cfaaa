import API
import ArgumentParser
import EchoText
import FileSystem
import Foundation

/// `echotext recordings import`.
struct RecordingsImport: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Put sound files, and the sound of videos, into the library.",
        discussion: """
            WAV, FLAC, MP3, Ogg, Opus and the like are read right away; M4A, MP4, WebM, MKV and others by FFmpeg, where it is \
            installed. The kind of a file is detected from its content, not its name. Title, date and language come from \
            its tags. Of several files those that cannot be read are named and skipped, and the exit code is 65. A file that was \
            imported before is not imported twice unless --again or another --track is given.

            The file itself is kept beside its sound, up to the size in the setting recording.keep-files; “echotext recordings \
            export --as-it-came” writes it out again.

            Examples:
              echotext recordings import talk.m4a interview.mp3
              echotext recordings import holiday.mp4 --name "Holiday" --language et
              echotext recordings import game.mkv --track 2
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("What it is to be called, for a single file.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The language that is spoken, such as en or et.", valueName: "tag"))
    var language: String?

    @Flag(help: "Keep what can be read of a damaged file.")
    var keepPart = false

    @Flag(help: "Import a file once more that was imported before.")
    var again = false

    @OptionGroup
    var choice: TrackOption

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        if name != nil, files.count > 1 { throw ValidationError("--name is for a single file.") }
        if let language, language.isEmpty || language.count > 35 {
            throw ValidationError("--language takes a tag such as en or pt-BR.")
        }
    }

    private struct Report: Encodable {
        let recordings: [SoundImportResponse]
        let failures: [FailureResponse]
    }

    func run(in library: Library) async throws {
        let options = SoundImport.Options(
            name: try name.map { try ItemName($0) },
            language: language.map(LanguageTag.canonical),
            keepsPart: keepPart,
            track: choice.track,
            twin: again ? .keep : .reuse,
            largestStored: try await library.settings.largestStoredFile()
        )
        let importer = SoundImport(into: library)
        let taken = try await FilesInTurn(paths: files, isAnswered: json).take { path, heading in
            let outcome = try await add(path, options, by: importer, heading: heading)
            if !json { show(outcome, options) }
            return SoundImportResponse(outcome, file: path)
        }
        if json { try CommandOutput.json(Report(recordings: taken.results, failures: taken.failures)) }
        if let status = taken.status { throw ExitCode(status.rawValue) }
    }

    private func add(
        _ path: String,
        _ options: SoundImport.Options,
        by importer: SoundImport,
        heading: String
    ) async throws -> SoundImport.Outcome {
        let line = ImportLine(isShown: !json && isatty(STDERR_FILENO) == 1, heading: heading)
        do {
            let file = try StoredFile(at: path)
            var outcome = try await importer.add(file, called: path, options) { await line.update($0) }
            await line.clear()
            outcome.noteGrowth(of: file)
            return outcome
        } catch {
            await line.clear()
            throw error
        }
    }

    private func show(_ outcome: SoundImport.Outcome, _ options: SoundImport.Options) {
        let item = outcome.item
        if outcome.isReused {
            EchoTextCommand.say("in the library already, as \(item.mention); --again imports it once more")
            if let name = options.name, name != item.name { item.name.sayKept(of: item.id.rawValue, in: "recordings") }
            if let language = options.language, language != item.language {
                EchoTextCommand.say("note: it keeps its language, “\(item.language)”; --again imports it in the other")
            }
        } else {
            EchoTextCommand.say("kept as \(item.mention), \(CommandOutput.time(item.duration))")
        }
        if !outcome.discarded.isEmpty {
            EchoTextCommand.say("note: what an interrupted import had left of this file is in it, and no longer listed")
        }
        for notice in outcome.notices { EchoTextCommand.say("note: \(notice.message)") }
    }
}

extension SoundImport {
    /// Imports into a library on this machine, as the settings of this process say.
    init(into library: Library) {
        self.init(
            into: library.recordings,
            by: Studio.soundDecoder,
            freeSpace: { FreeSpace.bytes(at: Settings.ofThisProcess.libraryFolder) }
        )
    }
}

extension SoundImport.Outcome {
    /// Notes that a file is longer by now, as another program still writes it: the rest of it was not taken.
    mutating func noteGrowth(of file: StoredFile) {
        let notice = SoundImportNotice.incomplete(kept: item.duration)
        if file.hasGrown, !isReused, !notices.contains(notice) { notices.append(notice) }
    }
}

/// The option for the sound track of a file that has several.
struct TrackOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which of several sound tracks is taken, from 1; else the usual one, or one in which somebody speaks.",
            valueName: "number"
        )
    )
    var track: Int?

    func validate() throws {
        if let track, track < 1 { throw ValidationError("--track takes a number from 1 on.") }
    }
}

/// Shows the progress of an import on one line of the terminal.
private actor ImportLine {
    private static let shortestStep = Duration.milliseconds(100)

    private let isShown: Bool
    private let heading: String
    private var lastDrawn: ContinuousClock.Instant?

    init(isShown: Bool, heading: String) {
        (self.isShown, self.heading) = (isShown, heading)
    }

    func update(_ progress: SoundImport.Progress) {
        guard isShown else { return }
        let now = ContinuousClock.now
        if let last = lastDrawn, now - last < Self.shortestStep { return }
        lastDrawn = now
        let line = "\(Int(progress.share * 100)) %  \(CommandOutput.time(progress.seconds)) read  \(heading)"
        EchoTextCommand.show("\r\u{1B}[K\u{1B}[?7l\(line)\u{1B}[?7h")
    }

    func clear() {
        guard lastDrawn != nil else { return }
        EchoTextCommand.show("\r\u{1B}[K")
    }
}
