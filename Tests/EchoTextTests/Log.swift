import Synchronization

final class Log<Element: Sendable & Equatable>: Sendable {
    private let elements = Mutex([Element]())

    var all: [Element] { elements.withLock(\.self) }

    func add(_ element: Element) -> [Element] {
        elements.withLock { elements in
            elements.append(element)
            return elements
        }
    }

    func remove(_ element: Element) {
        elements.withLock { elements in
            if let index = elements.firstIndex(of: element) { elements.remove(at: index) }
        }
    }
}
