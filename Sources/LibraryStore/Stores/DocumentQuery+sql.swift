import EchoText
import Foundation
import GRDB

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

    /// - Returns: The rows of the page, and how many there are in all.
    func rows(in database: Database, limit: Int, offset: Int) throws -> (rows: [Row], total: Int) {
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
