import EchoTextTesting
import Synchronization
import Testing

@testable import WebApp

@Suite("Values made on demand", .endsInTime)
struct OnDemandTests {
    @Test("are made when they are first needed, once, however many need them at once")
    func once() async {
        let count = Count()
        let value = OnDemand { count.next() }
        #expect(count.last == 0)
        let found = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { value.value } }
            var found: Set<Int> = []
            for await one in group { found.insert(one) }
            return found
        }
        #expect(found == [1])
        #expect(count.last == 1)
    }
}

private final class Count: Sendable {
    private let numbers = Mutex(0)

    var last: Int { numbers.withLock(\.self) }

    func next() -> Int {
        numbers.withLock { last in
            last += 1
            return last
        }
    }
}
