import EchoText
import EchoTextTesting
import Synchronization
import Testing

@testable import EchoTextCLI

@Suite("A practice track that waits for its chapters")
struct HeldTrackTests {
    private let sink = MemorySink(sampleRate: 1_000)
    private let sound = AudioClip(samples: [0.5, -0.25, 0.125], sampleRate: 1_000)
    private let pause = AudioClip(samples: [0, 0], sampleRate: 1_000)

    @Test("is written whole once they are known")
    func chapters() async throws {
        let begun = Mutex<(chapters: [Chapter], count: Int)?>(nil)
        let track = HeldTrack { [sink] chapters, count in
            begun.withLock { $0 = (chapters, count) }
            return sink
        }
        for clip in [sound, pause, sound] { try await track.append(clip) }
        #expect(await sink.samples.isEmpty)
        try await track.write([Chapter(title: "One.", start: 0), Chapter(title: "Two.", start: 5)])
        try await track.finish()
        #expect(begun.withLock(\.self)?.chapters.map(\.title) == ["One.", "Two."])
        #expect(begun.withLock(\.self)?.count == 8)
        #expect(await sink.samples.map(\.pcm16) == [sound, pause, sound].flatMap(\.pcm16))
    }

    @Test("is written as it comes, without chapters, when it has too much speech to be held")
    func long() async throws {
        let begun = Mutex(0)
        let track = HeldTrack(maximum: 5) { [sink] chapters, _ in
            #expect(chapters.isEmpty)
            begun.withLock { $0 += 1 }
            return sink
        }
        for clip in [sound, pause, sound, pause] { try await track.append(clip) }
        #expect(await sink.samples.count == 10)
        try await track.write([Chapter(title: "One.", start: 0)])
        try await track.finish()
        #expect(begun.withLock(\.self) == 1)
        #expect(await sink.samples.map(\.pcm16) == [sound, pause, sound, pause].flatMap(\.pcm16))
    }
}
