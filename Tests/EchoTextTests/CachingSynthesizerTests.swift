import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("An engine's pace", .endsInTime)
struct CachingSynthesizerTests {
    private let clock = ManualClock()
    private let utterance = Utterance(
        String(repeating: "A word, and more. ", count: 60),
        voice: ScriptedSynthesizer.narrator.id
    )

    private func seconds(_ fragment: SpeechFragment) -> Double {
        Double(fragment.clip.samples.count) / Double(fragment.clip.sampleRate)
    }

    @Test("is that of its work after the first utterance, however long it is left waiting")
    func alone() async throws {
        let paced = CachingSynthesizer(
            ScriptedSynthesizer { [clock] _ in clock.advance(by: .seconds(2)) },
            cache: nil,
            clock: clock
        )
        let sound = seconds(try await paced.speech(for: utterance))
        #expect(sound > 10 && paced.speed == nil, "a voice may have been loaded for it")
        for _ in 1...3 {
            clock.advance(by: .seconds(100))
            _ = try await paced.speech(for: utterance)
            #expect(abs(try #require(paced.speed) - sound / 2) < 0.001)
        }
    }

    /// Lets utterances through on request.
    private actor Gate {
        private var isOpen = true
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func close() { isOpen = false }

        func pass(_ arrival: AsyncStream<Void>.Continuation) async {
            guard !isOpen else { return }
            await withCheckedContinuation { continuation in
                waiting.append(continuation)
                arrival.yield()
            }
        }

        func open() {
            isOpen = true
            for one in waiting { one.resume() }
            waiting = []
        }
    }

    @Test("counts the time once in which it does several things")
    func atOnce() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let gate = Gate()
        let paced = CachingSynthesizer(
            ScriptedSynthesizer { _ in await gate.pass(arrival) },
            cache: nil,
            clock: clock
        )
        let sound = seconds(try await paced.speech(for: utterance))
        await gate.close()
        let tasks = (1...3).map { _ in Task { try await paced.speech(for: utterance) } }
        var arrivals = arrived.makeAsyncIterator()
        for _ in 1...3 { _ = await arrivals.next() }
        clock.advance(by: .seconds(6))
        await gate.open()
        for task in tasks { _ = try await task.value }
        #expect(abs(try #require(paced.speed) - 3 * sound / 6) < 0.001)
    }

    @Test("is not reported for little speech")
    func little() async throws {
        let paced = CachingSynthesizer(
            ScriptedSynthesizer { [clock] _ in clock.advance(by: .seconds(1)) },
            cache: nil,
            clock: clock
        )
        for _ in 1...3 { _ = try await paced.speech(for: Utterance("Hi.", voice: ScriptedSynthesizer.narrator.id)) }
        #expect(paced.speed == nil)
    }
}
