import CProcess
import EchoText
import EchoTextTesting
import Foundation
import LibraryStore

/// Performs the program's operations on a library, for tests that end the process in the middle.
///
/// `StoreFixture FOLDER open` opens and closes; `StoreFixture FOLDER write COUNT` adds recordings and says the name of
/// each, a line each, once it is kept; COUNT 0 is without end. `StoreFixture FOLDER import COUNT` does so with
/// documents that are long enough to be indexed in several stretches. `StoreFixture FOLDER record COUNT` adds chunks to
/// the unfinished recording, or begins one, and says the number of each once it is kept; COUNT 0 is without end, and
/// otherwise the recording is finished after so many. `StoreFixture FOLDER heard` compares what is kept of it with what
/// was recorded, and says how many chunks there are. `StoreFixture FOLDER long SECONDS` records and finishes so many
/// seconds at 48 kHz, and says the most memory it had, in KiB, before and after finishing. `StoreFixture FOLDER keep
/// COUNT` imports recordings with the files that they come from, and says the id of each. `StoreFixture FOLDER save` fills
/// the disk and saves something of each kind, on the full disk and with room again: see ``Saves``. The key is 32 bytes of 7.
/// `StoreFixture FOLDER keys WALL BOOTTIME CHANGE …` changes or tries the key slots in FOLDER: see ``KeyChange``. Exits
/// with 1 and an error's code when it fails.
@main
struct Fixture {
    static func main() async {
        share_heaps(2)  // As the program does: memory in the heaps of its threads would count as growth.
        let arguments = CommandLine.arguments
        do {
            if arguments[2] == "keys" {
                try await KeyChange(folder: arguments[1], Array(arguments[3...])).run()
                return say("done")
            }
            let folder = LibraryFolder(path: arguments[1])
            let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
            let database = try LibraryDatabase(in: folder, key: key, timeout: 5)
            if arguments[2] == "write" {
                try await write(into: database, count: Int(arguments[3]) ?? 0)
            }
            if arguments[2] == "import" {
                try await add(into: database, count: Int(arguments[3]) ?? 0)
            }
            if arguments[2] == "practise" { try await practise(in: database, count: Int(arguments[3]) ?? 0) }
            if arguments[2] == "record" { try await record(into: database, count: Int(arguments[3]) ?? 0) }
            if arguments[2] == "keep" { try await keepFiles(in: database, count: Int(arguments[3]) ?? 0) }
            if arguments[2] == "respeak" { try await respeak(in: database, count: Int(arguments[3]) ?? 0) }
            if arguments[2] == "save" { try await Saves(in: database, try contents(of: database)).run(say) }
            if arguments[2] == "heard" { try await hear(database) }
            if arguments[2] == "long" { try await recordLong(into: database, seconds: Int(arguments[3]) ?? 0) }
            try database.close()
            say("closed")
        } catch {
            say("error \((error as? any UserFacingError)?.code ?? "\(error)")")
            exit(1)
        }
    }

    private static func contents(of database: LibraryDatabase) throws -> ContentStore {
        try ContentStore(
            path: "\(database.folder.path)/blobs",
            identities: [AgeIdentity(scalar: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))]
        )
    }

    private static func add(into database: LibraryDatabase, count: Int) async throws {
        let documents = StoredDocuments(database: database, contents: try contents(of: database))
        for number in 1...max(1, count) {
            let lines = (0..<50_000).map { "Line \($0) of document \(number) stands here.\n" }
            let sample = SampleDocument("Document", pages: [lines.joined()])
            say("kept \(try await documents.add(sample.new).id)")
        }
    }

    private static func write(into database: LibraryDatabase, count: Int) async throws {
        let contents = try contents(of: database)
        let jobs = StoredJobs(database: database, contents: contents)
        var number = 0
        while count == 0 || number < count {
            number += 1
            let name = "\(getpid())-\(number)"
            var sample = SampleRecording(name: try ItemName(name), text: "Recording \(name) is kept.")
            sample.length = 0.01
            let item = try await sample.make(in: jobs)
            say("kept \(item.id) \(name)")
        }
    }

    private static func practise(in database: LibraryDatabase, count: Int) async throws {
        let store = StoredPractice(database: database, contents: try contents(of: database))
        var practice = SamplePractice.practice(1)
        try await store.add(practice, text: "One. Two.")
        say("session \(practice.id)")
        var number = 0
        while count == 0 || number < count {
            number += 1
            let take = SamplePractice.take(number, of: practice.id)
            try await store.add(take, sound: WAVHeader.file(of: [Int16](repeating: 7, count: 800), sampleRate: 8_000))
            say("take \(take.id)")
            try await store.keep(SamplePractice.score, of: take.id, keepsSound: number.isMultiple(of: 2))
            say("score \(take.id)")
            practice.tally.played(number)
            try await store.update(practice)
            say("heard \(number)")
        }
    }

    private static func respeak(in database: LibraryDatabase, count: Int) async throws {
        let contents = try contents(of: database)
        let library = StoredLibrary(database: database, contents: contents)
        let sample = SampleSentences()
        var item = try await library.items(matching: AudioQuery()).items.first
        if item == nil { item = try await sample.make(in: StoredJobs(database: database, contents: contents)) }
        guard let id = item?.id else { return }
        var number = 0
        while count == 0 || number < count {
            number += 1
            let sentence = try await library.timings(of: id)[1]
            let length = 100 + number
            _ = try await library.replace(sentence, with: sample.spoken(sentence, count: length), in: id)
            say("kept \(length)")
        }
    }

    private static func record(into database: LibraryDatabase, count: Int) async throws {
        let recordings = StoredRecordings(database: database, contents: try contents(of: database))
        var session: RecordingSession
        if let left = try await recordings.sessions().first {
            session = try await recordings.resume(left.id)
        } else {
            let rate = SampleChunk.sampleRate
            session = try await recordings.begin(
                RecordingOrder(name: "Recording", sampleRate: rate, source: .microphone)
            )
        }
        while count == 0 || session.nextChunk < count {
            let number = session.nextChunk
            let chunk = try RecordingChunk(number: number, samples: SampleChunk.samples(number))
            session = try await recordings.append(chunk, to: session.id)
            say("kept \(number)")
        }
        say("finished \(try await recordings.finish(session.id).id)")
    }

    private static func keepFiles(in database: LibraryDatabase, count: Int) async throws {
        let recordings = StoredRecordings(database: database, contents: try contents(of: database))
        for number in 0..<count {
            let order = try RecordingOrder(
                name: "Talk",
                sampleRate: SampleChunk.sampleRate,
                source: .file,
                sourceName: "talk.m4a"
            )
            let id = try await recordings.begin(order).id
            try await recordings.append(RecordingChunk(number: 0, samples: SampleChunk.samples(number)), to: id)
            let file = ImportedFile(bytes: HeldBytes(SampleChunk.file), isKept: true)
            say("kept \(try await recordings.finish(id, keepsPart: false, from: file).id)")
        }
    }

    private static func hear(_ database: LibraryDatabase) async throws {
        let recordings = StoredRecordings(database: database, contents: try contents(of: database))
        for session in try await recordings.sessions() {
            var place = 0
            for number in 0..<session.nextChunk {
                var wanted = SampleChunk.samples(number)[...]
                while !wanted.isEmpty {
                    let heard = try await recordings.samples(of: session.id, from: place, limit: wanted.count)
                    guard !heard.isEmpty, wanted.starts(with: heard) else { return say("other sound in \(number)") }
                    wanted = wanted.dropFirst(heard.count)
                    place += heard.count
                }
            }
            say("heard \(session.nextChunk) \(session.state.rawValue)")
        }
    }

    private static func recordLong(into database: LibraryDatabase, seconds: Int) async throws {
        let recordings = StoredRecordings(database: database, contents: try contents(of: database))
        let rate = 48_000
        let id = try await recordings.begin(
            RecordingOrder(name: "Long", sampleRate: rate, source: .microphone)
        ).id
        let second = (0..<rate).map { Int16(truncatingIfNeeded: $0 &* 31) }
        for number in 0..<seconds {
            try await recordings.append(RecordingChunk(number: number, samples: second), to: id)
        }
        let before = peak
        let item = try await recordings.finish(id)
        say("peak \(before) \(peak) \(item.sampleCount)")
    }

    /// The peak memory of this process in KiB, without file pages, which are shared.
    private static var peak: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        func size(_ name: String) -> Int {
            lines.first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }
        return size("VmHWM:") - size("RssFile:")
    }

    /// A line that is out when this returns.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
