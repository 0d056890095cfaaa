package import EchoText
import Foundation
import GRDB

/// Single sentences of recordings, spoken again.
extension StoredLibrary {
    package func cues(of id: AudioItem.ID) async throws -> [SubtitleCue]? {
        try await database.read { try Self.cues(of: id, in: $0) }
    }

    package func replace(
        _ sentence: TimedSentence,
        with spoken: SpokenSentence,
        in id: AudioItem.ID
    ) async throws -> AudioItem {
        let (item, old, replacement) = try await database.read { database in
            let item = try Self.item(id, in: database)
            let times = item.captionTimes(of: try Self.cues(of: id, in: database))
            let sentences = try Self.timings(of: id, in: database).sentences
            guard let replacement = sentences.replacing(sentence, with: spoken, keeping: times) else {
                throw LibraryError.recordingChanged
            }
            return (item, try Self.content(of: id, in: database), replacement)
        }
        let sound = try await contents.sound(of: old)
        let reader = try await RecordingReader(of: sound)
        let end = replacement.edits.map(\.samples.upperBound).max() ?? 0
        guard end <= reader.count else { throw VaultError.contentDamaged }
        let changed = item.lasting(samples: reader.count + replacement.growth)
        let length = changed.size - WAVHeader.plainLength
        guard length <= WAVHeader.maximumPlainData else { throw LibraryError.recordingTooLong }
        let spliced = SplicedSound(sound, header: reader.header(of: length), replacement.edits)
        let new = try await contents.write(name: .recording, length: changed.size, notedIn: database) {
            try await spliced.next()
        }
        let isFile: Bool
        do {
            isFile = try await database.write { database in
                // Another process may have been faster, or has deleted it; the times are those of its content.
                guard try Self.content(of: id, in: database).id == old.id else { throw LibraryError.recordingChanged }
                try Self.store(replacement, of: changed, in: database)
                try new.insert(into: database)
                try database.execute(
                    sql: "UPDATE item SET duration = ?, size = ?, content = ? WHERE id = ?",
                    arguments: [changed.duration, changed.size, new.id.text, id.rawValue]
                )
                // A file that was its sound as it came stays as it came.
                try database.execute(
                    sql: """
                        UPDATE itemFile SET content = ?, isSound = 0
                        WHERE isSound = 1 AND item = (SELECT key FROM item WHERE id = ?)
                        """,
                    arguments: [old.id.text, id.rawValue]
                )
                if database.changesCount > 0 { return true }
                try old.delete(from: database)
                return false
            }
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            try? await contents.delete([new])
            throw error
        }
        // The new sound is stored; a file that stays behind is swept away later.
        if !isFile { try? await contents.delete([old]) }
        return try await self.item(id) ?? changed
    }

    /// Changes the times and marks of `item`.
    private static func store(
        _ replacement: SentenceReplacement,
        of item: AudioItem,
        in database: Database
    ) throws {
        let text = try timings(of: item.id, in: database).text
        let key = try AudioItem.key(of: item.id, in: database)
        try database.execute(
            sql: "UPDATE itemText SET timings = ? WHERE item = ?",
            arguments: [TimingTableCodec.encode(replacement.sentences, of: text), key]
        )
        let marks = try marks(ofKey: key, in: database).moved(by: replacement.edits)
        try database.execute(sql: "DELETE FROM itemMark WHERE item = ?", arguments: [key])
        try item.insert(marks, into: database, key: key)
    }

    private static func item(_ id: AudioItem.ID, in database: Database) throws -> AudioItem {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM item WHERE id = ?", arguments: [id.rawValue])
        guard let row else { throw LibraryError.itemNotFound }
        return try AudioItem(row: row)
    }

    private static func timings(
        of id: AudioItem.ID,
        in database: Database
    ) throws -> (text: [UInt16], sentences: [TimedSentence]) {
        let sql = "SELECT text, timings FROM itemText JOIN item ON item.key = itemText.item WHERE item.id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
            throw LibraryError.itemNotFound
        }
        let text = Array(String(decoding: row["text"] as Data, as: UTF8.self).utf16)
        return (text, try TimingTableCodec.decode(row["timings"], of: text))
    }

    private static func cues(of id: AudioItem.ID, in database: Database) throws -> [SubtitleCue]? {
        let sql = "SELECT cues FROM itemText JOIN item ON item.key = itemText.item WHERE item.id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else {
            throw LibraryError.itemNotFound
        }
        guard let stored = row["cues"] as Data? else { return nil }
        // The details of a mismatch would not help a person.
        guard let cues = try? JSONDecoder().decode([SubtitleCue].self, from: stored) else {
            throw VaultError.databaseDamaged
        }
        return cues
    }
}

extension RecordingReader {
    /// The header of a WAV file at this rate.
    fileprivate func header(of length: Int) -> Data {
        Data(WAVHeader(sampleRate: sampleRate, dataLength: Int64(length)).bytes)
    }
}

/// A WAV file that is another one with some of its samples replaced.
private actor SplicedSound {
    private enum Part {
        case bytes(Data)
        /// A range of bytes of the other file.
        case range(Range<Int>)
    }

    private static let longest = 1 << 20  // bytes

    private let sound: any StoredSound
    private var parts: ArraySlice<Part>

    /// - Parameters:
    ///   - sound: The other file.
    ///   - header: The header of the new one.
    ///   - edits: What is replaced, in order.
    init(_ sound: any StoredSound, header: Data, _ edits: [SoundEdit]) {
        self.sound = sound
        var start = WAVHeader.plainLength
        parts = [.bytes(header)]
        for edit in edits {
            parts.append(.range(start..<WAVHeader.plainLength + 2 * edit.samples.lowerBound))
            // Little-endian, as every machine is that Swift runs on.
            parts.append(.bytes(edit.sound.withUnsafeBytes { Data($0) }))
            start = WAVHeader.plainLength + 2 * edit.samples.upperBound
        }
        parts.append(.range(start..<sound.length))
    }

    func next() async throws -> Data? {
        while let part = parts.popFirst() {
            switch part {
            case .bytes(let data):
                if !data.isEmpty { return data }
            case .range(let range):
                guard !range.isEmpty else { continue }
                let piece = range.prefix(Self.longest)
                parts.insert(.range(piece.upperBound..<range.upperBound), at: parts.startIndex)
                return try await sound.read(piece)
            }
        }
        return nil
    }
}
