import EchoText
import Foundation
import LibraryStore

/// Fills a library with recordings once, and measures the cost of listing them.
///
/// `echotext-bench library FOLDER COUNT` prints one JSON object: the seconds to open the library, and the 95th
/// percentile in seconds of many calls to list a page, sort, filter and search.
///
/// `echotext-bench vault FOLDER DEVICE COUNT` only fills a library with its keys, which the program can open.
struct LibraryBenchmark {
    let folder: LibraryFolder
    let count: Int
    private static let rounds = 200

    init(arguments: [String]) throws {
        guard arguments.count == 4, let count = Int(arguments[3]) else { throw BenchmarkError.usage }
        folder = LibraryFolder(path: arguments[2])
        self.count = count
    }

    /// Not secret: the data it unlocks is made up.
    private var key: SecretBytes { SecretBytes(copying: [UInt8](repeating: 7, count: 32)) }

    func run() async throws {
        try await fill()
        let clock = ContinuousClock()
        let begun = clock.now
        let database = try LibraryDatabase(in: folder, key: key)
        let library = StoredLibrary(database: database, contents: NoContents())
        _ = try await library.items(matching: AudioQuery())
        let open = (clock.now - begun) / .seconds(1)
        var dice = Dice(seed: 1)
        let page = try await percentile(library, &dice) { $0.offset = 50 * Int($1.next(below: 20)) }
        let sort = try await percentile(library, &dice) { query, dice in
            query.order = AudioQuery.SortOrder.allCases[dice.next(below: 4)]
            query.isAscending = dice.next(below: 2) == 0
        }
        let filter = try await percentile(library, &dice) { query, dice in
            let speed = 0.5 + Double(dice.next(below: 10)) / 10
            query.speed = speed...speed + 0.2
            query.duration = 10...Double(20 + dice.next(below: 600))
            if dice.next(below: 2) == 0 { query.isFavorite = true }
            if dice.next(below: 2) == 0 { query.voices = [Self.voice(dice.next(below: 20))] }
        }
        let search = try await percentile(library, &dice, searching: true) { query, dice in
            let words = (0...dice.next(below: 2)).map { _ in Self.word(dice.next(below: 20_000)) }
            query.words = words.joined(separator: " ")
        }
        try database.close()
        print(#"{"open":\#(open),"page":\#(page),"sort":\#(sort),"filter":\#(filter),"search":\#(search)}"#)
    }

    /// Seconds that 95 of 100 calls do not exceed.
    private func percentile(
        _ library: StoredLibrary,
        _ dice: inout Dice,
        searching: Bool = false,
        _ change: (inout AudioQuery, inout Dice) -> Void
    ) async throws -> Double {
        let clock = ContinuousClock()
        var times: [Duration] = []
        for _ in 0..<Self.rounds {
            var query = AudioQuery()
            change(&query, &dice)
            let begun = clock.now
            if searching { _ = try await library.search(query) } else { _ = try await library.items(matching: query) }
            times.append(clock.now - begun)
        }
        return times.sorted()[Self.rounds * 95 / 100 - 1] / .seconds(1)
    }

    // MARK: - What is in it

    static func fillVault(arguments: [String]) async throws {
        guard arguments.count == 5, let count = Int(arguments[4]) else { throw BenchmarkError.usage }
        let places = VaultPaths(library: arguments[2], device: arguments[3], runtime: nil)
        try await LibraryVault(places).use { library in
            guard let stored = library.audio as? StoredLibrary else { throw BenchmarkError.usage }
            try await fill(stored, upTo: count)
        }
    }

    private func fill() async throws {
        let database = try LibraryDatabase(in: folder, key: key)
        try await Self.fill(StoredLibrary(database: database, contents: NoContents()), upTo: count)
        try database.close()
    }

    private static func fill(_ library: StoredLibrary, upTo count: Int) async throws {
        var present = try await library.items(matching: AudioQuery()).total
        var dice = Dice(seed: 2)
        while present < count {
            let batch = (0..<min(1_000, count - present)).map { recording(present + $0, &dice) }
            try await library.add(batch)
            present += batch.count
        }
    }

    private static func recording(_ number: Int, _ dice: inout Dice) -> SealedRecording {
        let words = (0..<60).map { _ in Self.word(min(dice.next(below: 20_000), dice.next(below: 20_000))) }
        let text = words.joined(separator: " ") + "."
        let voice = dice.next(below: 20)
        let item = AudioItem(
            name: ItemName(firstWordsOf: text) ?? "Recording",
            created: Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 60),
            duration: Double(dice.next(below: 6_000)) / 10,
            size: 100_000,
            sampleRate: 22_050,
            language: "en-US",
            words: words.count,
            isFavorite: dice.next(below: 10) == 0,
            origin: .narrated(narration(voice, &dice))
        )
        return SealedRecording(item: item, text: text, timings: timings(of: words, text), content: content(number))
    }

    private static func narration(_ voice: Int, _ dice: inout Dice) -> NarrationOrigin {
        NarrationOrigin(
            voice: Self.voice(voice),
            voiceName: "Voice \(voice)",
            speaker: 0,
            engine: .espeakNG,
            speed: 0.5 + Double(dice.next(below: 11)) / 10,
            pitch: 1
        )
    }

    private static func timings(of words: [String], _ text: String) -> [TimedSentence] {
        var place = 0
        let timed = words.enumerated().map { index, word in
            defer { place += word.utf16.count + 1 }
            return TimedWord(
                source: place..<place + word.utf16.count,
                samples: index * 8_000..<index * 8_000 + 7_000,
                precision: .exact
            )
        }
        return [TimedSentence(source: 0..<text.utf16.count, text: text, samples: 0..<480_000, words: timed)]
    }

    private static func content(_ number: Int) -> ContentReference {
        let digits = String(number, radix: 16)
        guard let id = ContentID(String(repeating: "0", count: 32 - digits.count) + digits) else {
            preconditionFailure("a content's id has 32 digits")
        }
        return ContentReference(id: id, sealedSize: 100_000, headerHash: Data(count: 32), length: 99_000)
    }

    private static func voice(_ number: Int) -> Voice.ID { Voice.ID(rawValue: "espeak/voice-\(number)") }

    /// A made-up word with the letters of four to six syllables; the same number always gives the same word.
    private static func word(_ number: Int) -> String {
        var rest = number
        var word = ""
        for _ in 0..<4 {
            word += ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "da", "fi"][rest % 12]
            rest /= 12
        }
        return word
    }
}

/// Returns the same numbers every time (SplitMix64).
private struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}

/// Nothing is played here.
private struct NoContents: SealedContents {
    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        throw VaultError.contentMissing
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound { throw VaultError.contentMissing }

    func delete(_ references: [ContentReference]) async throws {}
}
