import Synchronization

/// Counts what failed among things done at once.
final class FailureCount: Sendable {
    private let count = Atomic(0)

    var isZero: Bool { count.load(ordering: .acquiring) == 0 }

    func add() { count.add(1, ordering: .releasing) }
}
