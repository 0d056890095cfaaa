package import EchoText
import Foundation
import GRDB

extension StoredRecordings {
    package func samples(of id: AudioItem.ID, from start: Int, limit: Int) async throws -> [Int16] {
        let stretch = try await database.read { try Stretch(from: max(0, start), limit: limit, of: id, in: $0) }
        switch stretch {
        case .sound(let data): return data.samples
        case .silence(let count): return Array(repeating: 0, count: count)
        case .file(let reference, let bytes): return try await read(bytes, of: reference, ofSession: id).samples
        }
    }

    /// The stored sound from a given sample, at one moment.
    private enum Stretch: Sendable {
        case sound(Data)
        /// A gap of missing sound, with its length in samples.
        case silence(Int)
        case file(ContentReference, Range<Int>)

        init(from start: Int, limit: Int, of id: AudioItem.ID, in database: Database) throws {
            let session = try RecordingSession(row: StoredRecordings.row(of: id, in: database))
            guard start < session.samples, limit > 0 else {
                self = .sound(Data())
                return
            }
            let piece = try RecordedPiece.first(from: start, of: id, in: database)
            let place = piece?.samples ?? session.samples..<session.samples
            guard let piece, place.lowerBound <= start else {
                self = .silence(min(limit, min(place.lowerBound, session.samples) - start))
                return
            }
            let first = 2 * (start - place.lowerBound)
            let bytes = first..<first + 2 * min(limit, place.upperBound - start)
            switch piece.place {
            case .row(let key):
                guard let sound = try RecordedPiece.sound(ofRow: key, in: database), bytes.upperBound <= sound.count
                else { throw VaultError.databaseDamaged }
                self = .sound(sound[bytes])
            case .file(let reference): self = .file(reference, bytes)
            }
        }
    }

    /// A session that becomes a recording meanwhile loses its files; the error is then that the session is missing, not
    /// a file.
    private func read(
        _ bytes: Range<Int>,
        of reference: ContentReference,
        ofSession id: AudioItem.ID
    ) async throws -> Data {
        do {
            return try await contents.sound(of: reference).read(bytes)
        } catch VaultError.contentMissing {
            _ = try await database.read { try RecordingSession(row: StoredRecordings.row(of: id, in: $0)) }
            throw VaultError.contentMissing
        }
    }
}

extension Data {
    /// Little-endian, as every machine is that Swift runs on.
    fileprivate var samples: [Int16] {
        withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
        }
    }
}
