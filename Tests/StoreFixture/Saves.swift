import EchoText
import EchoTextTesting
import Foundation
import LibraryStore

/// Saves something of each kind in a library, first on a full disk and then with room.
///
/// Nothing that frees space is among them: for that, a library has a reserve.
struct Saves {
    private struct Save {
        let name: String
        let run: () async throws -> Void
        /// The part of it that is stored.
        let shown: () async throws -> String
    }

    private let database: LibraryDatabase
    private let contents: ContentStore
    private var all: [Save] = []

    init(in database: LibraryDatabase, _ contents: ContentStore) async throws {
        (self.database, self.contents) = (database, contents)
        addSmall()
        try await addNarrations()
        try await addRecordings()
        try await addTranscripts()
        try await addDocuments()
        try await addPractice()
    }

    /// Says a line for each save on the full disk, and one for each with room: whether the disk was full, its name, “kept” or an
    /// error's code, and whether what is stored is the “same” as before or “changed”.
    func run(_ say: (String) -> Void) async throws {
        let filler = "\(database.folder.path)/filler"
        try fill(filler)
        for save in all { say("full \(try await outcome(of: save))") }
        try FileManager.default.removeItem(atPath: filler)
        for save in all { say("room \(try await outcome(of: save))") }
        if try await database.check().isEmpty { say("sound") }
    }

    private func outcome(of save: Save) async throws -> String {
        let before = try await save.shown()
        var outcome = "kept"
        do {
            try await save.run()
        } catch {
            outcome = (error as? any UserFacingError)?.code ?? "\(error)"
        }
        return "\(save.name) \(outcome) \(try await save.shown() == before ? "same" : "changed")"
    }

    /// Takes all space that the disk has left.
    private func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError(.EIO) }
        defer { close(file) }
        let page = [UInt8](repeating: 0, count: 4_096)
        while write(file, page, page.count) > 0 {}
    }

    private mutating func add(
        _ name: String,
        _ run: @escaping () async throws -> Void,
        shown: @escaping () async throws -> String
    ) {
        all.append(Save(name: name, run: run, shown: shown))
    }

    // MARK: - Kinds

    private mutating func addSmall() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let draft = StoredDraft(database: database)
        add(
            "draft",
            { try await draft.save(Draft(page: "a", text: "Some words.")) },
            shown: { "\(try await draft.drafts())" }
        )
        let history = StoredHistory(database: database)
        add(
            "text",
            { try await history.add("Some words.", at: now) },
            shown: { "\(try await history.texts().entries.count)" }
        )
        let settings = StoredSettings(database: database)
        add(
            "setting",
            { try await settings.store("2", for: "playback.speed") },
            shown: { "\(try await settings.stored().sorted { $0.key < $1.key })" }
        )
        let profiles = StoredProfiles(database: database)
        let profile = VoiceProfile(name: "Slow", voice: SampleRecording.voice.id, speed: 0.75)
        add("profile", { try await profiles.save(profile) }, shown: { "\(try await profiles.profiles())" })
        let voices = StoredVoices(database: database)
        add(
            "voice",
            { _ = try await voices.update(SampleRecording.voice.id) { $0.isFavorite = true } },
            shown: { "\(try await voices.records().count)" }
        )
        let services = StoredServices(database: database)
        add(
            "service",
            {
                let address = try ServiceAddress("https://speech.example")
                try await services.save(
                    TranscriptionService(name: try ServiceName("office"), address: address, model: "whisper")
                )
            },
            shown: { "\(try await services.services().count)" }
        )
        let keys = StoredAPIKeys(database: database)
        add("key", { _ = try await keys.add("Editor", at: now) }, shown: { "\(try await keys.keys().count)" })
        let outbound = StoredOutbound(database: database)
        add(
            "connection",
            { _ = try await outbound.begin(OutboundRecord(time: now, purpose: .catalogue, host: "voices.example")) },
            shown: { "\(try await outbound.records(limit: 10).count)" }
        )
        let speeches = StoredSpeeches(database: database)
        add(
            "speech",
            { try await speeches.save(try Speech(text: "Some words.", language: "en", created: now)) },
            shown: { "\(try await speeches.speeches().count)" }
        )
    }

    private mutating func addNarrations() async throws {
        let jobs = StoredJobs(database: database, contents: contents)
        let library = StoredLibrary(database: database, contents: contents)
        let sample = SampleRecording.all[0]
        add(
            "narration",
            { _ = try await jobs.begin(sample.order, text: sample.text) },
            shown: { "\(try await jobs.jobs().count)" }
        )
        let begun = try await jobs.begin(sample.order, text: sample.text).id
        add(
            "sentences",
            { try await jobs.keep(sample.segment, for: begun) },
            shown: { "\(try await jobs.timings(ofJob: begun).sentences.count)" }
        )
        add(
            "position",
            { try await jobs.save(played: 0.125, ofJob: begun) },
            shown: { "\(try await jobs.played(ofJob: begun))" }
        )
        let batch = StoredBatch(database: database)
        add("batch", { _ = try await batch.add([sample.order]) }, shown: { "\(try await batch.entries().count)" })
        let sentences = SampleSentences()
        let item = try await sentences.make(in: jobs).id
        add(
            "sentence",
            {
                let sentence = try await library.timings(of: item)[1]
                _ = try await library.replace(sentence, with: sentences.spoken(sentence, count: 101), in: item)
            },
            shown: { "\(try await library.timings(of: item))" }
        )
        add(
            "name",
            { try await library.rename(item, to: "Another name") },
            shown: { "\(try await library.item(item)?.name.text ?? "")" }
        )
        add(
            "favorite",
            { try await library.setFavorite(true, for: [item]) },
            shown: { "\(try await library.item(item)?.isFavorite ?? false)" }
        )
        let playback = StoredPlayback(database: database)
        add(
            "queue",
            {
                var queue = try await playback.queue()
                queue.add([item])
                try await playback.save(queue)
            },
            shown: { "\(try await playback.queue().entries.count)" }
        )
        let bookmark = Bookmark(item: item, position: 0.01, duration: 0.075, made: Date(timeIntervalSince1970: 1))
        add(
            "bookmark",
            { try await playback.save(bookmark) },
            shown: { "\(try await playback.bookmark()?.position ?? -1)" }
        )
    }

    private mutating func addRecordings() async throws {
        let recordings = StoredRecordings(database: database, contents: contents)
        let library = StoredLibrary(database: database, contents: contents)
        let rate = SampleChunk.sampleRate
        add(
            "recording",
            { _ = try await recordings.begin(RecordingOrder(name: "New", sampleRate: rate, source: .microphone)) },
            shown: { "\(try await recordings.sessions().count)" }
        )
        let open = try await recordings.begin(RecordingOrder(name: "Open", sampleRate: rate, source: .microphone)).id
        try await recordings.append(RecordingChunk(number: 0, samples: SampleChunk.samples(0)), to: open)
        add(
            "chunk",
            {
                let chunk = try RecordingChunk(number: 1, samples: SampleChunk.samples(1))
                try await recordings.append(chunk, to: open)
            },
            shown: { "\(try await recordings.session(open).samples)" }
        )
        add(
            "mark",
            { try await recordings.update(open) { $0.marks.append(RecordingMark(sample: 100)) } },
            shown: { "\(try await recordings.session(open).marks)" }
        )
        let order = try RecordingOrder(name: "File", sampleRate: rate, source: .file, sourceName: "talk.m4a")
        let imported = try await recordings.begin(order).id
        try await recordings.append(RecordingChunk(number: 0, samples: SampleChunk.samples(2)), to: imported)
        add(
            "import",
            {
                let file = ImportedFile(bytes: HeldBytes(SampleChunk.file), isKept: true)
                _ = try await recordings.finish(imported, keepsPart: false, from: file)
            },
            shown: { "\(try await recordings.sessions().count { $0.id == imported })" }
        )
        let talking = try RecordingOrder(name: "Talk", sampleRate: rate, source: .microphone)
        let finished = try await recordings.begin(talking).id
        try await recordings.append(RecordingChunk(number: 0, samples: SampleChunk.samples(3)), to: finished)
        let talk = try await recordings.finish(finished).id
        add(
            "marks",
            { try await library.setMarks([RecordingMark(sample: 7, label: "Here")], of: talk) },
            shown: { "\(try await library.marks(of: talk))" }
        )
        add(
            "end",
            { _ = try await recordings.finish(open) },
            shown: { "\(try await library.item(open)?.duration ?? 0)" }
        )
    }

    private mutating func addTranscripts() async throws {
        let recordings = StoredRecordings(database: database, contents: contents)
        let transcripts = StoredTranscripts(database: database)
        let transcriptions = StoredTranscriptions(database: database)
        let order = try RecordingOrder(name: "Heard", sampleRate: SampleChunk.sampleRate, source: .microphone)
        let session = try await recordings.begin(order).id
        try await recordings.append(RecordingChunk(number: 0, samples: SampleChunk.samples(4)), to: session)
        let item = try await recordings.finish(session).id
        let segment = TranscriptSegment(time: 0..<1, text: "Good morning.")
        func transcript() -> Transcript {
            let now = Date(timeIntervalSince1970: 1_790_000_000)
            return Transcript(item: item, created: now, source: TranscriptSource(), language: "en", segments: [segment])
        }
        let (first, second) = (transcript(), transcript())
        try await transcripts.add(first)
        try await transcripts.add(second)
        add(
            "version",
            { try await transcripts.add(transcript()) },
            shown: { "\(try await transcripts.versions(of: item).count)" }
        )
        add(
            "current",
            { try await transcripts.makeCurrent(first.id) },
            shown: { "\(try await transcripts.versions(of: item).first(where: \.isCurrent)?.number ?? 0)" }
        )
        let asked = TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "scripted/one")])
        add(
            "transcription",
            { _ = try await transcriptions.begin(asked, for: item) },
            shown: { "\(try await transcriptions.jobs().count)" }
        )
        let job = try await transcriptions.begin(asked, for: item).id
        add(
            "segment",
            { try await transcriptions.keep([segment], progress: 1, for: job) },
            shown: { "\(try await transcriptions.segments(of: job).count)" }
        )
        add(
            "state",
            { try await transcriptions.update(job) { $0.state = .running } },
            shown: { "\(try await transcriptions.jobs().filter { $0.state == .running }.count)" }
        )
    }

    private mutating func addDocuments() async throws {
        let documents = StoredDocuments(database: database, contents: contents)
        let kept = try await documents.add(SampleDocument.all[0].new).id
        add(
            "document",
            { _ = try await documents.add(SampleDocument.all[1].new) },
            shown: { "\(try await documents.documents(matching: DocumentQuery()).documents.count)" }
        )
        add(
            "selection",
            { try await documents.remember(DocumentSelection(leftOut: [0..<3]), for: kept) },
            shown: { "\(try await documents.selection(of: kept)?.leftOut ?? [])" }
        )
        add(
            "title",
            { try await documents.rename(kept, to: "Another name") },
            shown: { "\(try await documents.document(kept)?.name.text ?? "")" }
        )
    }

    private mutating func addPractice() async throws {
        let store = StoredPractice(database: database, contents: contents)
        let practice = SamplePractice.practice(1)
        try await store.add(practice, text: "One. Two.")
        add(
            "session",
            { try await store.add(SamplePractice.practice(2), text: "One. Two.") },
            shown: { "\(try await store.practices().count)" }
        )
        add(
            "tally",
            {
                var changed = practice
                changed.tally.played(1)
                try await store.update(changed)
            },
            shown: { "\(try await store.practice(practice.id).tally)" }
        )
        let sound = WAVHeader.file(of: [Int16](repeating: 7, count: 800), sampleRate: 8_000)
        let take = SamplePractice.take(1, of: practice.id)
        try await store.add(take, sound: sound)
        add(
            "take",
            { try await store.add(SamplePractice.take(2, of: practice.id), sound: sound) },
            shown: { "\(try await store.takes(of: practice.id).count)" }
        )
        add(
            "score",
            { try await store.keep(SamplePractice.score, of: take.id, keepsSound: true) },
            shown: { "\(try await store.score(of: take.id) == nil)" }
        )
        let hard = HardSegment(text: "Sea shells.", language: "en", score: 0.25, at: Date(timeIntervalSince1970: 1))
        add("repetition", { try await store.keep(hard) }, shown: { "\(try await store.hardSegments().count)" })
    }
}
