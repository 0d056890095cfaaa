import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Narrator", .endsInTime)
struct NarratorTests {
    private let story = (1...40).map { "This is sentence number \($0) of the story. " }.joined()

    @Test(
        "puts two phrases more before an engine whose lanes are all asked for, and none where that would use more of them",
        .endsInTime,
        arguments: [
            (engine: 2, lanes: 2, most: 4), (engine: 2, lanes: 3, most: 5), (engine: 4, lanes: 2, most: 2),
            (engine: 2, lanes: 1, most: 1), (engine: nil, lanes: 3, most: 3),
        ]
    )
    func queue(_ example: (engine: Int?, lanes: Int, most: Int)) async throws {
        let begun = Mutex(0)
        let (arrivals, arrive) = AsyncStream.makeStream(of: Int.self)
        let synthesizer = ScriptedSynthesizer { _ in
            let number = begun.withLock {
                $0 += 1
                return $0
            }
            guard number > 1 else { return }  // the first is spoken alone
            arrive.yield(number - 1)
            try await untilCancelled()
        }
        let narrator = Narrator(
            synthesizer: synthesizer,
            segmenter: PlainSegmenter(),
            engineLanes: example.engine
        )
        let order = NarrationOrder(name: "Story", voice: ScriptedSynthesizer.narrator)
        let narration = try narrator.narration(of: StringSource(story), as: order, lanes: example.lanes)
        let listening = Task { for try await _ in narration {} }
        for await count in arrivals where count == example.most { break }
        for _ in 0..<100 { await Task.yield() }
        #expect(begun.withLock { $0 } == example.most + 1)
        listening.cancel()
        await #expect(throws: CancellationError.self) { try await listening.value }
    }
}
