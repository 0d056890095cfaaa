import API
import ArgumentParser
import AudioFiles
import Books
import EchoText
import Foundation
import LibraryStore

/// `echotext library export`.
struct LibraryExport: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write recordings to files that other programs read.",
        discussion: """
            One recording, or several with --join, becomes one file; several become a file each in a folder. In an audiobook \
            (m4b, m4a) each of several recordings is a chapter, and of a single one each chapter of its document, or each \
            heading. A file that ends in .epub becomes a book that is read along; with --chapters one that ends in .zip has a \
            sound file for each chapter. Texts and captions of what a person said name the speakers and the marks of its \
            transcript. A format such as docx, md or csv writes what is said without the sound, and --transcript beside it. \
            With --as-it-came the very files are written that recordings were imported from. What is exported is no \
            longer protected. Of several files, those that cannot be written because a recording is damaged are named and left \
            out, and the command ends with exit code 76.

            Examples:
              echotext library export "A book" -o book.mp3
              echotext library export "A book" -o book.m4b --cover cover.jpg --captions vtt
              echotext library export "Part 1" "Part 2" --join --title "A book" --author "A. Writer" -o book.m4b
              echotext library export "A book" -o book.epub
              echotext library export "A book" --chapters --format mp3 -o book.zip
              echotext library export 3f2a 91bc -o folder --format flac --text
              echotext library export 3f2a 91bc -o folder --format docx --times
              echotext recordings export "Interview" --as-it-came -o interview.m4a
            """
    )

    @OptionGroup
    var references: References

    @Option(name: .shortAndLong, help: "The file, or the folder, to write to.", completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "How to store the sound, or what is said; as the file's name ends when absent, and wav in a folder.",
            valueName: "format"
        ),
        completion: .list(ExportKind.allValueStrings)
    )
    var format: ExportKind?

    @Option(
        help: ArgumentHelp(
            "Also write when each sentence is heard, beside the sound: srt, vtt or json.",
            valueName: "format"
        ),
        completion: .list(TimingFormat.allCases.map(\.rawValue))
    )
    var captions: TimingFormat?

    @Flag(help: "Also write the text, beside the sound.")
    var text = false

    @Option(
        help: ArgumentHelp(
            "Also write what is said, beside the sound: md, docx or csv; may be repeated.",
            valueName: "format"
        ),
        completion: .list(BesideFormat.allCases.map(\.rawValue))
    )
    var transcript: [BesideFormat] = []

    @Flag(help: "Add the time of each paragraph, in txt, md and docx.")
    var times = false

    @Flag(help: "A row for each word, in csv.")
    var words = false

    @Option(help: ArgumentHelp("A JPEG or PNG picture for an audiobook.", valueName: "file"), completion: .file())
    var cover: String?

    @Option(help: ArgumentHelp("The title in the file; the album's of several files.", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp(
            "The author in the file; the document's when absent, and else the voice's name.",
            valueName: "name"
        )
    )
    var author: String?

    @Flag(help: "Put several recordings into one file, one after another.")
    var join = false

    @Flag(help: "Write a ZIP file with a sound file for each chapter.")
    var chapters = false

    @Flag(help: "Write the file that a recording was imported from, byte for byte.")
    var asItCame = false

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        let hasDetails = title != nil || author != nil || cover != nil
        let hasBeside = captions != nil || text || !transcript.isEmpty
        let hasWriting = times || words
        if asItCame, join || chapters || hasDetails || hasBeside || hasWriting || format != nil {
            throw ValidationError("--as-it-came takes no other options, because nothing is changed.")
        }
        if isOfWords, join || chapters || hasDetails || hasBeside {
            throw ValidationError("What is said is written without other options than --times and --words.")
        }
        if join, !transcript.isEmpty { throw ValidationError("Transcripts are not joined.") }
        if hasWriting, !isOfWords, !text, transcript.isEmpty {
            throw ValidationError("--times and --words need what is said: --text, --transcript or such a format.")
        }
        let isBook = !asItCame && output.lowercased().hasSuffix(".epub")
        if chapters, !output.lowercased().hasSuffix(".zip") {
            throw ValidationError("With --chapters the name of the file ends in .zip.")
        }
        guard chapters || isBook else { return }
        if references.recordings.count > 1 {
            throw ValidationError("A \(isBook ? "book" : "ZIP file") takes one recording.")
        }
        if join || hasDetails || hasBeside || hasWriting || (isBook && format != nil) {
            throw ValidationError("A book or ZIP file takes no other options but --format for the sound in a ZIP file.")
        }
    }

    /// Whether what is said is written, without the sound.
    private var isOfWords: Bool {
        let isOneFile = (join || references.recordings.count == 1) && !output.hasSuffix("/")
        switch format ?? (isOneFile ? ExportKind(fileName: output) : nil) {
        case .words?: return true
        case .sound?, nil: return false
        }
    }

    func run(in library: Library) async throws {
        try await run(in: library, sounds: LocalSoundFiles(searchPath: Self.searchPath))
    }

    static var searchPath: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

    func run(in library: Library, sounds: any SoundFiles) async throws {
        let items = try await references.items(in: library)
        if asItCame { return try await exportFiles(of: items, from: library.audio).report() }
        if chapters || output.lowercased().hasSuffix(".epub") {
            var exported = ExportedFiles(ofSeveral: false, isAnswered: json)
            try await exported.add(output) { try await exportBook(of: items[0], in: library, sounds: sounds) }
            if !chapters { await Self.sayWhatIsMissing(of: items, in: library) }
            return try exported.report()
        }
        let cover = try cover.map(Self.cover(at:))
        let turn = try await folderTurn(for: join ? 1 : items.count)
        defer { withExtendedLifetime(turn) {} }
        let places = try places(of: items)
        for place in places { try check(place) }
        let export = RecordingExport(of: library.audio, by: sounds)
        let details = SpokenWordsExport.Details(showsTimes: times, isByWord: words)
        let spoken = SpokenWordsExport(of: library, by: sounds, with: details)
        var exported = ExportedFiles(ofSeveral: places.count > 1, isAnswered: json)
        for place in places {
            try await exported.add(place.path) {
                switch place.kind {
                case .words(let format): try await write(place.items, as: format, by: spoken, to: place.path)
                case .sound(let format):
                    var options = RecordingExport.Options(
                        format: format,
                        title: places.count == 1 ? title : nil,
                        album: places.count == 1 ? nil : title,
                        author: author,
                        cover: cover
                    )
                    if format.soundFormat == nil, place.items.count == 1 {
                        let book = try await RecordedBook(of: place.items[0], in: library)
                        options.complete(from: book)
                        say(book.notices.filter { $0 != .noCover || cover == nil }, of: place.path)
                    }
                    try await export.sound(of: place.items, options, to: place.path)
                }
            }
            for format in besideFormats {
                let path = place.beside(format.rawValue)
                try await exported.add(path) { try await write(place.items, as: format, by: spoken, to: path) }
            }
        }
        let hasWords = places.contains { if case .words = $0.kind { true } else { false } }
        if hasWords || !besideFormats.isEmpty { await Self.sayWhatIsMissing(of: items, in: library) }
        try exported.report()
    }

    /// Names the recordings whose texts and captions lack words: nobody has transcribed them, or something was not
    /// understood.
    private static func sayWhatIsMissing(of items: [AudioItem], in library: Library) async {
        for item in items where item.origin.kind != .narrated {
            guard item.isTranscribed else {
                EchoTextCommand.say(
                    "notice: \(item.mention) has no transcript, so none of its words are written; “echotext transcribe” makes one"
                )
                continue
            }
            // Where it cannot be read, its export has failed and said so.
            guard let current = try? await library.transcripts.versions(of: item.id).first(where: \.isCurrent),
                let transcript = try? await library.transcripts.transcript(current.id)
            else { continue }
            for notice in SoundImportResponse.Notice.notices(about: transcript) {
                EchoTextCommand.say("notice: \(item.mention): \(notice.message)")
            }
        }
    }

    /// The formats of the files next to the sound.
    private var besideFormats: [TranscriptFormat] {
        let names = [captions?.rawValue, text ? "txt" : nil].compactMap(\.self)
        let transcripts = BesideFormat.allCases.filter { transcript.contains($0) }.map(\.rawValue)
        return (names + transcripts).compactMap { TranscriptFormat(rawValue: $0) }
    }

    /// Writes what is said in recordings; times alone as JSON.
    private func write(
        _ items: [AudioItem],
        as format: TranscriptFormat,
        by spoken: SpokenWordsExport,
        to path: String
    ) async throws {
        let file = try await ByteFile(path: path)
        if format == .txt { return try await spoken.text(of: items, to: file) }
        if let captions = TimingFormat(rawValue: format.rawValue) {
            return try await spoken.captions(of: items, captions, to: file)
        }
        try await spoken.transcript(of: items[0], as: format, to: file, at: Date())
    }

    /// Refuses to replace the sound by its own text, and a file that nobody has named, such as notes that are called like
    /// the sound; one that stands beside the sound already may be of an earlier export.
    private func check(_ place: Place) throws {
        let endings = besideFormats.map(\.rawValue)
        // Some disks tell no capitals from small letters.
        guard !endings.contains(where: { place.beside($0).lowercased() == place.path.lowercased() }) else {
            throw CommandError.contradiction(
                "The sound and what stands beside it would go to the same file.",
                hint: "Give -o a name that ends as sound does, such as .wav."
            )
        }
        guard !FileManager.default.fileExists(atPath: place.path) else { return }
        for ending in endings where FileManager.default.fileExists(atPath: place.beside(ending)) {
            let error = CommandError.contradiction(
                "This file is there already, and would be replaced.",
                hint: "Give -o another name, or move that file away."
            )
            throw FileFailure.naming(place.beside(ending), error)
        }
    }

    private func exportBook(of item: AudioItem, in library: Library, sounds: any SoundFiles) async throws {
        let book = try await RecordedBook(of: item, in: library)
        let export = BookExport(of: library, by: sounds)
        let file = try await ByteFile(path: output)
        // A ZIP file of chapters has no cover.
        say(book.notices.filter { $0 != .noCover || !chapters }, of: output)
        if chapters {
            try await export.chapters(of: book, as: chapterFormat, to: file, at: Date())
        } else {
            try await export.epub(of: book, to: file, at: Date())
        }
    }

    /// How the sound of chapters is stored in a ZIP file.
    private var chapterFormat: ExportFormat {
        guard case .sound(let sound)? = format else { return .mp3 }
        return sound
    }

    private func say(_ notices: [RecordedBookNotice], of path: String) {
        for notice in notices { EchoTextCommand.say("notice: “\(path)”: \(notice.message)") }
    }

    /// Writes the files that recordings were imported from.
    ///
    /// - Throws: ``LibraryError/fileNotKept`` before anything is written; of several, with the recording that it is about.
    private func exportFiles(of items: [AudioItem], from library: any AudioLibrary) async throws -> ExportedFiles {
        var files: [Result<any StoredBytes, VaultError>] = []
        for item in items {
            do {
                files.append(.success(try await library.file(of: item.id)))
            } catch let error as VaultError {
                files.append(.failure(error))
            } catch let error as LibraryError where items.count > 1 {
                // The error does not say which of them it is about.
                throw try await failure(of: item, error, in: library)
            }
        }
        let turn = try await folderTurn(for: items.count)
        defer { withExtendedLifetime(turn) {} }
        var paths = [output]
        if var names = try folderNames(for: items.count) {
            paths = items.map { item in
                let name = item.fileName as NSString
                let unused = names.name(for: name.deletingPathExtension, fileExtension: name.pathExtension)
                return "\(output)/\(unused)"
            }
        }
        var exported = ExportedFiles(ofSeveral: items.count > 1, isAnswered: json)
        for (path, file) in zip(paths, files) {
            try await exported.add(path) {
                let file = try file.get()
                try await ByteFile(path: path).take(file)
            }
        }
        return exported
    }

    /// The error about one of several recordings, with the first name that the person gave it.
    private func failure(
        of item: AudioItem,
        _ error: LibraryError,
        in library: any AudioLibrary
    ) async throws -> ReferenceFailure {
        var failure = ReferenceFailure(reference: item.id.rawValue, number: 1, cause: error)
        for (index, reference) in references.recordings.enumerated() {
            guard try await library.item(called: reference).id == item.id else { continue }
            failure = ReferenceFailure(reference: reference, number: index + 1, cause: error)
            break
        }
        failure.mention = item.mention
        return failure
    }

    /// A file to write, and those that accompany it.
    private struct Place {
        let items: [AudioItem]
        let kind: ExportKind
        let path: String

        func beside(_ ending: String) -> String { (path as NSString).deletingPathExtension + ".\(ending)" }
    }

    /// Returns the destination of each recording, and creates the folder if it does not exist.
    private func places(of items: [AudioItem]) throws -> [Place] {
        let groups = join ? [items] : items.map { [$0] }
        guard var names = try folderNames(for: groups.count) else {
            guard let kind = format ?? ExportKind(fileName: output) else {
                throw AudioFileError.unknownFormat(
                    ending: (output as NSString).pathExtension,
                    formats: ExportKind.allValueStrings
                )
            }
            return [Place(items: items, kind: kind, path: output)]
        }
        let kind = format ?? .sound(.wav)
        return groups.map { group in
            let stem = names.name(for: (groups.count == 1 ? title : nil) ?? group[0].name.text)
            return Place(items: group, kind: kind, path: "\(output)/\(stem).\(kind.fileExtension)")
        }
    }

    /// Waits for the turn to write into the folder; `nil` when the output is one file.
    private func folderTurn(for count: Int) async throws -> FolderTurn? {
        guard try isFolder(for: count) else { return nil }
        return try await FolderTurn(in: output)
    }

    /// Returns the names in the folder to write to; `nil` when the output is one file.
    private func folderNames(for count: Int) throws -> FileNames? {
        guard try isFolder(for: count) else { return nil }
        return FileNames(present: try FileManager.default.contentsOfDirectory(atPath: output))
    }

    /// Whether the output is a folder, which is created if it does not exist, and not one file.
    private func isFolder(for count: Int) throws -> Bool {
        guard output != "-" else {
            throw CommandError.contradiction("Recordings are exported to files.", hint: "Give -o a name.")
        }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        guard isFolder.boolValue || count > 1 || output.hasSuffix("/") else { return false }
        guard !exists || isFolder.boolValue else {
            throw CommandError.contradiction(
                "Several recordings do not go into one file.",
                hint: "Give -o a folder, or add --join."
            )
        }
        // Another export may have made it just now.
        if !exists, mkdir(output, 0o700) != 0, errno != EEXIST { throw ExportError.folderNotUsable }
        return true
    }

    /// - Throws: ``ExportError``.
    private static func cover(at path: String) throws -> CoverImage {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: CoverImage.largest + 1)
        else { throw ExportError.coverMissing }
        return try CoverImage(data)
    }
}

/// The files of an export; of several, those whose recordings or documents are damaged are named and skipped.
struct ExportedFiles {
    private let isOfSeveral: Bool
    /// Whether the answer names the files and their failures, so that standard error does not.
    private let isAnswered: Bool
    private(set) var written: [String] = []
    private(set) var failures: [FailureResponse] = []
    /// The exit status of the failure that ended the export, else of the first one; `nil` without one.
    private var status: ExitStatus?

    init(ofSeveral isOfSeveral: Bool, isAnswered: Bool) {
        (self.isOfSeveral, self.isAnswered) = (isOfSeveral, isAnswered)
    }

    /// Writes a file by `work`.
    ///
    /// - Throws: What `work` throws, except that one of several recordings or documents is damaged or was deleted meanwhile;
    ///   where the export of several ends so, with the file that it is about, or its exit code once the answer says what
    ///   was written.
    mutating func add(_ path: String, _ work: () async throws -> Void) async throws {
        do {
            try await work()
            written.append(path)
        } catch let error as VaultError where isOfSeveral && error.isOfOnePart {
            skip(path, error)
        } catch LibraryError.itemNotFound where isOfSeveral {
            skip(path, LibraryError.itemNotFound)
        } catch LibraryError.documentNotFound where isOfSeveral {
            skip(path, LibraryError.documentNotFound)
        } catch let error as any UserFacingError where isOfSeveral {
            try stop(at: path, error)
        }
    }

    /// Says what was written.
    ///
    /// - Throws: The exit code of the first failure, if there is any.
    func report() throws {
        if isAnswered {
            try CommandOutput.json(FilesOutput(files: written, failures: failures.isEmpty ? nil : failures))
        } else {
            EchoTextCommand.say("\(written.count) file\(written.count == 1 ? "" : "s") written")
        }
        if let status { throw ExitCode(status.rawValue) }
    }

    /// Says what was written before all of the export fails, such as where the disk is full.
    ///
    /// - Throws: `error`, with the file that it is about; its exit code where the answer says it.
    private mutating func stop(at path: String, _ error: any UserFacingError) throws {
        guard isAnswered else {
            for path in written { EchoTextCommand.say("“\(path)” is written") }
            throw FileFailure.naming(path, error)
        }
        failures.append(FailureResponse(error.failure.inTerminal, file: path))
        status = ExitStatus(of: error.failure.kind)
        try report()
    }

    private mutating func skip(_ path: String, _ error: any UserFacingError) {
        if !isAnswered { EchoTextCommand.report(FileFailure(path: path, cause: error)) }
        failures.append(FailureResponse(error.failure.inTerminal, file: path))
        status = status ?? ExitStatus(of: error.failure.kind)
    }
}

/// The content of an exported file, and its format.
enum ExportKind: Sendable, Hashable, ExpressibleByArgument {
    case sound(ExportFormat)
    /// The words alone, without the sound.
    case words(TranscriptFormat)

    init?(argument: String) {
        if let format = ExportFormat(rawValue: argument) {
            self = .sound(format)
        } else if let format = TranscriptFormat(rawValue: argument) {
            self = .words(format)
        } else {
            return nil
        }
    }

    /// The kind that the ending of `fileName` names.
    init?(fileName: String) {
        if let format = ExportFormat(fileName: fileName) {
            self = .sound(format)
        } else if let format = TranscriptFormat(fileName: fileName) {
            self = .words(format)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] {
        ExportFormat.allCases.map(\.rawValue) + TranscriptFormat.allCases.map(\.rawValue)
    }

    var fileExtension: String {
        switch self {
        case .sound(let format): format.fileExtension
        case .words(let format): format.rawValue
        }
    }
}

/// The formats of what is said that stand beside the sound, besides its text and captions.
enum BesideFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    case md
    case docx
    case csv
}

extension ExportFormat: ExpressibleByArgument {}
extension TimingFormat: ExpressibleByArgument {}

/// `echotext export-all`.
struct ExportAll: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export-all",
        abstract: "Write everything that is kept into a folder, in open formats.",
        discussion: """
            Each recording's sound, text, captions and times, and the file that it was imported from, as it came; each document's \
            file as it was given, and what of it was chosen to be spoken; the sound so far of unfinished recordings and narrations; \
            the sound of takes of practice; the history, what is being written, voice profiles, queue, settings, the pronunciation \
            dictionary among them, unfinished narrations and transcriptions, speeches and practice sessions as JSON; index.json \
            and index.html list it all. Voices, recognizers, transcription services and their keys are not in it. \
            No command makes the folder a library again: “echotext vault backup” is for that. Of it, “echotext import” takes \
            documents, and “echotext recordings import” sound, without its transcripts and times. \
            The folder must be new or empty, and has UNFINISHED.txt in it until everything is there. \
            What is exported is no longer protected: anybody who has the folder can read and hear it. So the passcode is \
            asked for again where there is one. Ends with exit code 76 when something is missing because it is damaged.

            Example:
              echotext export-all /media/stick/echotext --format flac
            """
    )

    @Argument(help: "A folder that is new or empty.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp("How to store the sound.", valueName: "format"),
        completion: .list(ExportFormat.allCases.map(\.rawValue))
    )
    var format = ExportFormat.wav

    @OptionGroup
    var passcode: PasscodeOption

    @OptionGroup
    var answer: JSONOption

    func prepare(_ vault: LibraryVault) async throws {
        guard try await vault.status().state.isOpen else { return }
        try await vault.reauthenticate(try await SecretInput.currentPasscode(of: vault, from: passcode.passcodeFd))
    }

    func run(in library: Library) async throws {
        let sounds = LocalSoundFiles(searchPath: LibraryExport.searchPath)
        let archive = LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
        let isShown = !json && isatty(STDERR_FILENO) == 1
        let contents = try await archive.write(into: folder, as: format, at: Date()) { done, total in
            guard isShown else { return }
            EchoTextCommand.show("\r\u{1B}[K\(done) of \(total) recordings")
        }
        if isShown { EchoTextCommand.show("\r\u{1B}[K") }
        if json { try CommandOutput.json(contents) }
        var all = LibraryCounts(recordings: contents.recordings.count, documents: contents.documents.count)
        try await all.countOthers(of: library)
        EchoTextCommand.say("\(all.words) exported; these files are not protected any more")
        let begun = [(contents.unfinished.count, "recording"), (contents.narrations.count, "narration")]
        for (count, kind) in begun where count > 0 {
            EchoTextCommand.say("with the sound so far of \(count) unfinished \(kind)\(count == 1 ? "" : "s")")
        }
        if contents.unreadable > 0 { EchoTextCommand.say(LibraryList.leftOut(contents.unreadable)) }
        if contents.unreadableTexts > 0 {
            let count = contents.unreadableTexts
            EchoTextCommand.say(
                "\(count) \(count == 1 ? "text" : "texts") of the history cannot be read and \(count == 1 ? "is" : "are") left out"
            )
        }
        if !contents.unreadableFiles.isEmpty {
            EchoTextCommand.say("cannot be read and is left out: \(contents.unreadableFiles.joined(separator: ", "))")
        }
        let recordings =
            contents.recordings.count { $0.failure != nil } + contents.unfinished.count { $0.failure != nil }
            + contents.narrations.count { $0.failure != nil }
        let documents = contents.documents.count { $0.failure != nil }
        if recordings + documents > 0 {
            let damaged = LibraryCounts(recordings: recordings, documents: documents)
            EchoTextCommand.say(
                "Not whole, because damaged or missing: \(damaged.words); index.json says which, and “echotext vault check” more"
            )
        }
        guard contents.missing == 0 else { throw ExitCode(ExitStatus.damaged.rawValue) }
    }
}
