package import EchoText
import Synchronization

/// Services without a disk.
package actor MemoryServices: TranscriptionServices {
    private var kept: [ServiceName: TranscriptionService] = [:]

    package init() {}

    package func services() -> [TranscriptionService] { kept.values.sorted { $0.name.text < $1.name.text } }

    package func save(_ service: TranscriptionService) throws {
        guard kept[service.name] != nil || kept.count < TranscriptionServiceLimits.services else {
            throw TranscriptionServiceError.tooMany(limit: TranscriptionServiceLimits.services)
        }
        kept[service.name] = service
    }

    package func delete(_ name: ServiceName) throws {
        guard kept.removeValue(forKey: name) != nil else { throw TranscriptionServiceError.notFound }
    }
}

/// A network that a test plugs in and out.
package final class ScriptedNetwork: NetworkWatch {
    private let shown: Mutex<(state: NetworkState, readers: [AsyncStream<NetworkState>.Continuation])>

    package init(_ state: NetworkState) {
        shown = Mutex((state, []))
    }

    package func states() -> AsyncStream<NetworkState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NetworkState.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        shown.withLock {
            continuation.yield($0.state)
            $0.readers.append(continuation)
        }
        return stream
    }

    package func set(_ state: NetworkState) {
        shown.withLock {
            guard $0.state != state else { return }
            $0.state = state
            for reader in $0.readers { reader.yield(state) }
        }
    }
}
