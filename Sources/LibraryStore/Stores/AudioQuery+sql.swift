import EchoText
import Foundation
import GRDB

/// A query in SQL: what stands after `WHERE` and `ORDER BY`.
struct AudioSelection {
    let condition: String
    let arguments: StatementArguments
    let order: String

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
            add("item.key IN (SELECT rowid FROM search WHERE search MATCH ?)", [search.pattern(in: query.field)])
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
        if !query.voices.isEmpty {
            let marks = Array(repeating: "?", count: query.voices.count).joined(separator: ", ")
            add("voice IN (\(marks))", query.voices.map(\.rawValue).sorted())
        }
        condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        self.arguments = arguments
        let direction = query.isAscending ? "ASC" : "DESC"
        order =
            switch query.order {
            case .date: "created \(direction), id"
            case .length: "duration \(direction), created DESC, id"
            case .name: "sortName \(direction), created DESC, id"
            }
    }
}

extension SearchWords {
    /// The words in the language of FTS5.
    ///
    /// Each is quoted, so that nothing in it is an operator; there is no quote in it.
    func pattern(in field: AudioQuery.Field) -> String {
        let all = words.map { "\"\($0)\"" }.joined(separator: " AND ") + " *"
        return switch field {
        case .anywhere: all
        case .name: "name : (\(all))"
        case .text: "text : (\(all))"
        }
    }
}
