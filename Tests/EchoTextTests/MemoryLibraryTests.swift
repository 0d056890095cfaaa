import EchoText
import EchoTextTesting
import Foundation
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
        try await verifyContract(of: MemoryAPIKeys())
    }

    @Test("finds a transcript beside those of recordings whose rows cannot be read")
    func unreadable() async throws {
        let library = MemoryLibrary()
        let (sessions, transcripts) = (MemorySessions(library), MemoryTranscripts(library))
        var added: [Transcript] = []
        for _ in 0..<6 {
            let order = try RecordingOrder(name: "Talk", sampleRate: 8_000, source: .microphone)
            let session = try await sessions.begin(order)
            try await sessions.append(RecordingChunk(number: 0, samples: [1, 2, 3, 4]), to: session.id)
            let item = try await sessions.finish(session.id)
            let source = TranscriptSource()
            added.append(Transcript(item: item.id, created: Date(), source: source, language: "en", segments: []))
        }
        for transcript in added { try await transcripts.add(transcript) }
        for transcript in added.dropLast() { await library.makeUnreadable(transcript.item) }
        let last = try #require(added.last)
        #expect(try await transcripts.transcript(last.id) == last)
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
