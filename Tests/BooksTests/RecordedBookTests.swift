import Books
import EchoText
import EchoTextTesting
import Testing

@Suite("A recording as a book", .endsInTime)
struct RecordedBookTests {
    @Test("says that it lacks the cover or the chapters of its document, which are damaged")
    func damagedDocument() async throws {
        let library = MemoryVault().library
        // Its picture ends too early.
        let document = try await library.documents.add(SampleDocument.all[2].new)
        var sample = SampleRecording(name: "Talk", text: "Stripes")
        sample.document = DocumentLink(id: document.id.rawValue)
        let item = try await sample.make(in: library.jobs)
        let book = try await RecordedBook(of: item, in: library)
        #expect(book.cover == nil && book.notices == [.noCover])
        let documents = try #require(library.documents as? MemoryDocuments)
        await documents.damageText(of: document.id)
        #expect(try await RecordedBook(of: item, in: library).notices == [.noChapters, .noCover])
    }
    @Test("has the headings of its text as chapters where those of its document are damaged, also while it is spoken")
    func damagedStructure() async throws {
        let library = MemoryVault().library
        let document = try await library.documents.add(SampleDocument.all[2].new)
        let documents = try #require(library.documents as? MemoryDocuments)
        await documents.damageStructure(of: document.id)
        let link = DocumentLink(id: document.id.rawValue)
        var sample = SampleRecording(name: "Talk", text: "Stripes")
        sample.document = link
        let item = try await sample.make(in: library.jobs)
        let book = try await RecordedBook(of: item, in: library)
        #expect(book.chapters.map(\.title) == ["Talk"] && book.notices == [.noChapters, .noCover])

        let order = NarrationOrder(name: "Talk", voice: ScriptedSynthesizer.narrator, document: link)
        let text = "# One\n\nStripes.\n\n# Two\n\nKeeper."
        let plan = try await RecordedBook.plan(of: order, saying: text, timings: [], in: library)
        #expect(plan.map(\.chapter.title) == ["One", "Two"])
        #expect(plan.map(\.ahead) == [nil, 17])
    }
}
