import Crypto
package import EchoText
import Foundation
import GRDB

/// The speech cache: phrases in the encrypted database, their sound in encrypted files next to it.
package actor StoredSpeech: SpeechCache {
    private let database: LibraryDatabase
    private let contents: any SealedContents
    /// The most bytes of sound in the cache.
    private let limit: @Sendable () async throws -> Int
    /// The uses since the last time they were stored.
    private var used: Set<Int64> = []

    /// - Parameters:
    ///   - database: The database with the phrases.
    ///   - contents: The files with their sound.
    ///   - limit: Returns the most bytes of sound in the cache; called whenever something is added.
    package init(
        database: LibraryDatabase,
        contents: any SealedContents,
        limit: @escaping @Sendable () async throws -> Int
    ) {
        self.database = database
        self.contents = contents
        self.limit = limit
    }

    // MARK: - Finding

    package func speech(for request: SpeechRequest) async throws -> SpeechFragment? {
        let digest = Data(SHA256.hash(data: request.canonical))
        guard let found = try await phrase(digest) else { return nil }
        let width = MemoryLayout<Int16>.size
        let bytes: Data
        do {
            let sound = try await contents.sound(of: found.reference)
            let end = sound.length / width
            guard found.start <= end, found.samples <= end - found.start else { throw VaultError.contentDamaged }
            bytes = try await sound.read(found.start * width..<(found.start + found.samples) * width)
        } catch VaultError.contentMissing, VaultError.contentDamaged {
            // It will be synthesized again.
            try await forget([found.speech])
            return nil
        }
        used.insert(found.speech)
        let samples = bytes.withUnsafeBytes { [Int16](samplesIn: $0) }
        let clip = AudioClip(pcm16: samples, sampleRate: found.sampleRate)
        return SpeechFragment(clip: clip, marks: found.marks).moved(by: request.start)
    }

    private struct Phrase: Sendable {
        let speech: Int64
        let reference: ContentReference
        let start: Int
        let samples: Int
        let sampleRate: Int
        let marks: [TimedWord]
    }

    private func phrase(_ digest: Data) async throws -> Phrase? {
        try await database.read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT phrase.*, \(ContentReference.columns) FROM phrase JOIN speech ON speech.key = phrase.speech
                    JOIN content ON content.id = speech.content WHERE digest = ?
                    """,
                arguments: [digest]
            ).map { row in
                let marks = try TimingTableCodec.decode(row["marks"], of: nil).flatMap(\.words)
                return Phrase(
                    speech: row["speech"],
                    reference: try ContentReference(row: row),
                    start: row["start"],
                    samples: row["samples"],
                    sampleRate: row["sampleRate"],
                    marks: marks
                )
            }
        }
    }

    // MARK: - Keeping

    package func keep(_ speech: [(request: SpeechRequest, fragment: SpeechFragment)]) async throws {
        let limit = try await limit()
        var sound = Data()
        var rows: [(digest: Data, start: Int, fragment: SpeechFragment)] = []
        for (request, fragment) in speech where limit > 0 {
            let start = sound.count / MemoryLayout<Int16>.size
            fragment.clip.pcm16.withUnsafeBytes { sound.append(contentsOf: $0) }
            let digest = Data(SHA256.hash(data: request.canonical))
            rows.append((digest, start, fragment.moved(by: -request.start)))
        }
        if !rows.isEmpty {
            let reference = try await contents.write(sound, name: .speech)
            do {
                try await insert(rows, reference)
            } catch {
                // Nothing refers to it; where it stays, a check counts it.
                try? await contents.delete([reference])
                throw error
            }
        }
        try await drop(downTo: limit)
    }

    private func insert(_ rows: [(digest: Data, start: Int, fragment: SpeechFragment)], _ reference: ContentReference)
        async throws
    {
        let touched = used
        try await database.write { database in
            let next = "(SELECT coalesce(max(used), 0) + 1 FROM speech)"
            for key in touched {
                try database.execute(sql: "UPDATE speech SET used = \(next) WHERE key = ?", arguments: [key])
            }
            try reference.insert(into: database)
            try database.execute(
                sql: "INSERT INTO speech (content, size, used) VALUES (?, ?, \(next))",
                arguments: [reference.id.text, reference.length]
            )
            let key = database.lastInsertedRowID
            for row in rows {
                try database.execute(
                    sql: """
                        INSERT OR REPLACE INTO phrase (digest, speech, start, samples, sampleRate, marks)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        row.digest, key, row.start, row.fragment.clip.samples.count, row.fragment.clip.sampleRate,
                        row.fragment.markTable,
                    ]
                )
            }
        }
        used.subtract(touched)
    }

    private func drop(downTo limit: Int) async throws {
        let newest = try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT key, size FROM speech ORDER BY used DESC, key DESC")
                .map { (key: $0["key"] as Int64, size: $0["size"] as Int) }
        }
        var left = limit
        let kept = newest.prefix { row in
            guard row.size <= left else { return false }
            left -= row.size
            return true
        }
        let gone = newest.dropFirst(kept.count)
        if !gone.isEmpty { try await forget(gone.map(\.key)) }
    }

    private func forget(_ keys: [Int64]) async throws {
        let references = try await database.writeToFree { database in
            try keys.compactMap { key -> ContentReference? in
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT \(ContentReference.columns) FROM speech JOIN content ON content.id = speech.content
                        WHERE key = ?
                        """,
                    arguments: [key]
                )
                try database.execute(sql: "DELETE FROM speech WHERE key = ?", arguments: [key])
                let reference = try row.map(ContentReference.init(row:))
                try reference?.delete(from: database)
                return reference
            }
        }
        used.subtract(keys)
        try await contents.delete(references)
    }

    package func size() async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT coalesce(sum(size), 0) FROM speech") ?? 0 }
    }

    package func clear() async throws {
        try await forget(try await database.read { try Int64.fetchAll($0, sql: "SELECT key FROM speech") })
    }
}

extension SpeechFragment {
    /// The marks as a timing table of one sentence without a text.
    fileprivate var markTable: Data {
        let sentence = TimedSentence(source: 0..<0, text: "", samples: 0..<clip.samples.count, words: marks)
        return TimingTableCodec.encode([sentence], of: nil)
    }
}
