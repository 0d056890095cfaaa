package import EchoText
package import Foundation

/// Exports the whole library into a folder, in formats that do not require EchoText.
///
/// An unreadable recording or document does not stop the others; any other failure before everything is written leaves
/// the folder empty. Until then, the folder says that it is unfinished, also after the process was killed.
package struct LibraryArchive: Sendable {
    /// The written files.
    package struct Contents: Sendable, Hashable, Encodable {
        package struct Recording: Sendable, Hashable, Encodable {
            package let item: AudioItem
            /// Paths relative to the folder; `nil` for files that could not be read.
            package var sound: String?
            package var text: String?
            package var captions: String?
            package var timings: String?
            /// All versions of its transcript and the marks; `nil` where there are none.
            package var transcripts: String?
            /// The file that it was imported from, as it came; `nil` where that is not kept or could not be read.
            package var file: String?
            /// The error's code, if it is damaged.
            package var failure: String?
        }

        package struct ArchivedDocument: Sendable, Hashable, Encodable {
            package let document: Document
            /// The part that was chosen last to be spoken; `nil` where none was.
            package var selection: DocumentSelection?
            /// The path of the original file, relative to the folder; `nil` if it could not be read.
            package var file: String?
            /// The error's code, if it is damaged.
            package var failure: String?
        }

        package struct Mark: Sendable, Hashable, Encodable {
            package let seconds: Double
            package let label: String?

            init(_ mark: RecordingMark, sampleRate: Int) {
                (seconds, label) = (mark.seconds(at: sampleRate), mark.label)
            }
        }

        /// A recording or narration that was not finished, with its sound so far; a narration's text is in another file.
        package struct Unfinished: Sendable, Hashable, Encodable {
            package let id: AudioItem.ID
            package let name: ItemName
            package let created: Date
            /// In seconds.
            package let duration: Double
            /// `nil` for a narration.
            package let marks: [Mark]?
            /// The path of its sound, relative to the folder; `nil` if it could not be read.
            package var sound: String?
            /// The error's code, if it is damaged.
            package var failure: String?

            init(_ session: RecordingSession) {
                (id, name, created) = (session.id, session.order.name, session.created)
                duration = session.duration
                marks = session.marks.map { Mark($0, sampleRate: session.order.sampleRate) }
            }

            init(_ job: NarrationJob) {
                (id, name, created) = (job.id, job.order.name, job.created)
                duration = Double(job.samples) / Double(job.order.voice.sampleRate)
                marks = nil
            }
        }

        /// 2 since the fields of a narration are separate.
        package var version = 2
        package let written: Date
        package var recordings: [Recording] = []
        package var unfinished: [Unfinished] = []
        package var narrations: [Unfinished] = []
        /// How many more recordings exist that cannot be read.
        package var unreadable = 0
        /// The same of the texts of the history.
        package var unreadableTexts = 0
        package var documents: [ArchivedDocument] = []
        /// The other files, by content.
        package var files: [String: String] = [:]
        /// The contents of which there is no file, or not each, because they cannot be read.
        package var unreadableFiles: [String] = []

        /// How many things are not there, or not whole, because they cannot be read.
        package var missing: Int {
            let sounds = recordings.count { $0.failure != nil } + unfinished.count { $0.failure != nil }
            let others = narrations.count { $0.failure != nil } + documents.count { $0.failure != nil }
            return sounds + others + unreadable + unreadableTexts + unreadableFiles.count
        }
    }

    private static let recordingsFolder = "recordings"
    private static let unfinishedFolder = "unfinished"
    private static let narrationsFolder = "narrations"
    private static let importedFolder = "imported"
    private static let documentsFolder = "documents"
    private static let transcriptsFolder = "transcripts"
    private static let takesFolder = "takes"

    private let library: Library
    private let files: any ExportFolder
    private let export: RecordingExport

    /// - Parameters:
    ///   - library: The library to export.
    ///   - files: The folder to write to.
    ///   - sounds: Resamples sound where needed.
    package init(of library: Library, to files: any ExportFolder, by sounds: any SoundFiles) {
        self.library = library
        self.files = files
        export = RecordingExport(of: library.audio, by: sounds)
    }

    /// Writes all files.
    ///
    /// - Parameters:
    ///   - folder: A path; it is created, or exists and is empty.
    ///   - format: The format of the sound.
    ///   - time: The current time.
    ///   - progress: Called with the number of recordings done and their total.
    /// - Returns: The content of the folder.
    /// - Throws: ``ExportError``, ``AudioFileError``, ``VaultError``, `CancellationError`.
    package func write(
        into folder: String,
        as format: ExportFormat,
        at time: Date,
        progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> Contents {
        try await files.folder(at: folder)
        let contents: Contents
        do {
            try await files.begin(folder)
            contents = try await fill(folder, format, time, progress)
        } catch {
            await files.empty(folder)
            throw error
        }
        // Everything is there, so that it stays also when this fails.
        try await files.complete(folder)
        return contents
    }

    private func fill(
        _ folder: String,
        _ format: ExportFormat,
        _ time: Date,
        _ progress: @Sendable (Int, Int) -> Void
    ) async throws -> Contents {
        var contents = Contents(written: time)
        let texts = try await library.history.texts()
        contents.unreadableTexts = texts.unreadable.count
        (contents.files, contents.unreadableFiles) = try await writeTables(into: folder, texts.entries)
        // Before the recordings, so that one that is finished meanwhile is among those.
        contents.unfinished = try await list("unfinished recordings", &contents.unreadableFiles) {
            try await writeUnfinished(into: folder)
        }
        contents.narrations = try await list("unfinished narrations", &contents.unreadableFiles) {
            try await writeNarrations(into: folder)
        }
        try await files.folder(at: "\(folder)/\(Self.recordingsFolder)")
        var names = FileNames()
        var fileNames = FileNames()
        var query = AudioQuery()
        query.isAscending = true
        // A deletion meanwhile moves others to positions that were read already: the list is read until nothing is new.
        var (written, before) = (Set<AudioItem.ID>(), -1)
        while written.count > before {
            (before, query.offset) = (written.count, 0)
            var page: AudioPage
            repeat {
                page = try await library.audio.items(matching: query)
                if query.offset == 0 { contents.unreadable = page.unreadable }
                for item in page.items where written.insert(item.id).inserted {
                    do {
                        try await add(item, format, to: &contents, in: folder, &names, &fileNames)
                    } catch LibraryError.itemNotFound {
                        continue  // It was deleted meanwhile, so nothing is missing.
                    }
                    progress(contents.recordings.count, page.total)
                }
                query.offset += page.items.count
            } while !page.items.isEmpty
        }
        do {
            try await writeDocuments(into: folder, to: &contents)
        } catch let error as VaultError where error.isOfOnePart {
            contents.unreadableFiles.append("documents")  // Those before are written, and named.
        }
        try await write(contents, to: "\(folder)/index.json")
        try await write(ArchivePage(contents).html, to: "\(folder)/index.html")
        return contents
    }

    /// Returns what `write` returns; where its list cannot be read, only its name is noted, so that all else is written.
    private func list<Element>(
        _ name: String,
        _ unreadable: inout [String],
        _ write: () async throws -> [Element]
    ) async throws -> [Element] {
        do {
            return try await write()
        } catch let error as VaultError where error.isOfOnePart {
            unreadable.append(name)
            return []
        }
    }

    /// Writes one recording with its transcripts and its file.
    ///
    /// - Throws: ``LibraryError/itemNotFound`` when it was deleted meanwhile.
    private func add(
        _ item: AudioItem,
        _ format: ExportFormat,
        to contents: inout Contents,
        in folder: String,
        _ names: inout FileNames,
        _ fileNames: inout FileNames
    ) async throws {
        let name = names.name(for: item.name.text)
        let stem = "\(Self.recordingsFolder)/\(name)"
        var recording = try await write(item, format, into: folder, stem: stem)
        if let kept = try await ArchivedTranscripts(of: item, in: library, noting: &recording.failure) {
            let isFirst = !contents.recordings.contains { $0.transcripts != nil }
            if isFirst { try await files.folder(at: "\(folder)/\(Self.transcriptsFolder)") }
            let path = "\(Self.transcriptsFolder)/\(name).json"
            try await write(kept, to: "\(folder)/\(path)")
            recording.transcripts = path
        }
        if item.hasFile {
            let isFirst = !contents.recordings.contains { $0.item.hasFile }
            if isFirst { try await files.folder(at: "\(folder)/\(Self.importedFolder)") }
            try await writeFile(of: &recording, into: folder, &fileNames)
        }
        contents.recordings.append(recording)
    }

    /// Writes one recording; if it is damaged, only the error is recorded.
    private func write(_ item: AudioItem, _ format: ExportFormat, into folder: String, stem: String) async throws
        -> Contents.Recording
    {
        var recording = Contents.Recording(item: item)
        func attempt(_ ending: String, _ write: (String) async throws -> Void) async throws -> String? {
            do {
                try await write("\(folder)/\(stem).\(ending)")
                return "\(stem).\(ending)"
            } catch let error as VaultError where error.isOfOnePart {
                recording.failure = error.code
                return nil
            }
        }
        recording.text = try await attempt("txt") { path in
            let text = try await library.audio.text(of: item.id)
            let file = try await files.file(at: path)
            try await file.completed { try await file.append(text) }
        }
        recording.sound = try await attempt(format.fileExtension) { path in
            try await export.sound(of: [item], RecordingExport.Options(format: format)) {
                try await files.sound($0, at: path)
            }
        }
        recording.captions = try await attempt("vtt") {
            try await export.captions(of: [item], .vtt, to: files.file(at: $0))
        }
        recording.timings = try await attempt("json") {
            try await export.captions(of: [item], .json, to: files.file(at: $0))
        }
        return recording
    }

    /// Writes the sound of recordings that were not finished.
    private func writeUnfinished(into folder: String) async throws -> [Contents.Unfinished] {
        let sessions = try await library.recordings.sessions()
        let audible = sessions.filter { $0.samples > 0 }.map { session in
            (Contents.Unfinished(session), UnfinishedSound(of: session, in: library.recordings))
        }
        let unreadable = sessions.filter(\.isUnreadable).map { Contents.Unfinished($0) }
        return try await writeSounds(of: audible, unreadable: unreadable, to: Self.unfinishedFolder, in: folder)
    }

    /// Writes the sound of narrations that were not finished.
    private func writeNarrations(into folder: String) async throws -> [Contents.Unfinished] {
        let jobs = try await library.jobs.jobs()
        let audible = jobs.filter { $0.samples > 0 }.map { job in
            (Contents.Unfinished(job), UnfinishedSound(of: job, in: library.jobs))
        }
        let unreadable = jobs.filter(\.isUnreadable).map { Contents.Unfinished($0) }
        return try await writeSounds(of: audible, unreadable: unreadable, to: Self.narrationsFolder, in: folder)
    }

    /// Writes the sound of what was not finished; if one is damaged, only the error is recorded.
    private func writeSounds(
        of audible: [(Contents.Unfinished, UnfinishedSound)],
        unreadable: [Contents.Unfinished],
        to subfolder: String,
        in folder: String
    ) async throws -> [Contents.Unfinished] {
        var written: [Contents.Unfinished] = []
        var names = FileNames()
        for (unfinished, sound) in audible {
            if written.isEmpty { try await files.folder(at: "\(folder)/\(subfolder)") }
            var kept = unfinished
            do {
                let path = "\(subfolder)/\(names.name(for: kept.name.text, fileExtension: "wav"))"
                try await files.write(sound, to: "\(folder)/\(path)")
                kept.sound = path
            } catch let error as VaultError where error.isOfOnePart {
                kept.failure = error.code
            } catch let error as RecordingError where error.isOfAbsence {
                continue  // It was finished or discarded meanwhile.
            } catch LibraryError.jobNotFound {
                continue  // It was finished or discarded meanwhile.
            }
            written.append(kept)
        }
        for unfinished in unreadable {
            var kept = unfinished
            kept.failure = VaultError.databaseDamaged.code
            written.append(kept)
        }
        return written
    }

    /// Writes the file that a recording was imported from; if it is damaged, only the error is recorded.
    private func writeFile(
        of recording: inout Contents.Recording,
        into folder: String,
        _ names: inout FileNames
    ) async throws {
        let name = recording.item.fileName as NSString
        let unused = names.name(for: name.deletingPathExtension, fileExtension: name.pathExtension)
        let path = "\(Self.importedFolder)/\(unused)"
        do {
            try await files.write(try await library.audio.file(of: recording.item.id), to: "\(folder)/\(path)")
            recording.file = path
        } catch LibraryError.fileNotKept {
            // It was deleted meanwhile, so nothing is missing.
        } catch let error as VaultError where error.isOfOnePart {
            recording.failure = error.code
        }
    }

    /// Writes the documents' original files, and takes their selections; if one is damaged, only the error is recorded.
    private func writeDocuments(into folder: String, to contents: inout Contents) async throws {
        var names = FileNames()
        var query = DocumentQuery()
        query.isAscending = true
        var isBegun = false
        // As with the recordings.
        var (seen, before, unreadable) = (Set<Document.ID>(), -1, 0)
        while seen.count > before {
            (before, query.offset) = (seen.count, 0)
            var list: DocumentList
            repeat {
                list = try await library.documents.documents(matching: query)
                unreadable = list.unreadable
                for document in list.documents where seen.insert(document.id).inserted {
                    if !isBegun { try await files.folder(at: "\(folder)/\(Self.documentsFolder)") }
                    isBegun = true
                    let stem = (document.fileName as NSString).deletingPathExtension
                    let name = names.name(for: stem, fileExtension: document.kind.fileExtension)
                    var kept = Contents.ArchivedDocument(document: document)
                    do {
                        let path = "\(Self.documentsFolder)/\(name)"
                        let original = try await library.documents.original(of: document.id)
                        try await files.write(original, to: "\(folder)/\(path)")
                        kept.file = path
                        kept.selection = try await library.documents.selection(of: document.id)
                    } catch let error as VaultError where error.isOfOnePart {
                        kept.failure = error.code
                    } catch LibraryError.documentNotFound {
                        continue  // It was deleted meanwhile, so nothing is missing.
                    }
                    contents.documents.append(kept)
                }
                query.offset += list.documents.count
            } while !list.documents.isEmpty
        }
        guard unreadable > 0 else { return }
        contents.unreadableFiles.append(unreadable == 1 ? "one document" : "\(unreadable) documents")
    }

    /// Writes everything that is neither a recording nor a document.
    ///
    /// - Returns: The names of the files, by their content, and the contents that cannot be read.
    private func writeTables(
        into folder: String,
        _ texts: [HistoryEntry]
    ) async throws -> (files: [String: String], unreadable: [String]) {
        struct Profiles: Encodable {
            let profiles: [VoiceProfile]
            let chosen: VoiceProfile.ID
        }
        struct Playback: Encodable {
            let queue: PlaybackQueue
            let bookmark: Bookmark?
        }
        var (written, unreadable): ([String: String], [String]) = ([:], [])
        // A table of which a part is noted already may fail in whole after that.
        func note(_ name: String) {
            if !unreadable.contains(name) { unreadable.append(name) }
        }
        func add(_ name: String, _ table: () async throws -> any Encodable) async throws {
            do {
                try await write(try await table(), to: "\(folder)/\(name).json")
                written[name] = "\(name).json"
            } catch let error as VaultError where error.isOfOnePart {
                note(name)
            } catch LibraryError.queueUnreadable {
                note(name)
            }
        }
        try await add("history") { texts }
        try await add("profiles") {
            if try await library.profiles.unreadable() > 0 { note("profiles") }
            return Profiles(
                profiles: try await library.profiles.profiles(),
                chosen: try await library.profiles.chosen().profile.id
            )
        }
        try await add("queue") {
            Playback(queue: try await library.playback.queue(), bookmark: try await library.playback.bookmark())
        }
        try await add("drafts") { try await library.draft.drafts() }
        try await add("settings") { try await library.settings.stored() }
        try await add("unfinished") {
            let (narrations, isWhole) = try await ArchivedNarration.all(of: library)
            if !isWhole { note("unfinished") }
            return narrations
        }
        try await add("transcriptions") {
            let (transcriptions, isWhole) = try await ArchivedTranscription.all(of: library)
            if !isWhole { note("transcriptions") }
            return transcriptions
        }
        try await add("batch") { try await library.batch.entries() }
        try await add("connections") { try await library.outbound.records(limit: .max) }
        try await add("speeches") {
            if try await library.speeches.unreadable() > 0 { note("speeches") }
            return try await library.speeches.speeches()
        }
        try await add("practice") {
            let practice = try await writePractice(into: folder)
            if !practice.isWhole { note("practice") }
            return practice
        }
        return (written, unreadable)
    }

    /// Writes the sound of takes.
    ///
    /// - Returns: The sessions that they belong to, and the hard segments.
    private func writePractice(into folder: String) async throws -> ArchivedPractices {
        var isThere = false
        return try await ArchivedPractices(of: library) { id, sound in
            if !isThere { try await files.folder(at: "\(folder)/\(Self.takesFolder)") }
            isThere = true
            let path = "\(Self.takesFolder)/\(id).wav"
            try await files.file(at: "\(folder)/\(path)").take(sound)
            return path
        }
    }

    private func write(_ value: any Encodable, to path: String) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        try await write(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n", to: path)
    }

    private func write(_ text: String, to path: String) async throws {
        let file = try await files.file(at: path)
        try await file.completed { try await file.append(text) }
    }
}

/// An unfinished narration with its text and the times of what was spoken, for an archive.
struct ArchivedNarration: Encodable {
    private struct Sentence: Encodable {
        let text: String
        /// In seconds of the sound so far.
        let start: Double
        let end: Double
    }

    private let job: NarrationJob
    private let text: String
    private let sentences: [Sentence]

    private enum CodingKeys: CodingKey {
        case text, sentences
    }

    /// - Parameters:
    ///   - job: The narration.
    ///   - jobs: The store of narrations.
    ///   - isWhole: Set to `false` where times are damaged.
    /// - Throws: ``VaultError``, ``LibraryError``.
    private init(_ job: NarrationJob, in jobs: any NarrationJobs, isWhole: inout Bool) async throws {
        self.job = job
        text = try await jobs.text(ofJob: job.id)
        let timings = try await jobs.timings(ofJob: job.id)
        if timings.damaged > 0 { isWhole = false }
        let rate = Double(job.order.voice.sampleRate)
        sentences = timings.sentences.map { sentence in
            Sentence(
                text: sentence.text,
                start: Double(sentence.samples.lowerBound) / rate,
                end: Double(sentence.samples.upperBound) / rate
            )
        }
    }

    func encode(to encoder: any Encoder) throws {
        try job.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
        try container.encode(sentences, forKey: .sentences)
    }

    /// Those of a library, oldest first; without those that are listed as damaged.
    ///
    /// - Returns: Those that can be read, and whether nothing of others is missing.
    static func all(of library: Library) async throws -> (narrations: [ArchivedNarration], isWhole: Bool) {
        var (narrations, isWhole): ([ArchivedNarration], Bool) = ([], true)
        for job in try await library.jobs.jobs() {
            var isReadable = true
            do {
                narrations.append(try await ArchivedNarration(job, in: library.jobs, isWhole: &isReadable))
            } catch LibraryError.jobNotFound {
                continue  // It was finished or discarded meanwhile.
            } catch let error as VaultError where error.isOfOnePart {
                isReadable = false
            }
            if !isReadable, !job.isUnreadable { isWhole = false }
        }
        return (narrations, isWhole)
    }
}
