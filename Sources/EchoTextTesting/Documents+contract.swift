package import EchoText
import Foundation
import Testing

/// Checks every promise ``DocumentLibrary`` makes, on a library that is empty before and after.
///
/// - Parameter library: The library to check.
/// - Throws: Unexpected errors of the library.
package func verifyContract(of library: some DocumentLibrary) async throws {
    #expect(try await library.documents(matching: DocumentQuery()) == DocumentList(documents: [], total: 0))
    try await verifyUnread(in: library)
    var documents: [Document] = []
    for sample in SampleDocument.all { documents.append(try await library.add(sample.new)) }
    try await verifyParts(of: documents, in: library)
    try await verifyTexts(of: documents, in: library)
    try await verifyOrder(of: documents, in: library)
    try await verifyFilters(of: documents, in: library)
    try await verifySearch(of: documents, in: library)
    try await verifyChanges(of: documents, in: library)
}

private func verifyUnread(in library: some DocumentLibrary) async throws {
    let (bytes, text) = (Data("Pika teksti  sõnad.".utf8), "Pika teksti sõnad.")
    let unread = UnreadDocument(name: "Long", bytes: bytes, added: Date(timeIntervalSince1970: 1_790_000_000))
    await #expect(throws: DocumentError.noText) {
        _ = try await library.add(unread) { _ in throw DocumentError.noText }
    }
    #expect(try await library.documents(madeOf: bytes).isEmpty, "what cannot be read is not kept")
    let document = try await library.add(unread) { file in
        let read = try await file.read(0..<file.length)
        #expect(read == bytes)
        let pages = [DocumentPage(number: 1, range: 0..<text.utf16.count)]
        return DocumentText(text: text, structure: DocumentStructure(kind: .text, pages: pages))
    }
    #expect(document.size == bytes.count && document.kind == .text && document.words == 3)
    #expect(try await library.documents(madeOf: bytes) == [document])
    #expect(try await library.text(of: document.id) == text)
    try await verifyTwins(of: document, madeOf: bytes, in: library)
    let original = try await library.original(of: document.id)
    #expect(try await original.read(0..<original.length) == bytes)
    try await library.delete([document.id])
}

/// A unique document is refused where another was made of its bytes, and only then.
private func verifyTwins(of document: Document, madeOf bytes: Data, in library: some DocumentLibrary) async throws {
    let pages = [DocumentPage(number: 1, range: 0..<5)]
    let content = DocumentText(text: "Pikk.", structure: DocumentStructure(kind: .text, pages: pages))
    let time = Date(timeIntervalSince1970: 1_790_000_001)
    let unread = UnreadDocument(name: "Again", bytes: bytes, added: time, isUnique: true)
    let there = LibraryError.documentThere(name: document.name.text, id: document.id)
    await #expect(throws: there) { _ = try await library.add(unread) { _ in content } }
    let new = NewDocument(name: "Again", bytes: bytes, content: content, added: time, isUnique: true)
    await #expect(throws: there) { _ = try await library.add(new) }
    #expect(try await library.documents(madeOf: bytes) == [document])
    let twin = try await library.add(NewDocument(name: "Twin", bytes: bytes, content: content, added: time))
    #expect(try await library.documents(madeOf: bytes) == [document, twin])
    try await library.delete([twin.id])
}

private func verifyParts(of documents: [Document], in library: some DocumentLibrary) async throws {
    for (sample, document) in zip(SampleDocument.all, documents) {
        #expect(try await library.document(document.id) == document)
        #expect(document.name == sample.name && document.size == sample.bytes.count)
        #expect(document.kind == sample.content.kind && document.language == sample.content.language)
        #expect(document.title == sample.content.title && document.author == sample.content.author)
        #expect(document.pages == sample.content.pages.count && document.length == sample.content.text.utf16.count)
        #expect(try await library.structure(of: document.id) == sample.content.structure)
        #expect(try await library.picture(of: document.id) == sample.picture)
        #expect(document.hasPicture == (sample.picture != nil))
        let original = try await library.original(of: document.id)
        #expect(try await original.read(0..<original.length) == sample.bytes)
        #expect(try await library.documents(madeOf: sample.bytes) == [document])
        #expect(try await library.documents(withIDsBeginning: document.id.rawValue, limit: 2) == [document])
        #expect(try await library.document(called: document.id.rawValue) == document)
        #expect(try await library.document(called: document.name.text.uppercased()) == document)
        #expect(try await library.selection(of: document.id) == nil)
    }
    #expect(documents.map(\.words) == [9, 3, 5, 2])
    #expect(try await library.documents(madeOf: Data("else".utf8)).isEmpty)
    let missing = Document.ID()
    #expect(try await library.document(missing) == nil)
    await #expect(throws: LibraryError.documentNotFound) { try await library.text(of: missing) }
    await #expect(throws: LibraryError.documentNotFound) { try await library.passage(of: missing, in: 0..<1) }
    await #expect(throws: LibraryError.documentNotFound) { try await library.structure(of: missing) }
    await #expect(throws: LibraryError.documentNotFound) { try await library.picture(of: missing) }
    await #expect(throws: LibraryError.documentNotFound) { _ = try await library.original(of: missing) }
    await #expect(throws: LibraryError.documentNotFound) { try await library.rename(missing, to: "New") }
    await #expect(throws: LibraryError.documentNotFound) { try await library.places(of: "a", in: missing, limit: 1) }
    await #expect(throws: LibraryError.documentNotFound) {
        try await library.remember(DocumentSelection(), for: missing)
    }
}

private func verifyTexts(of documents: [Document], in library: some DocumentLibrary) async throws {
    for (sample, document) in zip(SampleDocument.all, documents) {
        let text = sample.content.text
        #expect(try await library.text(of: document.id) == text)
        let whole = DocumentPassage(text: text, range: 0..<document.length)
        #expect(try await library.passage(of: document.id, in: whole.range) == whole)
        let part = DocumentPassage(text: String(text.part(3..<9)), range: 3..<9)
        #expect(try await library.passage(of: document.id, in: 3..<9) == part)
        #expect(try await library.passage(of: document.id, in: 0..<10_000) == whole, "cut to what there is")
        #expect(try await library.passage(of: document.id, in: 5_000..<10_000).text == "")
        #expect(try await library.passage(of: document.id, in: 4..<4).text == "")
    }
    let length = documents[0].length
    let sign = DocumentPassage(text: "𝄞", range: length - 2..<length)
    #expect(try await library.passage(of: documents[0].id, in: length - 1..<length) == sign, "a whole character")
    #expect(try await library.passage(of: documents[0].id, in: length - 2..<length - 1) == sign)
}

private func verifyOrder(of documents: [Document], in library: some DocumentLibrary) async throws {
    let expected: [DocumentQuery.SortOrder: [Int]] = [
        .date: [0, 1, 2, 3], .length: [3, 1, 2, 0], .name: [3, 1, 0, 2],
    ]
    for (order, places) in expected {
        for isAscending in [false, true] {
            var query = DocumentQuery()
            query.order = order
            query.isAscending = isAscending
            let sorted = (isAscending ? places : places.reversed()).map { documents[$0] }
            #expect(try await library.documents(matching: query) == DocumentList(documents: sorted, total: 4))
            query.offset = 1
            query.limit = 2
            let page = DocumentList(documents: Array(sorted[1..<3]), total: 4)
            #expect(try await library.documents(matching: query) == page)
        }
    }
}

private func verifyFilters(of documents: [Document], in library: some DocumentLibrary) async throws {
    func names(_ change: (inout DocumentQuery) -> Void) async throws -> Set<String> {
        var query = DocumentQuery()
        change(&query)
        let list = try await library.documents(matching: query)
        #expect(list.total == list.documents.count)
        return Set(list.documents.map(\.name.text))
    }
    #expect(try await names { $0.kinds = [.pdf, .epub] } == ["élan", "Zebra"])
    #expect(try await names { $0.pages = 2...3 } == ["Harbour", "Zebra"])
    #expect(try await names { $0.language = "fr" } == ["élan"])
    #expect(try await library.languages() == ["en", "fr"], "a region is no language of its own")
    #expect(try await names { $0.language = "e" }.isEmpty, "a language is whole")
    #expect(try await names { $0.added = documents[1].added..<documents[3].added } == ["élan", "Zebra"])
    #expect(
        try await names {
            $0.pages = 2...3
            $0.words = "keeper"
        } == ["Harbour", "Zebra"]
    )
}

private func verifySearch(of documents: [Document], in library: some DocumentLibrary) async throws {
    func found(_ words: String, _ field: AudioQuery.Field = .anywhere) async throws -> Set<String> {
        var query = DocumentQuery()
        query.words = words
        query.field = field
        let list = try await library.documents(matching: query)
        #expect(try await library.search(query).map(\.document) == list.documents)
        return Set(list.documents.map(\.name.text))
    }
    #expect(try await found("lighthouse") == ["Harbour"])
    #expect(try await found("LIGHTH") == ["Harbour"], "the last word may be only begun")
    #expect(try await found("lighth keeper").isEmpty, "any other is whole")
    #expect(try await found("keeper come") == ["Harbour"], "in whatever order, over pages")
    #expect(try await found("naive") == ["élan"], "diacritics do not count")
    #expect(try await found("elan", .name) == ["élan"])
    #expect(try await found("harbour", .text).isEmpty)
    #expect(try await found("harbour keeper") == ["Harbour"], "one in the name, one in the text")
    #expect(try await found("  ").count == 4, "blank is any")
    for odd in ["\"", "a\"b*", "NOT", "AND OR", "name:", "(", "😀", "\0", "*", "-keeper^", "'; DROP TABLE document"] {
        _ = try await found(odd)
        _ = try await library.places(of: odd, in: documents[0].id, limit: 1)
    }
    #expect(try await found("😀").isEmpty)
    var query = DocumentQuery()
    query.words = "keeper"
    query.kinds = [.epub]
    let place = try #require(try await library.search(query).first?.place)
    #expect(place.source == 24..<30 && place.page == 3 && place.excerpt.contains("keeper"))
    query.kinds = []
    query.words = "harbour"
    let hits = try await library.search(query)
    #expect(hits.count == 1 && hits[0].place == nil, "only the name has it")
    let zebra = documents[2].id
    #expect(try await library.places(of: "stripes", in: zebra, limit: 10) == [0..<7, 12..<19])
    #expect(try await library.places(of: "stripes", in: zebra, limit: 1) == [0..<7])
    #expect(try await library.places(of: "Stripes AND stri", in: zebra, limit: 9) == [0..<19])
    #expect(try await library.places(of: "keeper stripes", in: zebra, limit: 9).isEmpty, "one after another")
}

private func verifyChanges(of documents: [Document], in library: some DocumentLibrary) async throws {
    let selection = DocumentSelection(
        .pages(try PageRanges(parsing: "1-2")),
        spokenRoles: [.footnote],
        putBack: [3],
        leftOut: [2..<5]
    )
    try await library.remember(selection, for: documents[0].id)
    #expect(try await library.selection(of: documents[0].id) == selection)
    try await library.rename(documents[0].id, to: "Sea, “quoted” 😀")
    #expect(try await library.document(documents[0].id)?.name.text == "Sea, “quoted” 😀")
    var query = DocumentQuery()
    query.words = "quoted keeper"
    #expect(try await library.documents(matching: query).documents.map(\.id) == [documents[0].id])
    query.words = "harbour"
    #expect(try await library.documents(matching: query).total == 0, "the old name is not found")
    await #expect(throws: LibraryError.documentNotFound) {
        try await library.delete([documents[1].id, Document.ID()])
    }
    #expect(try await library.document(documents[1].id) != nil, "all or none")
    try await library.delete([documents[0].id, documents[1].id])
    await #expect(throws: LibraryError.documentNotFound) { _ = try await library.original(of: documents[0].id) }
    query.words = "naive"
    #expect(try await library.documents(matching: query).total == 0)
    let again = try await library.add(SampleDocument.all[1].new)
    #expect(again.id != documents[1].id)
    try await withThrowingTaskGroup { group in
        for id in [documents[2].id, documents[3].id, again.id] {
            group.addTask { try await library.remember(selection, for: id) }
            group.addTask { _ = try await library.documents(matching: DocumentQuery()) }
        }
        try await group.waitForAll()
    }
    try await library.delete([documents[2].id, documents[3].id, again.id])
    #expect(try await library.documents(matching: DocumentQuery()).total == 0)
}

/// Checks every promise ``DocumentReader`` makes, on documents that `reader` can read.
///
/// Each reader's tests call it, so that all readers keep all promises.
package func verifyContract(of reader: some DocumentReader, with files: [DocumentFile]) async throws {
    try #require(!files.isEmpty)
    for file in files {
        let document = try await reader.read(file)
        #expect(document.invariantViolation == nil)
        #expect(document.text.contains { !$0.isWhitespace }, "a document that is read has text")

        var renamed = file
        renamed.name = "something else.exe"
        async let one = reader.read(file)
        async let two = reader.read(renamed)
        let isSame = try await [one == document, two == document]
        #expect(isSame == [true, true], "the same bytes give the same text, whatever the name, and calls may overlap")

        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
                return try await reader.read(file)
            }.value
        }
        do {
            let picture = try await reader.picture(of: nil, in: file, width: 64)
            #expect(picture.png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect((1...64).contains(picture.width) && (1...PagePicture.highest).contains(picture.height))
        } catch DocumentError.noPicture {
            #expect(document.kind != .pdf, "a PDF's pages can be drawn")
        }
    }
    let words = "Õues on külm:\r\n  two  spaces, a \t tab\n\n\nand öö.\n"
    let decoded = try await reader.decode(Data(words.utf8))
    #expect(decoded.text == words && decoded.notices.isEmpty, "a text is decoded as it stands")
    #expect(decoded.kind == .text && decoded.pages.count == 1 && decoded.invariantViolation == nil)
    await #expect(throws: DocumentError.empty) { try await reader.decode(Data()) }
    await #expect(throws: DocumentError.empty) { try await reader.read(DocumentFile(name: "empty.pdf", bytes: Data())) }
}
