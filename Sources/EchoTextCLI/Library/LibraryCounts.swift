import EchoText

/// How many things a person has in a library, for questions and reports about all of it.
struct LibraryCounts: Sendable {
    var recordings = 0
    var documents = 0
    /// Recordings that were not finished and have sound, or cannot be read.
    var unfinishedRecordings = 0
    var unfinishedNarrations = 0
    var speeches = 0
    /// Practice sessions, and the recorded takes in all of them.
    var sessions = 0
    var takes = 0
    /// Entries of the pronunciation dictionary.
    var pronunciations = 0

    /// The counts in words; all but recordings and documents are named only where there are some.
    var words: String {
        var all = [Self.counted(recordings, "recording"), Self.counted(documents, "document")]
        if unfinishedRecordings > 0 { all.append(Self.counted(unfinishedRecordings, "unfinished recording")) }
        if unfinishedNarrations > 0 { all.append(Self.counted(unfinishedNarrations, "unfinished narration")) }
        if speeches > 0 { all.append(Self.counted(speeches, "speech", "speeches")) }
        if sessions > 0 { all.append(Self.counted(sessions, "practice session")) }
        if takes > 0 { all.append(Self.counted(takes, "take")) }
        if pronunciations > 0 { all.append(Self.counted(pronunciations, "pronunciation")) }
        let last = all.removeLast()
        return "\(all.joined(separator: ", ")) and \(last)"
    }

    private static func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
        "\(count) \(count == 1 ? one : several ?? "\(one)s")"
    }

    /// Counts what neither is nor becomes a recording or a document; what is damaged is not counted.
    mutating func countOthers(of library: Library) async throws {
        speeches = try await Self.count { try await library.speeches.speeches().count }
        let practices = try await Self.unlessDamaged { try await library.practice.practices() } ?? []
        sessions = practices.count
        takes = practices.reduce(0) { $0 + ($1.summary?.takes ?? 0) }
        pronunciations = try await Self.count {
            // A dictionary that this version cannot read has entries that nobody can count.
            try await library.settings.dictionary().flatMap { try? PronunciationDictionary(parsing: $0) }?.count ?? 0
        }
    }

    /// Counts what is to become a recording.
    mutating func countUnfinished(of library: Library) async throws {
        unfinishedRecordings = try await Self.count {
            try await library.recordings.sessions().count { $0.samples > 0 || $0.isUnreadable }
        }
        unfinishedNarrations = try await Self.count { try await library.jobs.jobs().count }
    }

    private static func count(_ things: () async throws -> Int) async throws -> Int {
        try await unlessDamaged(things) ?? 0
    }

    private static func unlessDamaged<Value>(_ read: () async throws -> Value) async throws -> Value? {
        do {
            return try await read()
        } catch let error as VaultError where error.isOfOnePart {
            return nil
        }
    }
}
