import EchoTextTesting
import FileSystem
import Foundation
import Testing

@Suite("A wake-up pipe", .endsInTime)
struct WakeUpPipeTests {
    @Test("ends a wait for a descriptor that has nothing to say")
    func endsWait() throws {
        let (silent, wakeUp) = (try WakeUpPipe(), try WakeUpPipe())
        let thread = Thread { wakeUp.call() }
        thread.start()
        #expect(throws: CancellationError.self) { try wakeUp.wait(for: silent.descriptor, events: POLLIN) }
        #expect(wakeUp.isCalled)
    }

    @Test("ends the next wait as well, until it is reset")
    func isReset() throws {
        let (other, wakeUp) = (try WakeUpPipe(), try WakeUpPipe())
        // More calls than fit into any pipe.
        for _ in 0..<100_000 { wakeUp.call() }
        #expect(throws: CancellationError.self) { try wakeUp.pause(milliseconds: 1) }
        wakeUp.reset()
        #expect(!wakeUp.isCalled)
        try wakeUp.pause(milliseconds: 1)
        other.call()
        #expect(try wakeUp.wait(for: other.descriptor, events: POLLIN) == POLLIN)
    }
}
