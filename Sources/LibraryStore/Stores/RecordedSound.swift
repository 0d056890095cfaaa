import Crypto
import EchoText
import Foundation
import GRDB

/// A WAV file made from the pieces of a session; damaged or missing samples are silent.
actor RecordedSound {
    /// The ranges of damaged or missing samples, in order.
    private(set) var lost: [Range<Int>] = []

    private var header: Data?
    private let end: Int
    /// Whether sound that cannot be read now is silence, too.
    private let keepsPart: Bool
    private var position = 0
    private var pieces: ArraySlice<RecordedPiece>
    /// The open source of the first of ``pieces``.
    private var source: Source?
    /// The hash of the bytes that were handed out; `nil` where no digest is wanted.
    private var hash: SHA256?
    private let database: LibraryDatabase
    private let contents: any SealedContents
    /// Samples that are read at once, and so few that little is lost with them: a sealed file is authenticated 64 KiB at a time.
    private static let (stretch, least) = (1 << 19, 1 << 14)

    private enum Source {
        case bytes(Data)
        case file(any StoredSound)
        case nothing
    }

    init(
        of session: RecordingSession,
        in pieces: [RecordedPiece],
        keepsPart: Bool,
        isDigested: Bool,
        database: LibraryDatabase,
        contents: any SealedContents
    ) {
        hash = isDigested ? SHA256() : nil
        header = Data(
            WAVHeader(sampleRate: session.order.sampleRate, dataLength: Int64(2 * session.samples)).bytes
        )
        end = session.samples
        self.pieces = pieces[...]
        self.keepsPart = keepsPart
        self.database = database
        self.contents = contents
    }

    /// The digest of the bytes that were handed out, as ``SoundDigest`` has it; `nil` where none is wanted.
    var digest: String? { hash.map { SoundDigest.text(of: $0) } }

    func next() async throws -> Data? {
        let bytes = try await nextBytes()
        if let bytes { hash?.update(data: bytes) }
        return bytes
    }

    private func nextBytes() async throws -> Data? {
        if let header {
            self.header = nil
            return header
        }
        while let piece = pieces.first, piece.samples.upperBound <= position {
            pieces.removeFirst()
            source = nil
        }
        guard position < end else { return nil }
        let limit = min(end, position + Self.stretch)
        guard let piece = pieces.first, piece.samples.lowerBound < limit else { return silence(until: limit) }
        guard piece.samples.lowerBound <= position else { return silence(until: piece.samples.lowerBound) }
        let range = position..<min(limit, piece.samples.upperBound)
        if source == nil { source = try await open(piece) }
        if let sound = try await read(range, of: piece) {
            position = range.upperBound
            return sound
        }
        var sound = Data()
        while position < range.upperBound {
            let part = position..<min(range.upperBound, position + Self.least)
            if let read = try await read(part, of: piece) {
                sound += read
                position = part.upperBound
            } else {
                sound += silence(until: part.upperBound)
            }
        }
        return sound
    }

    private func silence(until end: Int) -> Data {
        if let last = lost.last, last.upperBound == position {
            lost[lost.count - 1] = last.lowerBound..<end
        } else {
            lost.append(position..<end)
        }
        defer { position = end }
        return Data(count: 2 * (end - position))
    }

    private func open(_ piece: RecordedPiece) async throws -> Source {
        try await valueUnlessDamaged {
            switch piece.place {
            case .row(let key):
                let sound = try await database.read { try RecordedPiece.sound(ofRow: key, in: $0) }
                return sound.map { .bytes($0) }
            case .file(let reference): return .file(try await contents.sound(of: reference))
            }
        } ?? .nothing
    }

    /// `nil` when a part of it cannot be read.
    private func read(_ range: Range<Int>, of piece: RecordedPiece) async throws -> Data? {
        let start = piece.samples.lowerBound
        let bytes = 2 * (range.lowerBound - start)..<2 * (range.upperBound - start)
        switch source {
        case .bytes(let sound): return bytes.upperBound <= sound.count ? Data(sound[bytes]) : nil
        case .file(let sound):
            guard bytes.upperBound <= sound.length else { return nil }
            return try await valueUnlessDamaged { try await sound.read(bytes) }
        case .nothing, nil: return nil
        }
    }

    /// Returns the result of `work`, or `nil` for sound that is permanently damaged or missing.
    ///
    /// Other errors, such as of a disk that cannot be read now, may be temporary.
    private func valueUnlessDamaged<Result>(_ work: () async throws -> Result?) async throws -> Result? {
        do {
            return try await work()
        } catch let error as VaultError {
            switch error {
            case .contentDamaged, .contentMissing, .databaseDamaged: return nil
            case .unsafeFolder, .wrongKey, .system(errno: EIO):
                guard keepsPart else { throw error }
                return nil
            default: throw error
            }
        }
    }
}

/// A range of a session's sound, with its storage.
struct RecordedPiece: Sendable {
    enum Place: Sendable {
        /// A row of `recordedChunk`, by its key.
        case row(Int64)
        case file(ContentReference)
    }

    /// In samples of the session.
    let samples: Range<Int>
    let place: Place

    var reference: ContentReference? { if case .file(let reference) = place { reference } else { nil } }

    /// How many samples a session has whose row states `stated`: those of its pieces where the row has fewer, or more than a
    /// recording can.
    static func count(of pieces: [RecordedPiece], stated: Int) -> Int {
        let most = WAVHeader.maximumPlainData / 2
        let kept = pieces.reduce(0) { $0 + $1.samples.count }
        // A piece whose own place is damaged does not make a sound recording longer.
        guard stated > most || stated < kept else { return stated }
        let end = pieces.map(\.samples.upperBound).filter { $0 <= most }.max() ?? 0
        return stated > most ? end : max(stated, end)
    }

    /// All pieces of a session, in order.
    static func all(of id: AudioItem.ID, in database: Database) throws -> [RecordedPiece] {
        try pieces(in: database, where: "recordingSession.id = ?", [id.rawValue])
    }

    /// Finds the piece that contains a sample, or else the first one after it.
    static func first(from sample: Int, of id: AudioItem.ID, in database: Database) throws -> RecordedPiece? {
        let arguments: StatementArguments = [id.rawValue, sample]
        return try pieces(
            in: database,
            where: "recordingSession.id = ? AND piece.start + piece.samples > ?",
            arguments,
            limit: 1
        )
        .first
    }

    private static func pieces(
        in database: Database,
        where condition: String,
        _ arguments: StatementArguments,
        limit: Int = -1
    ) throws -> [RecordedPiece] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT piece.start, piece.samples, piece.row, \(ContentReference.columns) FROM recordingSession
                JOIN (
                    SELECT session, start, samples, key AS row, NULL AS content FROM recordedChunk
                    UNION ALL SELECT session, start, samples, NULL, content FROM recordedSegment
                ) AS piece ON piece.session = recordingSession.key
                LEFT JOIN content ON content.id = piece.content
                WHERE \(condition) AND (piece.row IS NOT NULL OR content.id IS NOT NULL)
                    AND min(piece.start, piece.samples) >= 0
                    AND max(piece.start, piece.samples) <= \(RowBounds.counts.upperBound)
                ORDER BY piece.start LIMIT \(limit)
                """,
            arguments: arguments
        ).compactMap(RecordedPiece.init(row:))
    }

    /// Fails for a piece with a damaged row, whose sound is missing then.
    private init?(row: Row) {
        let (start, count): (Int, Int) = (row["start"], row["samples"])
        samples = start..<start + count
        if let key = row["row"] as Int64? {
            place = .row(key)
        } else {
            guard let reference = try? ContentReference(row: row) else { return nil }
            place = .file(reference)
        }
    }

    /// The files of a session, also of one whose pieces are damaged.
    static func references(of id: AudioItem.ID, in database: Database) throws -> [ContentReference] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(ContentReference.columns) FROM recordingSession
                JOIN recordedSegment ON recordedSegment.session = recordingSession.key
                JOIN content ON content.id = recordedSegment.content
                WHERE recordingSession.id = ?
                """,
            arguments: [id.rawValue]
        ).map(ContentReference.init(row:))
    }

    /// Whether a session has rows with sound or with a sealed file, also such that cannot be read.
    static func exist(of id: AudioItem.ID, in database: Database) throws -> Bool {
        let sql = """
            SELECT EXISTS (
                SELECT * FROM (
                    SELECT session FROM recordedChunk
                    UNION ALL
                    SELECT recordedSegment.session FROM recordedSegment
                    JOIN content ON content.id = recordedSegment.content
                ) AS piece JOIN recordingSession ON recordingSession.key = piece.session
                WHERE recordingSession.id = ?
            )
            """
        return try Bool.fetchOne(database, sql: sql, arguments: [id.rawValue]) ?? false
    }

    /// The most rows that are looked through for a chunk.
    private static let mostChunks = 4_000

    /// Finds where a chunk begins that is a row of its own.
    ///
    /// - Parameters:
    ///   - behind: Its number from the end of the session; 1 is the last chunk.
    ///   - session: The session.
    ///   - database: The database.
    /// - Returns: Its first sample; `nil` when it, or one after it, is not in a row.
    /// - Throws: What the database throws.
    static func start(
        ofChunk behind: Int,
        beforeEndOf session: RecordingSession,
        in database: Database
    ) throws -> Int? {
        guard (1...mostChunks).contains(behind) else { return nil }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT recordedChunk.start, recordedChunk.samples FROM recordedChunk
                JOIN recordingSession ON recordingSession.key = recordedChunk.session
                WHERE recordingSession.id = ? ORDER BY recordedChunk.start DESC LIMIT ?
                """,
            arguments: [session.id.rawValue, behind]
        )
        guard rows.count == behind else { return nil }
        var end = session.samples
        for row in rows {
            let (start, count): (Int, Int) = (row["start"], row["samples"])
            guard RowBounds.counts.contains(start), RowBounds.counts.contains(count), start + count == end else {
                return nil
            }
            end = start
        }
        return end
    }

    /// The sound of a row, 16-bit mono; `nil` when it is not there any more.
    static func sound(ofRow key: Int64, in database: Database) throws -> Data? {
        try Data.fetchOne(database, sql: "SELECT sound FROM recordedChunk WHERE key = ?", arguments: [key])
    }
}

/// Consecutive chunks of a session that are enough for a file.
struct ChunkRun: Sendable {
    /// The session's key.
    let session: Int64
    /// The first sample.
    let start: Int
    /// How many they are.
    private(set) var chunks = 0
    /// All their sound, 16-bit mono.
    private(set) var sound = Data()

    /// Fails when the session has fewer samples in rows than `least`.
    init?(of id: AudioItem.ID, atLeast least: Int, in database: Database) throws {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT recordingSession.key, min(start) AS start, sum(recordedChunk.samples) AS kept
                FROM recordingSession JOIN recordedChunk ON recordedChunk.session = recordingSession.key
                WHERE recordingSession.id = ? GROUP BY recordingSession.key
                """,
            arguments: [id.rawValue]
        )
        guard let row, row["kept"] as Int >= least else { return nil }
        (session, start) = (row["key"], row["start"])
        guard RowBounds.counts.contains(start) else { throw VaultError.databaseDamaged }
        let chunks = try Row.fetchCursor(
            database,
            sql: "SELECT start, sound FROM recordedChunk WHERE session = ? ORDER BY start",
            arguments: [session]
        )
        while sound.count < 2 * least, let chunk = try chunks.next(), chunk["start"] == start + sound.count / 2 {
            sound += chunk["sound"] as Data
            self.chunks += 1
        }
    }
}

/// A WAV file made from the segments in which it was stored.
actor SegmentedSound {
    private var header: Data?
    private var segments: ArraySlice<ContentReference>
    private let contents: any SealedContents
    private var current: (any StoredSound)?
    private var position = 0
    private static let chunk = 1 << 20  // bytes

    init(header: WAVHeader, segments: [ContentReference], contents: any SealedContents) {
        self.header = Data(header.bytes)
        self.segments = segments[...]
        self.contents = contents
    }

    func next() async throws -> Data? {
        if let header {
            self.header = nil
            return header
        }
        while true {
            if let current, position < current.length {
                let range = position..<min(current.length, position + Self.chunk)
                position = range.upperBound
                return try await current.read(range)
            }
            guard let segment = segments.popFirst() else { return nil }
            current = try await contents.sound(of: segment)
            position = 0
        }
    }
}

/// Sound as bytes, some at a time.
actor SoundChunks {
    private let sound: SampleRuns
    private var position = 0
    private static let longest = 1 << 19  // samples

    init(_ sound: SampleRuns) {
        self.sound = sound
    }

    /// `nil` at the end.
    func next() -> Data? {
        let samples = sound.samples(from: position, limit: Self.longest)
        guard !samples.isEmpty else { return nil }
        position += samples.count
        // Little-endian, as every machine is that Swift runs on.
        return samples.withUnsafeBytes { Data($0) }
    }
}
