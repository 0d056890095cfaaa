import EchoText
import EchoTextTesting
import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

@Suite("Stored documents", .endsInTime)
struct DocumentTests {
    @Test("are cut into chunks that are the text again, at line ends and never within a character")
    func chunks() {
        let sentence = "Näkku sööb 𝄞 ja läheb. "
        let line = String(repeating: sentence, count: 40) + "\n"
        for text in [
            "", "a", String(repeating: line, count: 60), String(repeating: sentence, count: 2_000),
            String(repeating: "𝄞", count: 10_000), String(repeating: "é", count: 30_001),
        ] {
            var whole = ""
            for chunk in DocumentChunks(of: text) {
                #expect(chunk.start == whole.utf16.count && chunk.byte == whole.utf8.count)
                #expect(!chunk.text.isEmpty && chunk.text.utf8.count <= DocumentChunks.longest)
                whole += chunk.text
            }
            let isSame = whole == text
            #expect(isSame)
        }
        let first = DocumentChunks(of: String(repeating: line, count: 60)).first { _ in true }
        #expect(first?.text.hasSuffix("\n") == true)
    }

    @Test("give any stretch of a long text, and find words anywhere in it")
    func longText() async throws {
        let room = try LibraryRoom()
        let text = (0..<9_000).map { "Line \($0) of the long text 𝄞 stands here.\n" }.joined()
        let sample = SampleDocument("Long", pages: [text])
        let document = try await room.documents.add(sample.new)
        let units = Array(text.utf16)
        for start in stride(from: 0, to: units.count, by: 16_001) {
            let range = start..<min(units.count, start + 20_000)
            let part = try await room.documents.passage(of: document.id, in: range).text
            let isPart =
                Array(part.utf16).count - range.count <= 2
                && text.contains(part) && part.utf16.count >= range.count
            #expect(isPart, "\(range)")
        }
        var query = DocumentQuery()
        query.words = "line 8999"
        let place = try #require(try await room.documents.search(query).first?.place)
        #expect(place.excerpt.contains("8999"))
        let places = try await room.documents.places(of: "line 8999 of", in: document.id, limit: 10)
        #expect(places.count == 1 && places[0].upperBound <= units.count)
        let found = String(decoding: units[try #require(places.first)], as: UTF16.self)
        #expect(found == "Line 8999 of")
        #expect(try await room.documents.places(of: "line", in: document.id, limit: 20_000).count == 9_000)
    }

    @Test("take a structure for damaged whose places no text has, and read one that continues after its text")
    func farStructure() async throws {
        let room = try LibraryRoom()
        let document = try await room.documents.add(SampleDocument("Far", pages: ["One.\n", "Two."]).new)
        let structure = try await room.documents.structure(of: document.id)
        let far: [TextRange] = [Int.min..<0, 0..<Int.max]
        for range in far {
            var changes = [DocumentStructure](repeating: structure, count: 5)
            changes[0].pages[1].range = range
            changes[1].chapters.append(DocumentChapter(title: "Far", level: 1, range: range))
            changes[2].marks.append(TextMark(.header, range: range))
            changes[3].passages = [LanguagePassage(range: range, language: "et")]
            changes[4].cues = [SubtitleCue(range: range, start: 1)]
            for changed in changes {
                try await Self.keep(changed, in: room)
                await #expect(throws: VaultError.databaseDamaged) {
                    _ = try await room.documents.structure(of: document.id)
                }
            }
        }
        var long = structure
        long.pages[1].range = 5..<1_000
        try await Self.keep(long, in: room)
        #expect(try await room.documents.structure(of: document.id) == long)
    }

    private static func keep(_ structure: DocumentStructure, in room: LibraryRoom) async throws {
        let data = try JSONEncoder().encode(structure)
        try await room.database.write {
            try $0.execute(sql: "UPDATE documentPart SET structure = ?", arguments: [data])
        }
    }

    @Test("leave no file behind, and none when adding fails")
    func files() async throws {
        let room = try LibraryRoom()
        let document = try await room.documents.add(SampleDocument.all[0].new)
        #expect(try room.contentIDs.count == 2)
        let references = try await room.database.referencedContents()
        #expect(try room.contentIDs == Set(references.map(\.id.text)))
        let owners = try await room.database.contentOwners()
        #expect(owners.allSatisfy { $0.item == nil && $0.name == "Harbour" })
        try await room.database.write { try $0.execute(sql: "DROP TABLE documentPart") }
        await #expect(throws: (any Error).self) { _ = try await room.documents.add(SampleDocument.all[1].new) }
        #expect(try room.contentIDs.count == 2)
        #expect(try await room.indexed == 2, "a chunk and a name")
        #expect(try await room.documents.document(document.id) == document)
    }

    @Test("let go of their file when it is sealed, before their text is")
    func memory() async throws {
        let room = try LibraryRoom()
        let contents = WatchingContents(contents: room.contents)
        let documents = StoredDocuments(database: room.database, contents: contents)
        let sample = SampleDocument.all[0].new
        let kind = sample.document().kind
        _ = try await documents.add(contents.watched(sample))
        #expect(
            contents.begun.withLock { $0 }
                == [.init(name: .original(kind), isGone: false), .init(name: .text, isGone: true)]
        )
    }

    @Test("are indexed stretch by stretch, and found only when they are whole")
    func drafts() async throws {
        let room = try LibraryRoom()
        let text = String(repeating: "The lighthouse keeper sleeps.\n", count: 100_000)
        _ = try await room.documents.add(SampleDocument("First", pages: ["Waves."]).new)
        let hold = try await room.database.holdDrafts()
        let commits = CommitCounter()
        try await room.database.write { $0.add(transactionObserver: commits, extent: .databaseLifetime) }
        commits.count.withLock { $0 = 0 }
        let draft = try await DocumentDraft.index(text, in: room.database)
        let count = commits.count.withLock { $0 }
        #expect(count == 1 + 3, "others get their turn after each of three stretches")
        #expect(text.utf8.count > 2 * DocumentDraft.stretch && draft.chunks.count > 128)
        var query = DocumentQuery()
        query.words = "lighthouse"
        #expect(try await room.documents.documents(matching: query).total == 0)
        let second = try await room.documents.add(SampleDocument("Second", pages: ["Another lighthouse."]).new)
        #expect(try await room.documents.documents(matching: query).documents == [second])
        try await room.database.forgetDrafts()
        #expect(try await room.indexed == 4 + draft.chunks.count, "what is being added stays")
        withExtendedLifetime(hold) {}
    }

    @Test("leave nothing in the index when the program ended while they were added")
    func abandonedDraft() async throws {
        let room = try LibraryRoom()
        _ = try await DocumentDraft.index("The lighthouse keeper sleeps.", in: room.database)
        #expect(try await room.indexed == 1)
        _ = try await room.documents.add(SampleDocument("Next", pages: ["Waves come in."]).new)
        #expect(try await room.indexed == 2, "whoever adds the next one takes it out")
        var query = DocumentQuery()
        query.words = "keeper"
        #expect(try await room.documents.documents(matching: query).total == 0)
        #expect(try await room.database.check().isEmpty)
    }

    @Test("leave nothing in the index for who opens the library after the program has ended while they were added")
    func abandonedBeforeOpening() async throws {
        let room = KeyRoom()
        let places = VaultPaths(
            library: room.library,
            device: room.device,
            runtime: room.path,
            machineID: room.machineID
        )
        let vault = LibraryVault(places)
        try await vault.useOpen { open in
            _ = try await DocumentDraft.index("The lighthouse keeper sleeps.", in: open.database)
        }
        let left = try await vault.useOpen { open in
            try await open.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM documentSearch") }
        }
        #expect(left == 0)
    }

    @Test("leave nothing behind when adding them is cancelled")
    func cancelled() async throws {
        let room = try LibraryRoom()
        // From inside, so that adding cannot win the race.
        let contents = WatchingContents(contents: room.contents) { withUnsafeCurrentTask { $0?.cancel() } }
        let documents = StoredDocuments(database: room.database, contents: contents)
        let text = String(repeating: "The lighthouse keeper sleeps.\n", count: 100_000)
        let adding = Task { try await documents.add(SampleDocument("Long", pages: [text]).new) }
        await #expect(throws: CancellationError.self) { _ = try await adding.value }
        #expect(try await room.indexed == 0)
        #expect(try room.contentIDs.isEmpty)
    }

    @Test("stay readable when their files get another name, and found when their index is made again")
    func care() async throws {
        let room = try LibraryRoom()
        let document = try await room.documents.add(SampleDocument.all[0].new)
        for reference in try await room.database.referencedContents() {
            let renewed = try await room.contents.rewrap(reference)
            try await room.database.replace(reference, by: renewed)
            try await room.contents.delete(reference)
        }
        #expect(try await room.documents.text(of: document.id) == SampleDocument.all[0].content.text)
        try await room.database.write { try $0.execute(sql: "DELETE FROM documentSearch") }
        var query = DocumentQuery()
        query.words = "lighthouse"
        #expect(try await room.documents.documents(matching: query).total == 0)
        try await room.database.rebuildDocumentSearch(reading: room.contents)
        #expect(try await room.documents.documents(matching: query).total == 1)
        query.words = "harbour"
        #expect(try await room.documents.documents(matching: query).total == 1)
        #expect(try await room.database.check().isEmpty)
    }

    @Test("are found again when their damaged index is made again")
    func damagedIndex() async throws {
        let room = try LibraryRoom()
        let document = try await room.documents.add(SampleDocument.all[0].new)
        try await room.database.write {
            try $0.execute(sql: "UPDATE documentSearch_data SET block = x'00' WHERE id > 10")
        }
        #expect(try await room.database.check().contains(.damagedSearch))
        try await room.database.rebuildDocumentSearch(reading: room.contents)
        #expect(try await room.database.check().isEmpty)
        var query = DocumentQuery()
        query.words = "lighthouse"
        #expect(try await room.documents.documents(matching: query).documents.map(\.id) == [document.id])
    }

    @Test("say so when their text is damaged")
    func damage() async throws {
        let room = try LibraryRoom()
        let document = try await room.documents.add(SampleDocument.all[0].new)
        for reference in try await room.database.referencedContents() {
            try FileManager.default.removeItem(atPath: room.contentPath(of: reference.id))
        }
        await #expect(throws: VaultError.contentMissing) { try await room.documents.text(of: document.id) }
        await #expect(throws: VaultError.contentMissing) { _ = try await room.documents.original(of: document.id) }
        #expect(try await room.documents.structure(of: document.id).pages.count == 2)
        try await room.documents.delete([document.id])
        #expect(try await room.documents.documents(matching: DocumentQuery()).total == 0)
    }

    @Test("do not keep the others from being found when the text of one is damaged")
    func damagedAmongOthers() async throws {
        let room = try LibraryRoom()
        let lost = try await room.documents.add(SampleDocument("Lost", pages: ["The lighthouse keeper sleeps."]).new)
        for reference in try await room.database.referencedContents() {
            try FileManager.default.removeItem(atPath: room.contentPath(of: reference.id))
        }
        let kept = try await room.documents.add(SampleDocument("Kept", pages: ["A lighthouse in the fog."]).new)
        var query = DocumentQuery()
        query.words = "lighthouse"
        for _ in 0..<2 {
            let hits = try await room.documents.search(query)
            #expect(hits.first { $0.document.id == kept.id }?.place != nil)
            #expect(hits.first { $0.document.id == lost.id }?.place == nil)
            try await room.database.rebuildDocumentSearch(reading: room.contents)
        }
        #expect(try await room.documents.search(query).map(\.document.id) == [kept.id])
    }

    @Test("are listed and found beside those whose rows cannot be read, which are counted")
    func unreadableRows() async throws {
        let room = try LibraryRoom()
        var documents: [Document] = []
        for (day, name) in (["First", "Damaged", "Last"] as [ItemName]).enumerated() {
            var sample = SampleDocument(name, pages: ["A lighthouse in the fog."])
            sample.day = day
            documents.append(try await room.documents.add(sample.new))
        }
        try await room.database.write { [damaged = documents[1].id] database in
            try database.execute(
                sql: "UPDATE document SET name = char(10) || 'x' || char(7) WHERE id = ?",
                arguments: [damaged.rawValue]
            )
        }
        let kept = [documents[2], documents[0]]
        let list = try await room.documents.documents(matching: DocumentQuery())
        #expect(list == DocumentList(documents: kept, total: 2, unreadable: 1))
        var query = DocumentQuery()
        (query.limit, query.offset) = (1, 1)
        let second = try await room.documents.documents(matching: query)
        #expect(second == DocumentList(documents: [documents[0]], total: 2, unreadable: 1), "no place is empty")
        query = DocumentQuery()
        query.words = "lighthouse"
        #expect(try await room.documents.documents(matching: query).unreadable == 1)
        #expect(try await room.documents.search(query).map(\.document) == kept)
        query.kinds = [.pdf]
        #expect(try await room.documents.documents(matching: query) == DocumentList(documents: [], total: 0))
        try await room.documents.delete([documents[1].id])
        let rest = try await room.documents.documents(matching: DocumentQuery())
        #expect(rest == DocumentList(documents: kept, total: 2))
    }

    @Test("are imported again where the one of that file cannot be read")
    func unreadableTwin() async throws {
        let room = try LibraryRoom()
        let sample = SampleDocument.all[0]
        _ = try await room.documents.add(sample.new)
        try await room.database.write { try $0.execute(sql: "UPDATE document SET name = char(10) || 'x' || char(7)") }
        #expect(try await room.documents.documents(madeOf: sample.bytes).isEmpty)
        var unique = sample.new
        unique.isUnique = true
        let new = unique
        let again = try await room.documents.add(new)
        #expect(try await room.documents.documents(madeOf: sample.bytes) == [again])
        await #expect(throws: LibraryError.documentThere(name: again.name.text, id: again.id)) {
            _ = try await room.documents.add(new)
        }
    }

    @Test(
        "say so when their chunks are not those of their text",
        arguments: ["byte = 100000", "start = start + 100000"]
    )
    func damagedChunks(change: String) async throws {
        let room = try LibraryRoom()
        let document = try await room.documents.add(SampleDocument("Lost", pages: ["A lighthouse in the fog."]).new)
        try await room.database.write { try $0.execute(sql: "UPDATE documentChunk SET \(change)") }
        if change.hasPrefix("byte") {
            await #expect(throws: VaultError.databaseDamaged) {
                _ = try await room.documents.passage(of: document.id, in: 2..<12)
            }
        }
        var query = DocumentQuery()
        query.words = "lighthouse"
        #expect(try await room.documents.search(query).map(\.document.id) == [document.id])
    }

    @Test("leave the recordings that were made of them, with what was chosen")
    func recordings() async throws {
        let room = try LibraryRoom()
        let document = try await room.documents.add(SampleDocument.all[0].new)
        var sample = SampleRecording.all[0]
        let selection = DocumentSelection(.pages(try PageRanges(parsing: "1")), leftOut: [0..<3])
        sample.document = DocumentLink(id: document.id.rawValue, part: "page 1", selection: selection)
        let item = try await sample.make(in: room.jobs)
        try await room.documents.delete([document.id])
        #expect(try await room.library.item(item.id)?.narration?.document == sample.document)
    }
}

extension LibraryRoom {
    /// How many texts the index of documents has.
    fileprivate var indexed: Int {
        get async throws {
            try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM documentSearch") ?? 0 }
        }
    }
}

/// Counts the transactions that write.
private final class CommitCounter: TransactionObserver, Sendable {
    let count = Mutex(0)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ database: Database) { count.withLock { $0 += 1 } }

    func databaseDidRollback(_ database: Database) {}
}

/// Encrypted files that record, whenever one is begun, whether watched bytes are still in memory.
private final class WatchingContents: SealedContents {
    struct Begun: Equatable {
        let name: SealedName
        let isGone: Bool
    }

    let begun = Mutex<[Begun]>([])
    private let isGone = Mutex(false)
    private let contents: ContentStore
    private let reported: @Sendable () -> Void

    init(contents: ContentStore, reported: @escaping @Sendable () -> Void = {}) {
        self.contents = contents
        self.reported = reported
    }

    /// The same, of bytes that are noticed when they go.
    func watched(_ new: NewDocument) -> NewDocument {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: new.bytes.count, alignment: 1)
        copy.copyBytes(from: new.bytes)
        let freeing: (UnsafeMutableRawPointer, Int) -> Void = { [weak self] pointer, _ in
            self?.isGone.withLock { $0 = true }
            pointer.deallocate()
        }
        guard let address = copy.baseAddress else { preconditionFailure("there are bytes") }
        var watched = new
        watched.bytes = Data(bytesNoCopy: address, count: copy.count, deallocator: .custom(freeing))
        return watched
    }

    func write(
        name: SealedName,
        length: Int,
        as id: ContentID,
        from next: @Sendable () async throws -> Data?
    ) async throws -> ContentReference {
        begun.withLock { $0.append(Begun(name: name, isGone: isGone.withLock { $0 })) }
        reported()
        return try await contents.write(name: name, length: length, as: id, from: next)
    }

    func sound(of reference: ContentReference) async throws -> any StoredSound {
        try await contents.sound(of: reference)
    }

    func delete(_ references: [ContentReference]) async throws { try await contents.delete(references) }
}
