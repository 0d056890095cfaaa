import Synchronization

/// A value that is made when it is first needed, and kept.
final class OnDemand<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    /// - Parameter make: Makes the value; it runs once, and must not ask for the value itself.
    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value; callers that come while it is being made wait for it.
    var value: Value {
        kept.withLock { kept in
            if let kept { return kept }
            let made = make()
            kept = made
            return made
        }
    }
}
