package import EchoText
package import Foundation

/// Documents without a disk.
package actor MemoryDocuments: DocumentLibrary {
    private struct Kept {
        var document: Document
        let new: NewDocument
        var selection: DocumentSelection?
    }

    private var kept: [Document.ID: Kept] = [:]
    private var order: [Document.ID] = []
    private var damaged: Set<Document.ID> = []
    private var damagedTexts: Set<Document.ID> = []
    private var damagedStructures: Set<Document.ID> = []
    private var damagedOriginals: Set<Document.ID> = []

    package init() {}

    /// Simulates damage to the row of a document, which lists leave out.
    package func damage(_ id: Document.ID) { damaged.insert(id) }

    /// Simulates damage to the text of a document, which can be listed nevertheless.
    package func damageText(of id: Document.ID) { damagedTexts.insert(id) }

    /// Simulates damage to the structure of a document, which can be listed nevertheless.
    package func damageStructure(of id: Document.ID) { damagedStructures.insert(id) }

    /// Simulates damage to the file of a document as it was given.
    package func damageOriginal(of id: Document.ID) { damagedOriginals.insert(id) }

    // MARK: - Lists

    package func documents(matching query: DocumentQuery) throws -> DocumentList {
        let all = kept.values.filter { Self.matches($0, query) }.map(\.document)
        let matching = all.filter { !damaged.contains($0.id) }.sorted { Self.precede($0, $1, query) }
        let page = matching.dropFirst(max(0, query.offset)).prefix(max(0, query.limit))
        return DocumentList(documents: Array(page), total: matching.count, unreadable: all.count - matching.count)
    }

    package func languages() -> [String] {
        Set(kept.values.compactMap { $0.document.language?.split(separator: "-").first.map(String.init) }).sorted()
    }

    private static func matches(_ kept: Kept, _ query: DocumentQuery) -> Bool {
        let document = kept.document
        let speaks = query.language.map { document.language == $0 || document.language?.hasPrefix("\($0)-") == true }
        return (query.kinds.isEmpty || query.kinds.contains(document.kind))
            && query.pages.map { $0 ~= document.pages } ?? true && query.added.map { $0 ~= document.added } ?? true
            && speaks ?? true && has(query.words, kept, query.field)
    }

    private static func has(_ words: String?, _ kept: Kept, _ field: AudioQuery.Field) -> Bool {
        guard let words, !words.allSatisfy(\.isWhitespace) else { return true }
        guard let search = SearchWords(words) else { return false }
        return switch field {
        case .name: search.match(kept.document.name.text)
        case .text: search.match(kept.new.content.text)
        case .anywhere: search.match("\(kept.document.name.text)\n\(kept.new.content.text)")
        }
    }

    private static func precede(_ one: Document, _ other: Document, _ query: DocumentQuery) -> Bool {
        func scalars(_ document: Document) -> [UInt32] { document.name.sortKey.unicodeScalars.map(\.value) }
        let (first, second) = query.isAscending ? (one, other) : (other, one)
        switch query.order {
        case .date where one.added != other.added: return first.added < second.added
        case .length where one.words != other.words: return first.words < second.words
        case .name where scalars(one) != scalars(other):
            return scalars(first).lexicographicallyPrecedes(scalars(second))
        default: return one.added == other.added ? one.id.rawValue < other.id.rawValue : one.added > other.added
        }
    }

    package func search(_ query: DocumentQuery) throws -> [DocumentHit] {
        let words = query.field == .name ? nil : query.words.flatMap { SearchWords($0) }
        return try documents(matching: query).documents.map { document in
            guard let new = kept[document.id]?.new, let source = words?.firstMatch(in: new.content.text) else {
                return DocumentHit(document: document, place: nil)
            }
            return DocumentHit(
                document: document,
                place: DocumentHit.Place(
                    source: source,
                    excerpt: new.content.text.split(whereSeparator: \.isWhitespace).joined(separator: " "),
                    page: new.content.structure.page(at: source.lowerBound)
                )
            )
        }
    }

    package func document(_ id: Document.ID) -> Document? { kept[id]?.document }

    package func documents(withIDsBeginning prefix: String, limit: Int) -> [Document] {
        kept.values.map(\.document).filter { $0.id.rawValue.hasPrefix(prefix) }
            .sorted { $0.id.rawValue < $1.id.rawValue }.prefix(max(0, limit)).map(\.self)
    }

    package func documents(madeOf bytes: Data) -> [Document] {
        order.compactMap { kept[$0] }.filter { $0.new.bytes == bytes }.map(\.document)
            .sorted { $0.added < $1.added }
    }

    // MARK: - One

    package func add(_ new: NewDocument) throws -> Document {
        if new.isUnique, let there = documents(madeOf: new.bytes).first {
            throw LibraryError.documentThere(name: there.name.text, id: there.id)
        }
        let document = new.document()
        kept[document.id] = Kept(document: document, new: new)
        order.append(document.id)
        return document
    }

    package func add(
        _ unread: UnreadDocument,
        readBy read: @Sendable (any StoredBytes) async throws -> DocumentText
    ) async throws -> Document {
        let content = try await read(MemorySound(data: unread.bytes))
        return try add(
            NewDocument(
                name: unread.name,
                bytes: unread.bytes,
                content: content,
                added: unread.added,
                isUnique: unread.isUnique
            )
        )
    }

    package func structure(of id: Document.ID) throws -> DocumentStructure {
        guard !damagedStructures.contains(id) else { throw VaultError.databaseDamaged }
        return try find(id).new.content.structure
    }

    package func text(of id: Document.ID) throws -> String {
        guard !damagedTexts.contains(id) else { throw VaultError.contentDamaged }
        return try find(id).new.content.text
    }

    package func passage(of id: Document.ID, in range: TextRange) throws -> DocumentPassage {
        let text = try find(id).new.content.text
        let whole = text.wholeCharacters(range.clamped(to: 0..<text.utf16.count))
        return DocumentPassage(text: String(text.part(whole)), range: whole)
    }

    package func places(of phrase: String, in id: Document.ID, limit: Int) throws -> [TextRange] {
        let text = try find(id).new.content.text
        return SearchWords(phrase)?.matches(in: text, limit: limit) ?? []
    }

    package func original(of id: Document.ID) throws -> any StoredBytes {
        guard !damagedOriginals.contains(id) else { throw VaultError.contentDamaged }
        return MemorySound(data: try find(id).new.bytes)
    }

    package func picture(of id: Document.ID) throws -> Data? { try find(id).new.picture }

    package func selection(of id: Document.ID) throws -> DocumentSelection? { try find(id).selection }

    package func remember(_ selection: DocumentSelection, for id: Document.ID) throws {
        _ = try find(id)
        kept[id]?.selection = selection
    }

    package func rename(_ id: Document.ID, to name: ItemName) throws {
        _ = try find(id)
        kept[id]?.document.name = name
    }

    package func delete(_ ids: Set<Document.ID>) throws {
        for id in ids { _ = try find(id) }
        for id in ids { kept[id] = nil }
        order.removeAll(where: ids.contains)
    }

    private func find(_ id: Document.ID) throws -> Kept {
        guard let found = kept[id] else { throw LibraryError.documentNotFound }
        return found
    }
}
