import EchoText
import EchoTextTesting
import Testing

@Suite("An ending")
struct EndingTests {
    @Test("lets go on who waits for it, and who comes after it", .endsInTime)
    func comes() async {
        let ending = Ending()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { await ending.wait() } }
            group.addTask { ending.come() }
        }
        #expect(ending.hasCome)
        await ending.wait()
    }

    @Test("is waited for no longer by who is cancelled", .endsInTime)
    func cancelled() async {
        let ending = Ending()
        let waiting = Task { await ending.wait() }
        waiting.cancel()
        await waiting.value
        #expect(!ending.hasCome)
    }
}
