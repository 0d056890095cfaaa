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
}
