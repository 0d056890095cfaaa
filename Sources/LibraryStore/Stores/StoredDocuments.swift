import Crypto
package import EchoText
package import Foundation
import GRDB

/// The documents, in the encrypted database, with their files and texts in encrypted files next to it.
package struct StoredDocuments: DocumentLibrary {
    let database: LibraryDatabase
    let contents: any SealedContents

    package init(database: LibraryDatabase, contents: any SealedContents) {
        self.database = database
        self.contents = contents
    }

    // MARK: - Lists

    package func documents(matching query: DocumentQuery) async throws -> DocumentList {
        guard let filter = DocumentFilter(query) else { return DocumentList(documents: [], total: 0) }
        let limit = max(0, query.limit)
        let offset = max(0, query.offset)
        let unreadable = database.unreadableDocuments
        return try await database.read { database in
            let known = unreadable.keys
            do {
                return try filter.list(in: database, limit: limit, offset: offset, without: known)
            } catch VaultError.databaseDamaged {
                let found = try unreadable.find(in: database)
                return try filter.list(in: database, limit: limit, offset: offset, without: found)
            }
        }
    }

    package func languages() async throws -> [String] {
        let tags = try await database.read { database in
            try String.fetchSet(database, sql: "SELECT DISTINCT language FROM document WHERE language IS NOT NULL")
        }
        return Set(tags.compactMap { $0.split(separator: "-").first.map(String.init) }).sorted()
    }

    package func document(_ id: Document.ID) async throws -> Document? {
        try await database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM document WHERE id = ?", arguments: [id.rawValue])
                .map(Document.init(row:))
        }
    }

    package func documents(withIDsBeginning prefix: String, limit: Int) async throws -> [Document] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM document WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
                arguments: [prefix, prefix + "\u{10FFFF}", max(0, limit)]
            ).map(Document.init(row:))
        }
    }

    package func documents(madeOf bytes: Data) async throws -> [Document] {
        let digest = Data(SHA256.hash(data: bytes))
        return try await database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM document WHERE digest = ? ORDER BY added, key",
                arguments: [digest]
            ).compactMap { row in
                // A damaged one is in no list, so that it is not there for a person.
                try? Document(row: row)
            }
        }
    }

    // MARK: - Adding

    package func add(_ new: consuming NewDocument) async throws -> Document {
        var new = new
        let document = new.document()
        let digest = Data(SHA256.hash(data: new.bytes))
        let original = try await contents.write(.original(document.kind), new.bytes, notedIn: database)
        // A long file must not stay in memory longer than necessary.
        new.bytes = Data()
        try await keep(document, new, original, digest)
        return document
    }

    package func add(
        _ unread: consuming UnreadDocument,
        readBy read: @Sendable (any StoredBytes) async throws -> DocumentText
    ) async throws -> Document {
        var unread = unread
        let (size, digest) = (unread.bytes.count, Data(SHA256.hash(data: unread.bytes)))
        let original = try await contents.write(.original(.text), unread.bytes, notedIn: database)
        unread.bytes = Data()
        let content: DocumentText
        do {
            content = try await read(try await contents.sound(of: original))
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            try? await contents.delete([original])
            throw error
        }
        let new = NewDocument(
            name: unread.name,
            bytes: Data(),
            content: content,
            added: unread.added,
            isUnique: unread.isUnique
        )
        let document = new.document(ofSize: size)
        try await keep(document, new, original, digest)
        return document
    }

    /// Stores the text, the words and the row of a document whose file is stored already; that file is deleted on
    /// failure.
    private func keep(_ document: Document, _ new: NewDocument, _ original: ContentReference, _ digest: Data)
        async throws
    {
        let text: ContentReference
        let structure: Data
        do {
            structure = try JSONEncoder().encode(new.content.structure)
            text = try await contents.write(.text, new.content.text, notedIn: database)
        } catch {
            // Nothing refers to it; where it stays, a check counts it.
            try? await contents.delete([original])
            throw error
        }
        do {
            let hold = try await database.holdDrafts()
            let draft = try await DocumentDraft.index(new.content.text, in: database)
            do {
                try await database.write { [picture = new.picture, isUnique = new.isUnique] database in
                    if isUnique { try Self.refuseTwin(ofDigest: digest, in: database) }
                    for reference in [original, text] { try reference.insert(into: database) }
                    let key = try document.insert(digest: digest, into: database)
                    try database.execute(
                        sql: "INSERT INTO documentPart (document, structure, picture) VALUES (?, ?, ?)",
                        arguments: [key, structure, picture]
                    )
                    for (part, reference) in [("original", original), ("text", text)] {
                        try database.execute(
                            sql: "INSERT INTO documentContent (document, part, content) VALUES (?, ?, ?)",
                            arguments: [key, part, reference.id.text]
                        )
                    }
                    try Self.index(name: document.name, of: key, in: database)
                    try draft.settle(on: key, in: database)
                }
            } catch {
                await draft.forget(in: database)
                throw error
            }
            withExtendedLifetime(hold) {}
        } catch {
            try? await contents.delete([original, text])
            throw error
        }
    }

    /// - Throws: ``LibraryError/documentThere(name:id:)`` where a document was made of bytes with the digest.
    private static func refuseTwin(ofDigest digest: Data, in database: Database) throws {
        let sql = "SELECT * FROM document WHERE digest = ? ORDER BY added, key"
        let rows = try Row.fetchAll(database, sql: sql, arguments: [digest])
        // A damaged one is in no list, so that it is not there for a person.
        let there = rows.lazy.compactMap { try? Document(row: $0) }.first
        if let there { throw LibraryError.documentThere(name: there.name.text, id: there.id) }
    }

    private static func index(name: ItemName, of key: Int64, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO documentSearch (rowid, name, text) VALUES (?, ?, '')",
            arguments: [-key, name.text.searchable]
        )
    }

    static func index(_ text: String, under key: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO documentSearch (rowid, name, text) VALUES (?, '', ?)"
        )
        try statement.execute(arguments: [key, text.searchable])
    }

    // MARK: - Parts of one

    package func structure(of id: Document.ID) async throws -> DocumentStructure {
        let data = try await part("structure", of: id)
        // The details of a mismatch would not help a person.
        guard let data, let structure = try? JSONDecoder().decode(DocumentStructure.self, from: data),
            structure.isInReach
        else { throw VaultError.databaseDamaged }
        return structure
    }

    package func picture(of id: Document.ID) async throws -> Data? { try await part("picture", of: id) }

    package func selection(of id: Document.ID) async throws -> DocumentSelection? {
        try DocumentSelection(stored: try await part("selection", of: id))
    }

    private func part(_ column: String, of id: Document.ID) async throws -> Data? {
        try await database.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT documentPart.\(column) FROM documentPart JOIN document ON document.key = documentPart.document
                    WHERE document.id = ?
                    """,
                arguments: [id.rawValue]
            )
            guard let row else { throw LibraryError.documentNotFound }
            return row[0]
        }
    }

    package func original(of id: Document.ID) async throws -> any StoredBytes { try await content("original", of: id) }

    func content(_ part: String, of id: Document.ID) async throws -> any StoredBytes {
        let reference = try await database.read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT \(ContentReference.columns) FROM document
                    JOIN documentContent ON documentContent.document = document.key
                    JOIN content ON content.id = documentContent.content WHERE document.id = ? AND part = ?
                    """,
                arguments: [id.rawValue, part]
            )
            guard let row else { throw LibraryError.documentNotFound }
            return try ContentReference(row: row)
        }
        return try await contents.sound(of: reference)
    }

    // MARK: - Changes

    package func remember(_ selection: DocumentSelection, for id: Document.ID) async throws {
        let data = try selection.stored()
        try await database.write { database in
            try database.execute(
                sql: "UPDATE documentPart SET selection = ? WHERE document = ?",
                arguments: [data, try Self.key(of: id, in: database)]
            )
        }
    }

    package func rename(_ id: Document.ID, to name: ItemName) async throws {
        try await database.write { database in
            let key = try Self.key(of: id, in: database)
            try database.execute(
                sql: "UPDATE document SET name = ?, sortName = ? WHERE key = ?",
                arguments: [name.text, name.sortKey, key]
            )
            try database.execute(sql: "DELETE FROM documentSearch WHERE rowid = ?", arguments: [-key])
            try Self.index(name: name, of: key, in: database)
        }
    }

    package func delete(_ ids: Set<Document.ID>) async throws {
        let references = try await database.writeToFree { database in
            try ids.flatMap { id in
                let key = try Self.key(of: id, in: database)
                let references = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(ContentReference.columns) FROM content
                        JOIN documentContent ON documentContent.content = content.id WHERE document = ?
                        """,
                    arguments: [key]
                ).map(ContentReference.init(row:))
                try database.execute(
                    sql: """
                        DELETE FROM documentSearch
                        WHERE rowid = ? OR rowid IN (SELECT key FROM documentChunk WHERE document = ?)
                        """,
                    arguments: [-key, key]
                )
                try database.execute(sql: "DELETE FROM document WHERE key = ?", arguments: [key])
                for reference in references { try reference.delete(from: database) }
                return references
            }
        }
        // The rows are deleted; a remaining file is removed by the sweep.
        try await contents.delete(references)
    }

    static func key(of id: Document.ID, in database: Database) throws -> Int64 {
        let key = try Int64.fetchOne(database, sql: "SELECT key FROM document WHERE id = ?", arguments: [id.rawValue])
        guard let key else { throw LibraryError.documentNotFound }
        return key
    }
}

extension SealedContents {
    /// How many bytes are handed on at a time.
    private static var piece: Int { 1 << 20 }

    /// Seals bytes that are all there already, as ``write(name:length:notedIn:from:)`` does.
    func write(
        _ name: SealedName,
        _ bytes: Data,
        notedIn database: LibraryDatabase
    ) async throws -> ContentReference {
        let pieces = Pieces(of: bytes.count, each: Self.piece)
        return try await write(name: name, length: bytes.count, notedIn: database) {
            await pieces.next().map { bytes[bytes.startIndex + $0.lowerBound..<bytes.startIndex + $0.upperBound] }
        }
    }

    /// Seals a text in UTF-8, as ``write(name:length:notedIn:from:)`` does.
    func write(
        _ name: SealedName,
        _ text: String,
        notedIn database: LibraryDatabase
    ) async throws -> ContentReference {
        var text = text
        text.makeContiguousUTF8()
        let count = text.utf8.count
        let pieces = Pieces(of: count, each: Self.piece)
        return try await write(name: name, length: count, notedIn: database) { [text] in
            await pieces.next().map { range in
                let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
                return Data(text.utf8[start..<text.utf8.index(start, offsetBy: range.count)])
            }
        }
    }
}

/// Splits bytes into pieces.
private actor Pieces {
    private let count: Int
    private let size: Int
    private var position = 0

    init(of count: Int, each size: Int) {
        self.count = count
        self.size = size
    }

    func next() -> Range<Int>? {
        guard position < count else { return nil }
        defer { position = min(count, position + size) }
        return position..<min(count, position + size)
    }
}

extension Document {
    /// - Throws: ``VaultError/databaseDamaged`` for an invalid value.
    init(row: Row) throws {
        guard let kind = DocumentKind(rawValue: row["kind"]), let name = try? ItemName(stored: row["name"] as String)
        else {
            throw VaultError.databaseDamaged
        }
        self.init(
            id: ID(rawValue: row["id"]),
            name: name,
            added: Date(seconds: row["added"]),
            kind: kind,
            size: row["size"],
            pages: row["pages"],
            chapters: row["chapters"],
            words: row["words"],
            length: row["length"],
            title: row["title"],
            author: row["author"],
            language: row["language"],
            hasPicture: row["hasPicture"]
        )
    }

    /// Inserts the document into its table.
    ///
    /// - Returns: The key of its row.
    func insert(digest: Data, into database: Database) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO document (
                    id, name, sortName, added, kind, size, pages, chapters, words, length, title, author, language, digest,
                    hasPicture
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id.rawValue, name.text, name.sortKey, added.timeIntervalSince1970, kind.rawValue, size, pages, chapters,
                words, length, title, author, language, digest, hasPicture,
            ]
        )
        return database.lastInsertedRowID
    }
}

extension DocumentSelection {
    /// - Throws: ``VaultError/databaseDamaged``.
    init?(stored data: Data?) throws {
        guard let data else { return nil }
        guard let selection = try? JSONDecoder().decode(Self.self, from: data) else { throw VaultError.databaseDamaged }
        self = selection
    }

    func stored() throws -> Data { try JSONEncoder().encode(self) }
}

extension UnreadableRows {
    /// Those of documents.
    static func ofDocuments() -> UnreadableRows {
        UnreadableRows(of: "document") { (try? Document(row: $0)) != nil }
    }
}

/// A query for documents in SQL.
struct DocumentFilter {
    private var conditions: [String] = []
    private var arguments: StatementArguments = []
    private let order: String

    /// Fails when nothing can match.
    init?(_ query: DocumentQuery) {
        let direction = query.isAscending ? "ASC" : "DESC"
        order =
            switch query.order {
            case .date: "added \(direction), id"
            case .length: "words \(direction), added DESC, id"
            case .name: "sortName \(direction), added DESC, id"
            }
        if let words = query.words, !words.allSatisfy(\.isWhitespace) {
            guard let search = SearchWords(words) else { return nil }
            for pattern in search.patterns(in: query.field) { add(Self.hasWord, [pattern, pattern]) }
        }
        if !query.kinds.isEmpty {
            let marks = Array(repeating: "?", count: query.kinds.count).joined(separator: ", ")
            add("kind IN (\(marks))", query.kinds.map(\.rawValue).sorted())
        }
        if let pages = query.pages { add("pages BETWEEN ? AND ?", [pages.lowerBound, pages.upperBound]) }
        if let added = query.added {
            add(
                "added >= ? AND added < ?",
                [added.lowerBound.timeIntervalSince1970, added.upperBound.timeIntervalSince1970]
            )
        }
        if let language = query.language {
            add("(language = ? OR substr(language, 1, ?) = ?)", [language, language.count + 1, "\(language)-"])
        }
    }

    /// Each word is looked up separately, because the words of a search may be in different chunks of a text.
    private static let hasWord = """
        (document.key IN (
            SELECT document FROM documentChunk
            WHERE key IN (SELECT rowid FROM documentSearch WHERE documentSearch MATCH ?)
        ) OR -document.key IN (SELECT rowid FROM documentSearch WHERE documentSearch MATCH ?))
        """

    private mutating func add(_ condition: String, _ values: [any DatabaseValueConvertible]) {
        conditions.append(condition)
        arguments += StatementArguments(values)
    }

    /// - Parameters:
    ///   - database: The database.
    ///   - limit: The most documents.
    ///   - offset: How many matches are before them.
    ///   - keys: The keys of rows to leave out.
    /// - Returns: The documents, and how many match in all.
    /// - Throws: ``VaultError/databaseDamaged`` for an unreadable row that is not left out.
    func list(in database: Database, limit: Int, offset: Int, without keys: Set<Int64>) throws -> DocumentList {
        let (rows, total) = try rows(in: database, limit: limit, offset: offset, without: keys)
        let all = keys.isEmpty ? total : try self.rows(in: database, limit: 0, offset: 0, without: []).total
        return DocumentList(documents: try rows.map(Document.init(row:)), total: total, unreadable: all - total)
    }

    /// - Returns: The rows of the page, and how many there are in all.
    private func rows(
        in database: Database,
        limit: Int,
        offset: Int,
        without keys: Set<Int64>
    ) throws -> (rows: [Row], total: Int) {
        var conditions = conditions
        if !keys.isEmpty { conditions.append("document.key NOT IN (\(keys.map(String.init).joined(separator: ", ")))") }
        let condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        let total = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM document WHERE \(condition)",
            arguments: arguments
        )
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM document WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?",
            arguments: arguments + [limit, offset]
        )
        return (rows, total ?? 0)
    }
}

extension SearchWords {
    /// Each word in the syntax of FTS5; the last one matches as a prefix.
    func patterns(in field: AudioQuery.Field) -> [String] {
        words.enumerated().map { index, word in
            let pattern = "\"\(word)\"" + (index == words.count - 1 ? " *" : "")
            return switch field {
            case .anywhere: pattern
            case .name: "name : (\(pattern))"
            case .text: "text : (\(pattern))"
            }
        }
    }
}

extension DocumentStructure {
    /// Whether its places can be reckoned with; they may be beyond the text's end.
    fileprivate var isInReach: Bool {
        var places = pages.map(\.range)
        places += chapters.map(\.range)
        places += blocks.map(\.range)
        places += marks.map(\.range)
        places += (passages ?? []).map(\.range)
        places += (cues ?? []).map(\.range)
        return places.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= RowBounds.counts.upperBound }
    }
}
