package import EchoText
import GRDB

/// The size of a library, from the sizes of the sealed files that its database names.
package struct StoredMeasure: LibraryMeasure {
    private let database: LibraryDatabase

    package init(database: LibraryDatabase) {
        self.database = database
    }

    package func size() async throws -> LibrarySize {
        try await database.read { database in
            func sum(_ owners: String) throws -> Int {
                // The sizes of a damaged library may be any.
                let size = "min(content.size, \(RowBounds.counts.upperBound))"
                let sql = "SELECT coalesce(sum(\(size)), 0) FROM content JOIN \(owners)"
                return try Int.fetchOne(database, sql: sql) ?? 0
            }
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let page = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            return LibrarySize([
                .recordings: try sum("item ON item.content = content.id AND item.origin <> 'narrated'"),
                .importedFiles: try sum("itemFile ON itemFile.content = content.id"),
                .narrations: try sum("item ON item.content = content.id AND item.origin = 'narrated'"),
                .documents: try sum("documentContent ON documentContent.content = content.id"),
                .takes: try sum("practiceTake ON practiceTake.content = content.id"),
                .unfinished: try sum("segment ON segment.content = content.id")
                    + sum("recordedSegment ON recordedSegment.content = content.id"),
                .speechCache: try sum("speech ON speech.content = content.id"),
                .database: pages * page,
            ])
        }
    }
}
