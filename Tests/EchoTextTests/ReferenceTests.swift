import EchoText
import EchoTextTesting
import Testing

@Suite("A recording that a person names")
struct ReferenceTests {
    private let library = MemoryLibrary()

    private func recording(called name: String) async throws -> AudioItem {
        let sessions = MemorySessions(library)
        let order = try RecordingOrder(name: ItemName(name), sampleRate: 8_000, source: .microphone)
        let session = try await sessions.begin(order)
        try await sessions.append(RecordingChunk(number: 0, samples: [1]), to: session.id)
        return try await sessions.finish(session.id)
    }

    @Test("is not another one whose id begins as its name reads")
    func ids() async throws {
        let other = try await recording(called: "Talk")
        let beginning = String(other.id.rawValue.prefix(4))
        #expect(try await library.item(called: beginning).id == other.id)
        let named = try await recording(called: beginning)
        let ids = [named.id.rawValue, other.id.rawValue]
        await #expect(throws: LibraryError.ambiguous(count: 2, ids: ids)) {
            _ = try await library.item(called: beginning)
        }
        for item in [other, named] { #expect(try await library.item(called: item.id.rawValue).id == item.id) }
    }

    @Test("is the one with that name before those whose names begin so")
    func names() async throws {
        let (part, later) = (try await recording(called: "Part 1"), try await recording(called: "Part 10"))
        #expect(try await library.item(called: "part 1").id == part.id)
        #expect(try await library.item(called: "PART 10").id == later.id)
        await #expect(throws: LibraryError.self) { _ = try await library.item(called: "Part") }
    }

    @Test("is found by its name, however many newer ones have that word in theirs")
    func older() async throws {
        let named = try await recording(called: "Notes")
        for number in 1...1_000 { _ = try await recording(called: "Notes of day \(number)") }
        #expect(try await library.item(called: "notes").id == named.id)
    }

    @Test(arguments: ["🎵", "?!", "—"])
    func `is found by a name of signs alone`(_ name: String) async throws {
        _ = try await recording(called: "Talk")
        let signs = try await recording(called: name)
        #expect(try await library.item(called: name).id == signs.id)
    }

    @Test("is none where nothing is named, though there is only one", arguments: ["", " "])
    func nothing(_ reference: String) async throws {
        _ = try await recording(called: "Talk")
        await #expect(throws: LibraryError.itemNotFound) { _ = try await library.item(called: reference) }
    }
}

@Suite("A document that a person names")
struct DocumentReferenceTests {
    @Test("is found by its name, however many newer ones have that word in theirs")
    func older() async throws {
        let documents = MemoryDocuments()
        let named = try await documents.add(SampleDocument("Notes", pages: ["Text."]).new)
        for number in 1...1_000 {
            var newer = SampleDocument(try ItemName("Notes of day \(number)"), pages: ["Text."])
            newer.day = number
            _ = try await documents.add(newer.new)
        }
        #expect(try await documents.document(called: "notes").id == named.id)
    }
}
