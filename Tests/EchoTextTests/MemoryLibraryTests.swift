import EchoText
import EchoTextTesting
import Testing

@Suite("Library in memory")
struct MemoryLibraryTests {
    @Test("keeps every promise of a library")
    func library() async throws {
        let library = MemoryLibrary()
        try await verifyContract(of: library, filledBy: library)
        try await verifyContract(of: library, fillingUp: library, reopened: library)
    }

    @Test("keeps every promise of recordings and transcripts")
    func recordings() async throws {
        let library = MemoryLibrary()
        let sessions = MemorySessions(library)
        let transcripts = MemoryTranscripts(library)
        let jobs = MemoryTranscriptions(transcripts)
        try await verifyContract(of: sessions, fillingUp: library, reopened: sessions.reopened())
        try await verifyContract(of: transcripts, in: library, filledBy: sessions, and: library)
        try await verifyContract(
            of: jobs,
            fillingUp: transcripts,
            in: library,
            filledBy: sessions,
            reopened: jobs.reopened()
        )
        try await verifyContract(of: MemoryOutbound())
    }

    @Test("keeps every promise of the small stores")
    func smallStores() async throws {
        let library = MemoryLibrary()
        try await verifyContract(of: library, playing: library, filledBy: library)
        try await verifyContract(of: MemoryHistory()) { await $0.damage($1) }
        try await verifyContract(of: MemoryProfiles())
        try await verifyContract(of: MemorySettings())
        try await verifyContract(of: MemoryDraft())
        try await verifyContract(of: MemoryVoices())
    }
}
