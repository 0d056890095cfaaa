import AudioFiles
import Books
import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Archive of a library")
struct LibraryArchiveTests {
    private static let time = Date(timeIntervalSince1970: 1_790_000_000)

    private func archive(of library: MemoryRecordings) -> LibraryArchive {
        let memory = MemoryLibrary()
        return archive(of: library, memory, MemoryTranscripts(memory))
    }

    private func archive(
        of library: some AudioLibrary,
        _ memory: MemoryLibrary,
        _ transcripts: MemoryTranscripts
    ) -> LibraryArchive {
        let library = Library(
            audio: library,
            documents: MemoryDocuments(),
            jobs: memory,
            batch: MemoryBatch(),
            speech: MemorySpeech(),
            history: MemoryHistory(),
            profiles: MemoryProfiles(),
            playback: memory,
            settings: MemorySettings(),
            voices: MemoryVoices(),
            recordings: MemorySessions(memory),
            transcripts: transcripts,
            transcriptions: MemoryTranscriptions(transcripts),
            outbound: MemoryOutbound(),
            services: MemoryServices()
        )
        let sounds = LocalSoundFiles(searchPath: "/usr/bin")
        return LibraryArchive(of: library, to: DiskFolder(sounds: sounds), by: sounds)
    }

    private func library(_ names: [String]) throws -> MemoryRecordings {
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

/// The progress that an archive reported.
private final class Reported: Sendable {
    private let numbers = Mutex<[[Int]]>([])

    func note(_ done: Int, _ total: Int) { numbers.withLock { $0.append([done, total]) } }

    var all: [[Int]] { numbers.withLock(\.self) }
}

/// Calls `body` with a temporary folder.
private func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = TemporaryFolder()
    try await body(folder.path)
    withExtendedLifetime(folder) {}
}

/// The names in `folder`, including hidden ones.
private func entries(of folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}
