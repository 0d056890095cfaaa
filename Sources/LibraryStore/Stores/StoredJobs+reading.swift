package import EchoText
import Foundation
import GRDB

extension StoredJobs {
    package func text(ofJob id: AudioItem.ID) async throws -> String {
        try await database.read { database in
            String(decoding: try Self.row(of: id, in: database)["text"] as Data, as: UTF8.self)
        }
    }

    package func save(heard seconds: Double, ofJob id: AudioItem.ID) async throws {
        try await database.write { database in
            try database.execute(sql: "UPDATE job SET heard = ? WHERE id = ?", arguments: [seconds, id.rawValue])
            guard database.changesCount == 1 else { throw LibraryError.jobNotFound }
        }
    }

    package func heard(ofJob id: AudioItem.ID) async throws -> Double {
        try await database.read { try Self.row(of: id, in: $0)["heard"] }
    }

    package func timings(ofJob id: AudioItem.ID) async throws -> [TimedSentence] {
        let tables = try await database.read { database in
            _ = try Self.row(of: id, in: database)
            return try Self.segments(of: id, in: database).map(\.timings)
        }
        return try tables.flatMap { try TimingTable.decode($0, of: nil) }
    }

    package func samples(ofJob id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16] {
        let segments = try await database.read { database in
            _ = try Self.row(of: id, in: database)
            return try Self.segments(of: id, in: database)
        }
        var offset = 0
        for segment in segments {
            let first = max(0, start - offset)
            if first < segment.samples {
                let range = first..<first + min(limit, segment.samples - first)
                let width = MemoryLayout<Int16>.size
                let bytes = range.lowerBound * width..<range.upperBound * width
                let data = try await read(bytes, of: segment.reference, ofJob: id)
                // Little-endian, as every machine is that Swift runs on.
                return data.withUnsafeBytes { bytes in
                    (0..<range.count).map { bytes.loadUnaligned(fromByteOffset: $0 * width, as: Int16.self) }
                }
            }
            offset += segment.samples
        }
        return []
    }

    /// A job that becomes a recording meanwhile loses its files; the error is then that the job is missing, not a file.
    private func read(_ bytes: Range<Int>, of reference: ContentReference, ofJob id: AudioItem.ID) async throws -> Data
    {
        do {
            let sound = try await contents.sound(of: reference)
            guard bytes.upperBound <= sound.length else { throw VaultError.contentDamaged }
            return try await sound.read(bytes)
        } catch VaultError.contentMissing {
            try await database.read { _ = try Self.row(of: id, in: $0) }
            throw VaultError.contentMissing
        }
    }
}
