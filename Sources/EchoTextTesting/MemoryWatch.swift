import EchoText
import Synchronization

/// Reports changes by other processes on a test's request.
package final class MemoryWatch: LibraryWatch {
    private let all = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])
    private let next = Atomic(0)
    /// One element for each new subscriber.
    package let arrivals: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation

    package init() {
        (arrivals, arrive) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many follow the changes.
    package var readers: Int { all.withLock { $0.count } }

    package func changesByOthers() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = next.wrappingAdd(1, ordering: .relaxed).newValue
            all.withLock { $0[id] = continuation }
            continuation.onTermination = { [weak self] _ in self?.all.withLock { $0[id] = nil } }
            arrive.yield()
        }
    }

    package func changeByAnother() {
        let readers = all.withLock { Array($0.values) }
        for reader in readers { reader.yield() }
    }
}
