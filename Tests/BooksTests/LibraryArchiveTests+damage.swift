import AudioFiles
import Books
import EchoText
import EchoTextTesting
import Foundation
import Testing

/// Damage, which the archive leaves out and names.
extension LibraryArchiveTests {
    @Test("says how many recordings are not in it because the library cannot read them", arguments: [[], ["One"]])
    func unreadable(names: [String]) async throws {
        try await withTemporaryFolder { folder in
            var library = try library(names)
            library.unreadable = 2
            let contents = try await archive(of: library).write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.recordings.count == names.count && contents.unreadable == 2)
            let page = try String(contentsOf: URL(filePath: "\(folder)/all/index.html"), encoding: .utf8)
            #expect(page.contains("2 more recordings cannot be read and are not here."))
        }
    }

    @Test("FR7: says how many texts of the history are not in it because they are damaged")
    func unreadableTexts() async throws {
        try await withTemporaryFolder { folder in
            let vault = MemoryVault()
            let history = try #require(vault.library.history as? MemoryHistory)
            for text in ["First", "Second"] { await history.add(text, at: Self.time) }
            await history.damage(try #require(await history.texts().entries.last?.id))
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let archive = LibraryArchive(of: vault.library, to: DiskFolder(sounds: sounds), by: sounds)
            let contents = try await archive.write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.unreadableTexts == 1)
            let kept = try String(contentsOf: URL(filePath: "\(folder)/all/history.json"), encoding: .utf8)
            #expect(kept.contains("Second") && !kept.contains("First"))
            let page = try String(contentsOf: URL(filePath: "\(folder)/all/index.html"), encoding: .utf8)
            #expect(page.contains("One more text of the history cannot be read and is not here."))
        }
    }

    @Test("continues without a table that is damaged, and says so")
    func unreadableTable() async throws {
        try await withTemporaryFolder { folder in
            let memory = MemoryLibrary()
            let contents = try await archive(
                of: library(["One"]),
                memory,
                MemoryTranscripts(memory),
                settings: DamagedSettings()
            ).write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect((contents.unreadableFiles, contents.missing) == (["settings"], 1))
            #expect(contents.files["settings"] == nil && contents.files["batch"] == "batch.json")
            #expect(contents.recordings.map(\.failure) == [nil])
            let page = try String(contentsOf: URL(filePath: "\(folder)/all/index.html"), encoding: .utf8)
            #expect(page.contains("What cannot be read and is not here: settings."))
        }
    }

    @Test("names the voice profiles once, though one is damaged and so is which of them is chosen")
    func unreadableProfiles() async throws {
        try await withTemporaryFolder { folder in
            let memory = MemoryLibrary()
            let contents = try await archive(
                of: library(["One"]),
                memory,
                MemoryTranscripts(memory),
                profiles: DamagedProfiles()
            ).write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect((contents.unreadableFiles, contents.missing) == (["profiles"], 1))
            #expect(contents.files["profiles"] == nil && contents.files["queue"] == "queue.json")
        }
    }

    @Test("continues without unfinished recordings when one of them is damaged, and says so")
    func unreadableSessions() async throws {
        try await withTemporaryFolder { folder in
            let memory = MemoryLibrary()
            let contents = try await archive(
                of: library(["One"]),
                memory,
                MemoryTranscripts(memory),
                sessions: DamagedSessions()
            ).write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect((contents.unreadableFiles, contents.missing) == (["unfinished recordings"], 1))
            #expect(contents.recordings.map(\.failure) == [nil])
        }
    }

    @Test("has every document but those that cannot be read, and says how many", arguments: [1, 2])
    func unreadableDocuments(_ count: Int) async throws {
        struct Index: Decodable {
            struct ArchivedDocument: Decodable {
                let file: String
            }

            let documents: [ArchivedDocument]
        }
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            let documents = try #require(library.documents as? MemoryDocuments)
            // More than a page of the library has, of which the damaged ones are on the first.
            for number in 0...DocumentQuery().limit {
                var sample = try SampleDocument(ItemName("Number \(number)"), pages: ["Some words."])
                sample.day = number
                let document = try await documents.add(sample.new)
                if number < count { await documents.damage(document.id) }
            }
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let contents = try await LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.unreadableFiles == [count == 1 ? "one document" : "2 documents"])
            #expect(contents.documents.count == DocumentQuery().limit + 1 - count && contents.missing == 1)
            let index = try JSONDecoder().decode(
                Index.self,
                from: Data(contentsOf: URL(filePath: "\(folder)/all/index.json"))
            )
            let named = index.documents.map(\.file).sorted()
            #expect(try named == entries(of: "\(folder)/all/documents").map { "documents/\($0)" })
        }
    }

    @Test("names the sound of every take, though a score is damaged")
    func damagedScore() async throws {
        struct Practice: Decodable {
            struct Session: Decodable {
                struct Take: Decodable {
                    let sound: String?
                    let failure: String?
                }

                let takes: [Take]
            }

            let sessions: [Session]
        }
        try await withTemporaryFolder { folder in
            let (memory, practice) = (MemoryLibrary(), MemoryPractice())
            let session = SamplePractice.practice(1)
            await practice.add(session, text: "Dear guests!")
            let takes = (1...2).map { SamplePractice.take($0, of: session.id) }
            for take in takes { try await practice.add(take, sound: Data("RIFF".utf8)) }
            await practice.damageScore(of: takes[0].id)
            let contents = try await archive(of: memory, memory, MemoryTranscripts(memory), MemorySpeeches(), practice)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect((contents.unreadableFiles, contents.missing) == (["practice"], 1))
            let path = "\(folder)/all/\(try #require(contents.files["practice"]))"
            let kept = try JSONDecoder().decode(Practice.self, from: Data(contentsOf: URL(filePath: path)))
            let written = try #require(kept.sessions.first).takes
            #expect(written.map(\.failure) == [VaultError.databaseDamaged.code, nil])
            #expect(Set(written.compactMap(\.sound)) == Set(takes.map { "takes/\($0.id).wav" }))
        }
    }

    @Test("has the marks and the other transcripts of a recording of which one is damaged, and says so")
    func damagedTranscript() async throws {
        try await withTemporaryFolder { folder in
            let memory = MemoryLibrary()
            let (sessions, transcripts) = (MemorySessions(memory), MemoryTranscripts(memory))
            let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
            let id = try await sessions.begin(order).id
            try await sessions.append(RecordingChunk(number: 0, samples: Array(repeating: 1, count: 8_000)), to: id)
            let item = try await sessions.finish(id)
            try await memory.setMarks([RecordingMark(sample: 4_000, label: "Half")], of: item.id)
            for number in 1...3 {
                let segment = TranscriptSegment(time: 0..<0.5, text: "Version \(number)")
                let source = TranscriptSource(recognizerName: "Tiny")
                try await transcripts.add(
                    Transcript(item: item.id, created: Self.time, source: source, language: "en", segments: [segment])
                )
            }
            await transcripts.damage(try await transcripts.versions(of: item.id)[1].id)
            let contents = try await archive(of: memory, memory, transcripts)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            let recording = try #require(contents.recordings.first)
            #expect(recording.failure == VaultError.databaseDamaged.code && contents.missing == 1)
            #expect(recording.text != nil && recording.sound != nil)
            let path = "\(folder)/all/\(try #require(recording.transcripts))"
            let kept = try String(contentsOf: URL(filePath: path), encoding: .utf8)
            #expect(kept.contains("Half") && kept.contains("Version 1") && kept.contains("Version 3"))
            #expect(!kept.contains("Version 2"))
        }
    }

    @Test("has the speeches and the practice sessions beside damaged ones, and says so")
    func damagedPractices() async throws {
        try await withTemporaryFolder { folder in
            let (memory, speeches, practice) = (MemoryLibrary(), MemorySpeeches(), MemoryPractice())
            for title in ["Toast", "Poem"] {
                let speech = try Speech(title: title, text: "Words of a \(title).", language: "en", created: Self.time)
                await speeches.save(speech)
                if title == "Toast" { await speeches.damage(speech.id) }
            }
            for number in 1...2 {
                let session = SamplePractice.practice(number)
                await practice.add(session, text: "Text \(number)")
                if number == 1 { await practice.damage(session.id) }
            }
            let contents = try await archive(of: memory, memory, MemoryTranscripts(memory), speeches, practice)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect((contents.unreadableFiles, contents.missing) == (["speeches", "practice"], 2))
            func written(_ name: String) throws -> String {
                let path = "\(folder)/all/\(try #require(contents.files[name]))"
                return try String(contentsOf: URL(filePath: path), encoding: .utf8)
            }
            #expect(try written("speeches").contains("Poem") && !written("speeches").contains("Toast"))
            #expect(try written("practice").contains("Text 2") && !written("practice").contains("Text 1"))
        }
    }

    @Test("names the unfinished narration that is damaged, and has the text of the others")
    func damagedNarration() async throws {
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            let jobs = try #require(library.jobs as? MemoryLibrary)
            let torn = try await library.jobs.begin(SampleRecording.all[0].order, text: "Nobody can read this.")
            _ = try await library.jobs.begin(SampleRecording.all[1].order, text: SampleRecording.all[1].text)
            await jobs.damage(job: torn.id)
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let contents = try await LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.narrations.map(\.id) == [torn.id] && contents.missing == 1)
            #expect(contents.narrations.first?.failure == "vault.database-damaged")
            let path = "\(folder)/all/\(try #require(contents.files["unfinished"]))"
            let kept = try String(contentsOf: URL(filePath: path), encoding: .utf8)
            #expect(kept.contains(SampleRecording.all[1].text))
        }
    }

    @Test("has the text of an unfinished narration whose times are damaged, and all of the others, and says so")
    func damagedTimes() async throws {
        struct Narration: Decodable {
            struct Sentence: Decodable {}

            let text: String
            let sentences: [Sentence]
        }
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            let jobs = try #require(library.jobs as? MemoryLibrary)
            for sample in SampleRecording.all.prefix(2) {
                let job = try await library.jobs.begin(sample.order, text: sample.text)
                try await library.jobs.keep(sample.segment, for: job.id)
                if sample.name == SampleRecording.all[0].name { await jobs.damageTimes(ofJob: job.id) }
            }
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let contents = try await LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect((contents.unreadableFiles, contents.missing) == (["unfinished"], 1))
            #expect(contents.narrations.compactMap(\.sound).count == 2)
            let path = "\(folder)/all/\(try #require(contents.files["unfinished"]))"
            let kept = try JSONDecoder().decode([Narration].self, from: Data(contentsOf: URL(filePath: path)))
            #expect(kept.map(\.text) == SampleRecording.all.prefix(2).map(\.text))
            #expect(kept.map(\.sentences.count) == [0, 1])
        }
    }

    @Test("has every unfinished transcription but one that is damaged, and says so")
    func damagedTranscription() async throws {
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            let jobs = try #require(library.transcriptions as? MemoryTranscriptions)
            let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
            let session = try await library.recordings.begin(order).id
            let chunk = try RecordingChunk(number: 0, samples: Array(repeating: 1, count: 8_000))
            try await library.recordings.append(chunk, to: session)
            let item = try await library.recordings.finish(session).id
            let wanted = TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "scripted/plain")])
            for number in 1...2 {
                let job = try await jobs.begin(wanted, for: item).id
                let heard = [TranscriptSegment(time: 0..<0.5, text: "Number \(number)")]
                try await jobs.keep(heard, progress: 0.5, for: job)
                if number == 1 { await jobs.damage(job) }
            }
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let contents = try await LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect((contents.unreadableFiles, contents.missing) == (["transcriptions"], 1))
            let path = "\(folder)/all/\(try #require(contents.files["transcriptions"]))"
            let kept = try String(contentsOf: URL(filePath: path), encoding: .utf8)
            #expect(kept.contains("Number 2") && !kept.contains("Number 1"))
        }
    }

    @Test(
        "notes what the disk does not give, and has everything else",
        arguments: [VaultError.system(errno: EIO), .readOnly(.deviceFailed), .readOnly(.noPermission), .unsafeFolder]
    )
    func unreadableFile(_ problem: VaultError) async throws {
        try await withTemporaryFolder { folder in
            var library = try library(["One", "Two"])
            library.recordings[0].sound = .failure(problem)
            let contents = try await archive(of: library).write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.recordings.map(\.failure) == [problem.code, nil])
            #expect(contents.recordings.map { $0.sound != nil } == [false, true])
            #expect(contents.recordings.allSatisfy { $0.text != nil && $0.captions != nil })
        }
    }

    @Test("notes what is damaged, and stops for what is not damage, leaving the folder empty")
    func failures() async throws {
        try await withTemporaryFolder { folder in
            var library = try library(["One", "Two"])
            library.recordings[0].sound = .failure(.contentDamaged)
            let contents = try await archive(of: library).write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.recordings.map(\.failure) == ["vault.content-damaged", nil])
            #expect(contents.recordings[0].sound == nil)
            #expect(contents.recordings[0].text != nil)
            #expect(contents.recordings[0].captions != nil, "when its words were heard is kept elsewhere")
            #expect(contents.recordings[0].timings != nil)

            library.recordings[1].sound = .failure(.locked)
            await #expect(throws: VaultError.locked) {
                try await archive(of: library).write(into: "\(folder)/none", as: .wav, at: Self.time)
            }
            #expect(try entries(of: "\(folder)/none").isEmpty)
            await #expect(throws: ExportError.folderNotEmpty) {
                try await archive(of: library).write(into: "\(folder)/all", as: .wav, at: Self.time)
            }
        }
    }
}

/// Settings of which a row is damaged.
private struct DamagedSettings: SettingsStore {
    func stored() async throws -> [String: String] { throw VaultError.databaseDamaged }
    func store(_ value: String?, for name: String) async throws { throw VaultError.databaseDamaged }
    func store(_ value: String?, for name: String, insteadOf seen: String?) async throws -> Bool {
        throw VaultError.databaseDamaged
    }
    func reset() async throws { throw VaultError.databaseDamaged }
}

/// Profiles of which a row is damaged, and the row that says which is chosen.
private struct DamagedProfiles: VoiceProfiles {
    func profiles() async throws -> [VoiceProfile] { [.standard] }
    func unreadable() async throws -> Int { 1 }
    func save(_ profile: VoiceProfile) async throws { throw VaultError.databaseDamaged }
    func change(
        _ id: VoiceProfile.ID,
        _ change: @escaping @Sendable (inout VoiceProfile) throws -> Void
    ) async throws -> VoiceProfile { throw VaultError.databaseDamaged }
    func delete(_ id: VoiceProfile.ID) async throws { throw VaultError.databaseDamaged }
    func suggest(_ voice: Voice.ID) async throws { throw VaultError.databaseDamaged }
    func choose(_ id: VoiceProfile.ID) async throws { throw VaultError.databaseDamaged }
    func chosen() async throws -> ChosenProfile { throw VaultError.databaseDamaged }
}

/// Unfinished recordings of which a row is damaged.
private struct DamagedSessions: RecordingSessions {
    private static let problem = VaultError.databaseDamaged

    func begin(_ order: RecordingOrder) async throws -> RecordingSession { throw Self.problem }
    func resume(_ id: AudioItem.ID) async throws -> RecordingSession { throw Self.problem }
    func sessions() async throws -> [RecordingSession] { throw Self.problem }
    func session(_ id: AudioItem.ID) async throws -> RecordingSession { throw Self.problem }
    func append(_ chunk: RecordingChunk, to id: AudioItem.ID) async throws -> RecordingSession { throw Self.problem }
    func update(
        _ id: AudioItem.ID,
        _ change: @Sendable (inout RecordingSession) -> Void
    ) async throws -> RecordingSession { throw Self.problem }
    func release(_ id: AudioItem.ID) async {}
    func finish(_ id: AudioItem.ID, keepsPart: Bool, from file: ImportedFile?) async throws -> AudioItem {
        throw Self.problem
    }
    func recordings(from file: any StoredBytes) async throws -> [AudioItem] { throw Self.problem }
    func discard(_ id: AudioItem.ID) async throws { throw Self.problem }
    func samples(of id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16] { throw Self.problem }
}
