import EchoText
import Foundation
import LibraryStore

/// Records into a library faster than real time, and measures the cost.
///
/// `echotext-bench recordings FOLDER COUNT SECONDS` prints one JSON object: seconds to list COUNT recordings at once;
/// for SECONDS of sound at 48 kHz in chunks of a quarter of a second, the 95th percentile of the seconds to store a
/// chunk, the processor time per second of sound, and the seconds to make a recording of it; and the peak memory in
/// megabytes. The folder must be empty.
struct RecordingBenchmark {
    private let folder: LibraryFolder
    private let count: Int
    private let seconds: Int
    private let clock = ContinuousClock()
    private static let rate = 48_000

    init(arguments: [String]) throws {
        guard arguments.count == 5, let count = Int(arguments[3]), let seconds = Int(arguments[4]), seconds > 0 else {
            throw BenchmarkError.usage
        }
        folder = LibraryFolder(path: arguments[2])
        (self.count, self.seconds) = (count, seconds)
    }

    func run() async throws {
        // Not secret: the data it unlocks is made up.
        let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        let database = try LibraryDatabase(in: folder, key: key)
        let contents = try ContentStore(path: "\(folder.path)/blobs", identities: [AgeIdentity(scalar: key)])
        let list = try await list(StoredLibrary(database: database, contents: contents))
        let (append, processor, finish) = try await record(
            into: StoredRecordings(database: database, contents: contents)
        )
        try database.close()
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        let memory = Double(usage.ru_maxrss) * 1_024 / 1e6
        print(
            #"{"list":\#(list),"append":\#(append),"processor":\#(processor),"finish":\#(finish),"memory":\#(memory)}"#
        )
    }

    private func list(_ library: StoredLibrary) async throws -> Double {
        try await library.add((0..<count).map(Self.recording))
        var query = AudioQuery()
        query.origins = [.recorded]
        query.order = .size
        query.limit = count
        let begun = clock.now
        guard try await library.items(matching: query).items.count == count else { throw BenchmarkError.input }
        return (clock.now - begun) / .seconds(1)
    }

    private func record(into recordings: StoredRecordings) async throws -> (Double, Double, Double) {
        let order = try RecordingOrder(name: "Long", sampleRate: Self.rate, source: .microphone)
        let id = try await recordings.begin(order).id
        let samples = (0..<Self.rate / 4).map { Int16(truncatingIfNeeded: $0 &* 31) }
        var times: [Duration] = []
        let before = Self.processorTime
        for number in 0..<4 * seconds {
            let begun = clock.now
            try await recordings.append(RecordingChunk(number: number, samples: samples), to: id)
            times.append(clock.now - begun)
        }
        let processor = (Self.processorTime - before) / Double(seconds)
        let begun = clock.now
        _ = try await recordings.finish(id)
        let finish = (clock.now - begun) / .seconds(1)
        return (times.sorted()[times.count * 95 / 100] / .seconds(1), processor, finish)
    }

    /// The processor time of this process, in seconds.
    private static var processorTime: Double {
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    private static func recording(_ number: Int) throws -> SealedRecording {
        let text = (0..<60).map { "word\((number &* 31 &+ $0) % 20_000)" }.joined(separator: " ")
        let item = AudioItem(
            name: try ItemName("Recording \(number)"),
            created: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60),
            duration: Double(number % 6_000) / 10,
            size: 1_000 * (number % 977),
            sampleRate: rate,
            language: "en",
            words: 60,
            origin: .recorded()
        )
        let digits = String(number, radix: 16)
        guard let id = ContentID(String(repeating: "0", count: 32 - digits.count) + digits) else {
            throw BenchmarkError.input
        }
        let content = ContentReference(id: id, sealedSize: 100_000, headerHash: Data(count: 32), length: 99_000)
        return SealedRecording(item: item, text: text, timings: [], content: content)
    }
}
