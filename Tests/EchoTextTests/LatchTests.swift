import EchoText
import EchoTextTesting
import Testing

@Suite("A latch", .endsInTime)
struct LatchTests {
    @Test("lets whoever waits for it, and whoever comes after it, continue", .endsInTime)
    func comes() async {
        let latch = Latch()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { await latch.wait() } }
            group.addTask { latch.set() }
        }
        #expect(latch.isSet)
        await latch.wait()
    }

    @Test("is waited for no longer by who is cancelled", .endsInTime)
    func cancelled() async {
        let latch = Latch()
        let waiting = Task { await latch.wait() }
        waiting.cancel()
        await waiting.value
        #expect(!latch.isSet)
    }
}
