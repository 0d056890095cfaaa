import AudioFiles
import Books
import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Archive of a library")
struct LibraryArchiveTests {
    static let time = Date(timeIntervalSince1970: 1_790_000_000)

    func archive(of library: MemoryRecordings) -> LibraryArchive {
        let memory = MemoryLibrary()
        return archive(of: library, memory, MemoryTranscripts(memory))
    }

    func archive(
        of library: some AudioLibrary,
        _ memory: MemoryLibrary,
        _ transcripts: MemoryTranscripts,
        _ speeches: MemorySpeeches = MemorySpeeches(),
        _ practice: MemoryPractice = MemoryPractice(),
        settings: any SettingsStore = MemorySettings(),
        profiles: any VoiceProfiles = MemoryProfiles(),
        sessions: (any RecordingSessions)? = nil
    ) -> LibraryArchive {
        let library = Library(
            audio: library,
            documents: MemoryDocuments(),
            jobs: memory,
            batch: MemoryBatch(),
            speech: MemorySpeech(),
            history: MemoryHistory(),
            profiles: profiles,
            playback: memory,
            draft: MemoryDraft(),
            settings: settings,
            voices: MemoryVoices(),
            recordings: sessions ?? MemorySessions(memory),
            transcripts: transcripts,
            transcriptions: MemoryTranscriptions(transcripts),
            outbound: MemoryOutbound(),
            services: MemoryServices(),
            apiKeys: MemoryAPIKeys(),
            speeches: speeches,
            practice: practice,
            watch: MemoryWatch(),
            measure: MemoryMeasure(memory)
        )
        let sounds = LocalSoundFiles(searchPath: "/usr/bin")
        return LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
    }

    func library(_ names: [String]) throws -> MemoryRecordings {
        var library = MemoryRecordings()
        for name in names { try library.add(name, samples: Array(repeating: 1, count: 1_600)) }
        return library
    }

    @Test("has a file of its own for each recording, whatever they are called")
    func names() async throws {
        try await withTemporaryFolder { folder in
            let names = ["Same", "same", "SAME.", "a/b", "../../up", "CON", ".hidden", "õ", "o\u{303}"]
            let contents = try await archive(of: library(names)).write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.recordings.map(\.item.name.text) == names)
            let sounds = contents.recordings.compactMap(\.sound)
            #expect(Set(sounds.map { $0.lowercased() }).count == names.count)
            #expect(
                try Set(
                    entries(of: "\(folder)/all/recordings").filter { $0.hasSuffix(".wav") }.map { "recordings/\($0)" }
                ) == Set(sounds)
            )
            #expect(try entries(of: folder) == ["all"], "nothing beside it")
        }
    }

    @Test("has the marks and every version of the transcript of what was recorded")
    func transcripts() async throws {
        try await withTemporaryFolder { folder in
            let memory = MemoryLibrary()
            let (sessions, transcripts) = (MemorySessions(memory), MemoryTranscripts(memory))
            let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
            let id = try await sessions.begin(order).id
            try await sessions.append(RecordingChunk(number: 0, samples: Array(repeating: 1, count: 8_000)), to: id)
            let item = try await sessions.finish(id)
            try await memory.setMarks([RecordingMark(sample: 4_000, label: "Half")], of: item.id)
            for number in 1...2 {
                let segment = TranscriptSegment(time: 0..<0.5, text: "Version \(number)")
                let source = TranscriptSource(recognizerName: "Tiny")
                try await transcripts.add(
                    Transcript(item: item.id, created: Self.time, source: source, language: "en", segments: [segment])
                )
            }
            let contents = try await archive(of: memory, memory, transcripts)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            let path = try #require(contents.recordings.first?.transcripts)
            #expect(path == "transcripts/Talk.json")
            let kept = try JSONDecoder().decode(
                Kept.self,
                from: Data(contentsOf: URL(filePath: "\(folder)/all/\(path)"))
            )
            #expect(kept.marks == [Kept.Mark(seconds: 0.5, label: "Half")])
            #expect(kept.transcripts.map(\.segments[0].text) == ["Version 2", "Version 1"])
            #expect(kept.transcripts.map(\.isCurrent) == [true, false])
        }
    }

    @Test("has the files that recordings were imported from, under their own names, and says which are damaged")
    func importedFiles() async throws {
        try await withTemporaryFolder { folder in
            var library = try library(["One", "Two", "Three"])
            // The transcripts of imported recordings are asked for, so they know the recordings.
            let memory = MemoryLibrary()
            let sessions = MemorySessions(memory)
            for index in library.recordings.indices {
                let name = library.recordings[index].item.name
                let id = try await sessions.begin(try RecordingOrder(name: name, sampleRate: 16_000, source: .file)).id
                try await sessions.append(RecordingChunk(number: 0, samples: Array(repeating: 1, count: 1_600)), to: id)
                library.recordings[index].item = try await sessions.finish(id)
            }
            library.recordings[0].keep(.success(Data("ID3".utf8)), called: "talk.mp3")
            library.recordings[1].keep(.failure(.contentDamaged), called: "talk.mp3")
            let contents = try await archive(of: library, memory, MemoryTranscripts(memory))
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(contents.recordings.map(\.file) == ["imported/talk.mp3", nil, nil])
            #expect(contents.recordings.map(\.failure) == [nil, "vault.content-damaged", nil])
            #expect(contents.recordings.allSatisfy { $0.sound != nil }, "the sound is another file")
            #expect(try entries(of: "\(folder)/all/imported") == ["talk.mp3"])
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/all/imported/talk.mp3")) == Data("ID3".utf8))
            let page = try String(contentsOf: URL(filePath: "\(folder)/all/index.html"), encoding: .utf8)
            #expect(page.contains("imported/talk.mp3"))
        }
    }

    private struct Kept: Decodable {
        struct Mark: Decodable, Equatable {
            let seconds: Double
            let label: String?
        }

        struct Version: Decodable {
            let isCurrent: Bool
            let segments: [TranscriptSegment]
        }

        let marks: [Mark]
        let transcripts: [Version]
    }

    @Test("has the speeches, and every practice session with its takes")
    func practice() async throws {
        struct Practice: Decodable {
            struct Session: Decodable {
                struct Take: Decodable {
                    let score: TakeScore?
                    let sound: String?
                }

                let text: String?
                let takes: [Take]
            }

            let sessions: [Session]
            let hardSegments: [HardSegment]
        }
        try await withTemporaryFolder { folder in
            let (memory, speeches, practice) = (MemoryLibrary(), MemorySpeeches(), MemoryPractice())
            let speech = try Speech(title: "Toast", text: "Dear guests!", language: "en", created: Self.time)
            await speeches.save(speech)
            let session = SamplePractice.practice(1)
            await practice.add(session, text: "Dear guests!")
            let takes = (1...2).map { SamplePractice.take($0, of: session.id) }
            for take in takes { try await practice.add(take, sound: Data("RIFF".utf8)) }
            try await practice.keep(SamplePractice.score, of: takes[0].id, keepsSound: false)
            await practice.keep(HardSegment(text: "Sea shells.", language: "en", score: nil, at: Self.time))
            let contents = try await archive(of: memory, memory, MemoryTranscripts(memory), speeches, practice)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            func table<Table: Decodable>(_ name: String, as type: Table.Type) throws -> Table {
                let path = "\(folder)/all/\(try #require(contents.files[name]))"
                return try decoder.decode(type, from: Data(contentsOf: URL(filePath: path)))
            }
            #expect(try table("speeches", as: [Speech].self).map(\.text) == ["Dear guests!"])
            let kept = try table("practice", as: Practice.self)
            #expect(kept.hardSegments.map(\.text) == ["Sea shells."])
            let written = try #require(kept.sessions.first)
            #expect(written.text == "Dear guests!")
            #expect(written.takes.map { $0.score?.score } == [0.5, nil])
            #expect(written.takes[0].sound == nil, "it was discarded")
            let sound = try #require(written.takes[1].sound)
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/all/\(sound)")) == Data("RIFF".utf8))
        }
    }

    @Test("has the sound so far of recordings, and the text of narrations, that were not finished")
    func unfinished() async throws {
        struct Narration: Decodable {
            let id: AudioItem.ID
            let text: String
        }
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            let order = try RecordingOrder(name: "Walk", sampleRate: 8_000, source: .microphone)
            let walk = try await library.recordings.begin(order).id
            let samples = (0..<4_000).map { Int16($0) }
            try await library.recordings.append(RecordingChunk(number: 0, samples: samples), to: walk)
            try await library.recordings.update(walk) { $0.marks = [RecordingMark(sample: 2_000, label: "Gate")] }
            _ = try await library.recordings.begin(order)  // nothing was recorded
            let sample = SampleRecording.all[0]
            let job = try await library.jobs.begin(sample.order, text: sample.text)
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let contents = try await LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
                .write(into: "\(folder)/all", as: .flac, at: Self.time)
            #expect(contents.unfinished.map(\.name) == ["Walk"])
            let kept = try #require(contents.unfinished.first)
            #expect(kept.marks?.map(\.seconds) == [0.25] && kept.marks?.map(\.label) == ["Gate"])
            let sound = try #require(kept.sound)
            let written = try Data(contentsOf: URL(filePath: "\(folder)/all/\(sound)"))
            #expect(written == WAVHeader.file(of: samples, sampleRate: 8_000))
            let page = try String(contentsOf: URL(filePath: "\(folder)/all/index.html"), encoding: .utf8)
            #expect(page.contains("<h2>Unfinished recordings</h2>"))
            let path = "\(folder)/all/\(try #require(contents.files["unfinished"]))"
            let narrations = try JSONDecoder().decode([Narration].self, from: Data(contentsOf: URL(filePath: path)))
            #expect(narrations.map(\.id) == [job.id] && narrations.map(\.text) == [sample.text])
        }
    }

    @Test("has the sound so far of narrations, what was heard so far, and what was chosen of documents")
    func underWay() async throws {
        struct Narration: Decodable {
            struct Sentence: Decodable {
                let text: String
                let start: Double
                let end: Double
            }

            let sentences: [Sentence]
        }
        struct Transcription: Decodable {
            let item: AudioItem.ID
            let segments: [TranscriptSegment]
        }
        struct Index: Decodable {
            struct ArchivedDocument: Decodable {
                let selection: DocumentSelection?
            }

            let documents: [ArchivedDocument]
        }
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            let sample = SampleRecording.all[0]
            let job = try await library.jobs.begin(sample.order, text: sample.text)
            try await library.jobs.keep(sample.segment, for: job.id)
            _ = try await library.jobs.begin(sample.order, text: sample.text)  // nothing was spoken
            let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
            let session = try await library.recordings.begin(order).id
            let chunk = try RecordingChunk(number: 0, samples: Array(repeating: 1, count: 8_000))
            try await library.recordings.append(chunk, to: session)
            let item = try await library.recordings.finish(session).id
            let wanted = TranscriptionOrder(recognizers: [Recognizer.ID(rawValue: "scripted/plain")])
            let transcription = try await library.transcriptions.begin(wanted, for: item).id
            let recognized = [TranscriptSegment(time: 0..<0.5, text: "So far")]
            try await library.transcriptions.keep(recognized, progress: 0.5, for: transcription)
            let document = try await library.documents.add(SampleDocument.all[0].new).id
            let selection = DocumentSelection(leftOut: [0..<3])
            try await library.documents.remember(selection, for: document)
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let contents = try await LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            func table<Table: Decodable>(_ path: String?, as type: Table.Type) throws -> Table {
                let file = "\(folder)/all/\(try #require(path))"
                return try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: file)))
            }
            #expect(contents.narrations.map(\.id) == [job.id] && contents.missing == 0)
            let sound = try #require(contents.narrations.first?.sound)
            let written = try Data(contentsOf: URL(filePath: "\(folder)/all/\(sound)"))
            #expect(written == WAVHeader.file(of: sample.samples, sampleRate: 16_000))
            let narrations = try table(contents.files["unfinished"], as: [Narration].self)
            #expect(Set(narrations.map(\.sentences.count)) == [0, 1])
            let spoken = try #require(narrations.flatMap(\.sentences).first)
            #expect(spoken.text == sample.text && spoken.start == 0 && spoken.end == sample.length)
            let transcriptions = try table(contents.files["transcriptions"], as: [Transcription].self)
            #expect(transcriptions.map(\.item) == [item] && transcriptions.map(\.segments) == [recognized])
            #expect(try table("index.json", as: Index.self).documents.map(\.selection) == [selection])
            let page = try String(contentsOf: URL(filePath: "\(folder)/all/index.html"), encoding: .utf8)
            #expect(page.contains("<h2>Unfinished narrations</h2>"))
        }
    }

    @Test("leaves out a practice session that is deleted while another one is written, and nothing else")
    func deletedPractice() async throws {
        struct Practice: Decodable {
            struct Session: Decodable {
                let id: PracticeRecord.ID
            }

            let sessions: [Session]
        }
        try await withTemporaryFolder { folder in
            let library = try await Self.practiceLibrary()
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let files = WatchedFolder(disk: DiskFolder(sounds: sounds)) { path in
                guard path.contains("/takes/") else { return }
                for other in try await library.practice.practices().dropFirst() {
                    try await library.practice.delete(other.id)
                }
            }
            let contents = try await LibraryArchive(of: library, to: files, by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            let path = "\(folder)/all/\(try #require(contents.files["practice"]))"
            let kept = try JSONDecoder().decode(Practice.self, from: Data(contentsOf: URL(filePath: path)))
            #expect(try await kept.sessions.map(\.id) == library.practice.practices().map(\.id))
            #expect(kept.sessions.count == 1 && contents.missing == 0)
        }
    }

    /// A library with two practice sessions, each with a take.
    private static func practiceLibrary() async throws -> Library {
        let library = MemoryVault().library
        for number in 1...2 {
            let practice = SamplePractice.practice(number)
            try await library.practice.add(practice, text: "Dear guests!")
            try await library.practice.add(SamplePractice.take(1, of: practice.id), sound: Data("RIFF".utf8))
        }
        return library
    }

    @Test("says in its folder that it is unfinished, until everything is there")
    func saysUnfinished() async throws {
        try await withTemporaryFolder { folder in
            let library = try await Self.practiceLibrary()
            let all = "\(folder)/all"
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let another = LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
            let looks = Mutex(0)
            let files = WatchedFolder(disk: DiskFolder(sounds: sounds)) { path in
                // A process that is killed at this moment leaves the folder as it is.
                let note = try String(contentsOf: URL(filePath: "\(all)/UNFINISHED.txt"), encoding: .utf8)
                #expect(note.contains("Not everything is in this folder"), "\(path)")
                await #expect(throws: ExportError.folderUnfinished) {
                    try await another.write(into: all, as: .wav, at: Self.time)
                }
                looks.withLock { $0 += 1 }
            }
            let contents = try await LibraryArchive(of: library, to: files, by: sounds)
                .write(into: all, as: .wav, at: Self.time)
            #expect(looks.withLock(\.self) > 2, "up to the index, which is the last")
            #expect(!(try entries(of: all)).contains("UNFINISHED.txt") && contents.missing == 0)
            await #expect(throws: ExportError.folderNotEmpty) {
                try await another.write(into: all, as: .wav, at: Self.time)
            }
        }
    }

    @Test("takes away what it wrote when it fails, and nothing that somebody else has put there meanwhile")
    func failing() async throws {
        try await withTemporaryFolder { folder in
            let library = try await Self.practiceLibrary()
            let all = "\(folder)/all"
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let files = WatchedFolder(disk: DiskFolder(sounds: sounds)) { path in
                guard path.contains("/takes/") else { return }
                guard try !entries(of: "\(all)/takes").isEmpty else { return }
                try Data("mine".utf8).write(to: URL(filePath: "\(all)/photo.jpg"))
                try Data("mine".utf8).write(to: URL(filePath: "\(all)/takes/photo.jpg"))
                throw AudioFileError.diskFull
            }
            await #expect(throws: AudioFileError.diskFull) {
                try await LibraryArchive(of: library, to: files, by: sounds).write(into: all, as: .wav, at: Self.time)
            }
            #expect(Set(try entries(of: all)) == ["photo.jpg", "takes"])
            #expect(try entries(of: "\(all)/takes") == ["photo.jpg"])
        }
    }

    @Test func `keeps everything when what says that it is unfinished cannot be removed, and says that`() async throws {
        try await withTemporaryFolder { folder in
            let library = try await Self.practiceLibrary()
            let all = "\(folder)/all"
            let note = "\(all)/UNFINISHED.txt"
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let files = WatchedFolder(disk: DiskFolder(sounds: sounds)) { path in
                guard path.hasSuffix("/index.json") else { return }
                // A folder with something in it is not removed as a file is, not even by an administrator.
                try FileManager.default.removeItem(atPath: note)
                try FileManager.default.createDirectory(atPath: "\(note)/in it", withIntermediateDirectories: true)
            }
            await #expect(throws: ExportError.noteNotRemoved("UNFINISHED.txt")) {
                try await LibraryArchive(of: library, to: files, by: sounds).write(into: all, as: .wav, at: Self.time)
            }
            let kept = try entries(of: all)
            #expect(kept.contains("index.json") && kept.contains("index.html") && kept.contains("takes"), "\(kept)")
        }
    }

    @Test("goes through more recordings than a page of the library has, and reports each")
    func pages() async throws {
        try await withTemporaryFolder { folder in
            let count = 2 * AudioQuery().limit + 1
            let library = try library((1...count).map { "Number \($0)" })
            let reported = Reported()
            let contents = try await archive(of: library).write(into: "\(folder)/all", as: .wav, at: Self.time) {
                done,
                total in
                reported.note(done, total)
            }
            #expect(contents.recordings.count == count)
            #expect(reported.all == (1...count).map { [$0, count] })
        }
    }

    @Test("leaves nothing out because something else is deleted while it is written")
    func deleting() async throws {
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            var ids: [String: AudioItem.ID] = [:]
            for number in 1...(AudioQuery().limit + 5) {
                let sample = SampleRecording(name: try ItemName("Number \(number)"), text: "Some words.")
                ids[sample.name.text] = try await sample.make(in: library.jobs).id
            }
            let texts = Mutex<[String]>([])
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let files = WatchedFolder(disk: DiskFolder(sounds: sounds)) { [ids] path in
                let file = path as NSString
                guard file.pathExtension == "txt" else { return }
                let name = (file.lastPathComponent as NSString).deletingPathExtension
                let written = texts.withLock { texts in
                    texts.append(name)
                    return texts
                }
                guard written.count == AudioQuery().limit, let first = ids[written[0]] else { return }
                try await library.audio.delete([first])
            }
            let contents = try await LibraryArchive(of: library, to: files, by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            #expect(Set(contents.recordings.map(\.item.name.text)) == Set(ids.keys))
        }
    }

    @Test("leaves out what is deleted before its turn or while it is written, and nothing else")
    func deletingLater() async throws {
        try await withTemporaryFolder { folder in
            let library = MemoryVault().library
            var ids: [AudioItem.ID] = []
            for number in 1...4 {
                let sample = SampleRecording(name: try ItemName("Number \(number)"), text: "Some words.")
                ids.append(try await sample.make(in: library.jobs).id)
            }
            let isBegun = Mutex(false)
            let sounds = LocalSoundFiles(searchPath: "/usr/bin")
            let files = WatchedFolder(disk: DiskFolder(sounds: sounds)) { [ids] path in
                guard (path as NSString).pathExtension == "txt" else { return }
                let wasBegun = isBegun.withLock { isBegun in
                    defer { isBegun = true }
                    return isBegun
                }
                guard !wasBegun else { return }
                let begun = try #require(
                    try await library.audio.items(matching: AudioQuery()).items.first { path.contains($0.name.text) }
                )
                let other = try #require(ids.first { $0 != begun.id })
                try await library.audio.delete([begun.id, other])
            }
            let contents = try await LibraryArchive(of: library, to: files, by: sounds)
                .write(into: "\(folder)/all", as: .wav, at: Self.time)
            let left = try await library.audio.items(matching: AudioQuery()).items.map(\.id)
            #expect(left.count == 2 && Set(contents.recordings.map(\.item.id)) == Set(left))
            #expect(contents.missing == 0)
        }
    }
}

/// A folder that reports when a file begins that is no sound.
private struct WatchedFolder: ExportFolder {
    let disk: DiskFolder
    let begins: @Sendable (_ path: String) async throws -> Void

    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        try await disk.sound(order, at: path)
    }

    func file(at path: String) async throws -> any ByteSink {
        try await begins(path)
        return try await disk.file(at: path)
    }

    func folder(at path: String) async throws { try await disk.folder(at: path) }
    func begin(_ path: String) async throws { try await disk.begin(path) }
    func complete(_ path: String) async throws { try await disk.complete(path) }
    func empty(_ path: String) async { await disk.empty(path) }
}

/// The progress that an archive reported.
private final class Reported: Sendable {
    private let numbers = Mutex<[[Int]]>([])

    func note(_ done: Int, _ total: Int) { numbers.withLock { $0.append([done, total]) } }

    var all: [[Int]] { numbers.withLock(\.self) }
}

/// Calls `body` with a temporary folder.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = TemporaryFolder()
    try await body(folder.path)
    withExtendedLifetime(folder) {}
}

/// The names in `folder`, including hidden ones.
func entries(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}
