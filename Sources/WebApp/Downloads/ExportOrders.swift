import EchoText
import Foundation

/// Downloads that were ordered and have not been fetched yet.
actor ExportOrders {
    enum Order: Sendable {
        case recordings([AudioItem.ID], DownloadFormat)
        /// Everything that is kept, which the passcode was asked for; until the library is closed.
        case everything(ExportFormat, until: Ending)
    }

    /// The most that may wait.
    private static let limit = 100
    /// Ids and no names: they are remembered while the library is locked too.
    private var orders: [(id: String, order: Order)] = []

    func add(_ order: Order) -> String {
        let id = UUID().uuidString.lowercased()
        orders.append((id, order))
        if orders.count > Self.limit { orders.removeFirst() }
        return id
    }

    /// - Returns: `nil` for what was never asked for, was fetched, or is over.
    func take(_ id: String) -> Order? {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { return nil }
        let order = orders.remove(at: index).order
        if case .everything(_, let end) = order, end.hasCome { return nil }
        return order
    }
}
