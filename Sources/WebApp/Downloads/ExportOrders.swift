import EchoText
import Foundation

/// What was asked for as one download and has not been fetched.
actor ExportOrders {
    /// The most that may wait.
    private static let limit = 100
    /// Ids and no names: they are remembered while the library is locked too.
    private var orders: [(id: String, ids: [AudioItem.ID], format: DownloadFormat)] = []

    func add(_ ids: [AudioItem.ID], _ format: DownloadFormat) -> String {
        let id = UUID().uuidString.lowercased()
        orders.append((id, ids, format))
        if orders.count > Self.limit { orders.removeFirst() }
        return id
    }

    func take(_ id: String) -> (ids: [AudioItem.ID], format: DownloadFormat)? {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { return nil }
        let order = orders.remove(at: index)
        return (order.ids, order.format)
    }
}
