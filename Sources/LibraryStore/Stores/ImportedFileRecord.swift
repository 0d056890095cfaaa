import Crypto
import EchoText
import Foundation
import GRDB

/// The row of the file that a recording is imported from: its digest, and its own bytes where they are kept.
///
/// The digest needs no key, because it is in the encrypted database alone.
struct ImportedFileRecord: Sendable {
    /// In bytes.
    let size: Int
    /// SHA-256.
    let digest: Data
    /// The sealed bytes; their row is added by ``insert(item:into:)``.
    let reference: ContentReference?
    /// Whether the sound of the recording is the file, byte for byte.
    let isSound: Bool
    /// Whether another recording that was imported from the same file has its sealed bytes.
    let isShared: Bool
    /// Whether it is refused once another recording was imported from the same bytes with the same choice of track.
    let isUnique: Bool

    /// Describes a file whose bytes another recording has.
    init(sharing digest: Data, size: Int, isUnique: Bool) {
        (self.size, self.digest, reference, isSound, isShared) = (size, digest, nil, false, true)
        self.isUnique = isUnique
    }

    /// Reads the file, and seals what it reads unless that is sealed already.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: Its name, as far as it is known.
    ///   - sound: The sealed sound of the recording.
    ///   - contents: The place for the sealed bytes.
    ///   - database: Where the row will be.
    /// - Throws: ``VaultError``, what reading throws, and `CancellationError`; nothing is stored then.
    init(
        _ file: ImportedFile,
        called name: String?,
        beside sound: ContentReference,
        in contents: any SealedContents,
        notedIn database: LibraryDatabase
    ) async throws {
        size = file.bytes.length
        isShared = false
        isUnique = file.isUnique
        if file.isKept, size == sound.length {
            let known = try await Self.digest(of: file.bytes)
            if try await Self.digest(of: contents.sound(of: sound)) == known {
                (digest, reference, isSound) = (known, nil, true)
                return
            }
        }
        isSound = false
        let pieces = FilePieces(file.bytes)
        if file.isKept {
            let sealed = SealedName.imported(ending: name?.fileEnding?.lowercased())
            reference = try await contents.write(name: sealed, length: size, notedIn: database) {
                try await pieces.next()
            }
            digest = await pieces.digest
        } else {
            reference = nil
            digest = try await pieces.finished()
        }
    }

    /// Removes the row of damaged bytes; the recording that had them shares those of another one from then on.
    static func forget(_ damaged: ContentReference, in database: Database) throws {
        try database.execute(
            sql: "UPDATE itemFile SET content = NULL, isShared = 1 WHERE content = ?",
            arguments: [damaged.id.text]
        )
        try damaged.delete(from: database)
    }

    /// Computes the digest of a whole file.
    ///
    /// - Throws: What reading throws, and `CancellationError`.
    static func digest(of bytes: any StoredBytes) async throws -> Data { try await FilePieces(bytes).finished() }

    /// Returns the record of one that shares its bytes; `nil` unless a sealed file other than those `seen` has them too.
    func shared(since seen: Set<ContentID>, in database: Database) throws -> ImportedFileRecord? {
        guard reference != nil else { return nil }
        let sql = "SELECT content FROM itemFile WHERE size = ? AND digest = ? AND content IS NOT NULL"
        let known = Set(seen.map(\.text))
        let isTwin = try String.fetchAll(database, sql: sql, arguments: [size, digest]).contains { !known.contains($0) }
        return isTwin ? ImportedFileRecord(sharing: digest, size: size, isUnique: isUnique) : nil
    }

    /// The recordings that were imported from bytes of this size and digest and can be read, the oldest first.
    static func items(size: Int, digest: Data, in database: Database) throws -> [AudioItem] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT item.* FROM item JOIN itemFile ON itemFile.item = item.key
                WHERE itemFile.size = ? AND itemFile.digest = ? ORDER BY item.created, item.key
                """,
            arguments: [size, digest]
        ).compactMap { row in
            // A damaged one is in no list, so that it is not there for a person.
            try? AudioItem(row: row)
        }
    }

    /// Checks that `item` may be the recording of the file.
    ///
    /// - Throws: ``LibraryError/recordingThere(name:)`` where another one is, and the file is unique.
    func admit(_ item: AudioItem, in database: Database) throws {
        guard isUnique else { return }
        let others = try Self.items(size: size, digest: digest, in: database)
        if let there = others.first(where: { $0.source?.track == item.source?.track }) {
            throw LibraryError.recordingThere(name: there.name.text)
        }
    }

    /// Adds the row of the file, and of its sealed bytes.
    ///
    /// - Throws: ``LibraryError/fileNotKept`` where the recording whose bytes are to be shared no longer has them.
    func insert(item key: Int64, into database: Database) throws {
        try reference?.insert(into: database)
        if isShared {
            let sql = "SELECT EXISTS (SELECT * FROM itemFile WHERE size = ? AND digest = ? AND content IS NOT NULL)"
            let isThere = try Bool.fetchOne(database, sql: sql, arguments: [size, digest]) ?? false
            guard isThere else { throw LibraryError.fileNotKept }
        }
        try database.execute(
            sql: "INSERT INTO itemFile (item, size, digest, content, isSound, isShared) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [key, size, digest, reference?.id.text, isSound, isShared]
        )
    }
}

/// The bytes of a file in pieces, whose digest is computed as they are read.
private actor FilePieces {
    private static let longest = 1 << 20  // bytes

    private let bytes: any StoredBytes
    private var hash = SHA256()
    private var position = 0

    init(_ bytes: any StoredBytes) {
        self.bytes = bytes
    }

    /// The digest of the bytes that were read.
    var digest: Data { Data(hash.finalize()) }

    /// `nil` at the end.
    func next() async throws -> Data? {
        try Task.checkCancellation()
        guard position < bytes.length else { return nil }
        let range = position..<min(bytes.length, position + Self.longest)
        position = range.upperBound
        let piece = try await bytes.read(range)
        hash.update(data: piece)
        return piece
    }

    /// Reads what is left, and returns the digest of all.
    func finished() async throws -> Data {
        while try await next() != nil {}
        return digest
    }
}
