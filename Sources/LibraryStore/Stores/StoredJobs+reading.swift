package import EchoText
import Foundation
import GRDB

extension StoredJobs {
    package func text(ofJob id: AudioItem.ID) async throws -> String {
        try await database.read { database in
            String(decoding: try Self.row(of: id, in: database)["text"] as Data, as: UTF8.self)
        }
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
                let range = first..<min(segment.samples, first + limit)
                let width = MemoryLayout<Int16>.size
                let sound = try await contents.sound(of: segment.reference)
                let data = try await sound.read(range.lowerBound * width..<range.upperBound * width)
                // Little-endian, as every machine is that Swift runs on.
                return data.withUnsafeBytes { bytes in
                    (0..<range.count).map { bytes.loadUnaligned(fromByteOffset: $0 * width, as: Int16.self) }
                }
            }
            offset += segment.samples
        }
        return []
    }
}
