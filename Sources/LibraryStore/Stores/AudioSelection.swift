import EchoText
import Foundation
import GRDB

/// A query in SQL: the terms after `WHERE` and `ORDER BY`.
struct AudioSelection {
    private let conditions: [String]
    private let arguments: StatementArguments
    /// The search expression, in the language of FTS5.
    private let pattern: String?
    private let order: String
    /// The index that has the order and all that conditions ask for.
    private let index: String

    /// Fails when nothing can match.
    init?(_ query: AudioQuery) {
        var conditions: [String] = []
        var arguments: StatementArguments = []
        func add(_ condition: String, _ values: [(any DatabaseValueConvertible)?]) {
            conditions.append(condition)
            arguments += StatementArguments(values)
        }
        if let words = query.words, !words.allSatisfy(\.isWhitespace) {
            guard let search = SearchWords(words) else { return nil }
            pattern = search.pattern(in: query.field)
        } else {
            pattern = nil
        }
        if !query.origins.isEmpty {
            let marks = Array(repeating: "?", count: query.origins.count).joined(separator: ", ")
            add("origin IN (\(marks))", query.origins.map(\.rawValue).sorted())
        }
        if let speed = query.speed { add("speed BETWEEN ? AND ?", [speed.lowerBound, speed.upperBound]) }
        if let pitch = query.pitch { add("pitch BETWEEN ? AND ?", [pitch.lowerBound, pitch.upperBound]) }
        if let length = query.duration { add("duration BETWEEN ? AND ?", [length.lowerBound, length.upperBound]) }
        if let created = query.created {
            let bounds = [created.lowerBound.timeIntervalSince1970, created.upperBound.timeIntervalSince1970]
            add("created >= ? AND created < ?", bounds)
        }
        if let isFavorite = query.isFavorite { add("isFavorite = ?", [isFavorite]) }
        if let hasDocument = query.hasDocument { add("(document IS NOT NULL) = ?", [hasDocument]) }
        if let isTranscribed = query.isTranscribed { add("isTranscribed = ?", [isTranscribed]) }
        if let document = query.document { add("document = ?", [document.rawValue]) }
        if !query.voices.isEmpty {
            let marks = Array(repeating: "?", count: query.voices.count).joined(separator: ", ")
            add("voice IN (\(marks))", query.voices.map(\.rawValue).sorted())
        }
        self.conditions = conditions
        self.arguments = arguments
        let direction = query.isAscending ? "ASC" : "DESC"
        (order, index) =
            switch query.order {
            case .date: ("created \(direction), id", "itemByDate")
            case .length: ("duration \(direction), created DESC, id", "itemByLength")
            case .size: ("size \(direction), created DESC, id", "itemBySize")
            case .name: ("sortName \(direction), created DESC, id", "itemByName")
            }
    }

    /// How many texts with the words are few, so that looking up each is cheaper than going through the order's index.
    private static let few = 2_000

    /// Reads the rows of a page, which need not be valid.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - limit: The most rows.
    ///   - offset: The number of rows before the page.
    ///   - keys: The keys of rows to leave out.
    /// - Returns: The rows of the page, and the total number.
    /// - Throws: `DatabaseError`.
    func rows(
        in database: Database,
        limit: Int,
        offset: Int,
        without keys: Set<Int64>
    ) throws -> (rows: [Row], total: Int) {
        let found = try pattern.map { pattern in
            let sql = "SELECT count(*) FROM search WHERE search MATCH ?"
            return try Int.fetchOne(database, sql: sql, arguments: [pattern]) ?? 0
        }
        let isFew = (found ?? .max) < Self.few
        var conditions = conditions
        var arguments = arguments
        if let pattern {
            // The plus sign makes SQLite scan the order's index, and check each entry against the matches.
            conditions.append("\(isFew ? "" : "+")item.key IN (SELECT rowid FROM search WHERE search MATCH ?)")
            arguments += [pattern]
        }
        if !keys.isEmpty { conditions.append("item.key NOT IN (\(keys.map(String.init).joined(separator: ", ")))") }
        let condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        let count = "SELECT count(*) FROM item WHERE \(condition)"
        let total =
            try self.conditions.isEmpty && keys.isEmpty && found != nil
            ? found : Int.fetchOne(database, sql: count, arguments: arguments)
        // The keys first, out of the index alone; whole rows only for the page.
        let sql = """
            SELECT item.* FROM (
                SELECT key AS wanted FROM item \(isFew ? "" : "INDEXED BY \(index)")
                WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?
            ) JOIN item ON item.key = wanted ORDER BY \(order)
            """
        return (try Row.fetchAll(database, sql: sql, arguments: arguments + [limit, offset]), total ?? 0)
    }

    /// Reads which of some rows match; they need not be valid.
    ///
    /// - Parameters:
    ///   - keys: The keys of the rows.
    ///   - database: The database.
    /// - Returns: Their ids, by key; without those that do not lead back to their own row.
    /// - Throws: `DatabaseError`.
    func ids(among keys: Set<Int64>, in database: Database) throws -> [AudioItem.ID] {
        var conditions = conditions
        var arguments = arguments
        conditions.append("key IN (\(keys.map(String.init).joined(separator: ", ")))")
        if let pattern {
            conditions.append("key IN (SELECT rowid FROM search WHERE search MATCH ?)")
            arguments += [pattern]
        }
        let sql = "SELECT key, id FROM item WHERE \(conditions.joined(separator: " AND ")) ORDER BY key"
        return try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { row -> AudioItem.ID? in
            let key: Int64 = row["key"]
            let id: String = row["id"]
            // A damaged id is read up to a NUL, or with a replacement for what is no UTF-8: it may be that of another row.
            let found = try Int64.fetchOne(database, sql: "SELECT key FROM item WHERE id = ?", arguments: [id])
            return found == key ? AudioItem.ID(rawValue: id) : nil
        }
    }
}

extension AudioSelection {
    /// - Throws: ``VaultError/databaseDamaged`` for an unreadable row that is not left out.
    func page(
        in database: Database,
        limit: Int,
        offset: Int,
        without keys: Set<Int64>
    ) throws -> AudioPage {
        let (rows, total) = try rows(in: database, limit: limit, offset: offset, without: keys)
        let all = keys.isEmpty ? total : try self.rows(in: database, limit: 0, offset: 0, without: []).total
        return AudioPage(items: try rows.map(AudioItem.init(row:)), total: total, unreadable: all - total)
    }
}

extension SearchWords {
    /// The words in the syntax of FTS5.
    ///
    /// Each word is quoted, so that it is not an operator; words contain no quotes.
    func pattern(in field: AudioQuery.Field) -> String {
        let all = words.map { "\"\($0)\"" }.joined(separator: " AND ") + " *"
        return switch field {
        case .anywhere: all
        case .name: "name : (\(all))"
        case .text: "text : (\(all))"
        }
    }
}
