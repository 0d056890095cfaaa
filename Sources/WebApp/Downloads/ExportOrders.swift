import EchoText
import Foundation

/// Downloads that were ordered and have not been fetched yet.
actor ExportOrders {
    enum Order: Sendable {
        case recordings(RecordingsOrder)
        /// The files of documents, as they were given.
        case documents([Document.ID])
        /// The files that recordings were imported from, as they came.
        case files([AudioItem.ID])
        /// The whole library, for which the passcode was checked; valid until the library is closed.
        case everything(ExportFormat, until: Ending)
        /// A copy of the library, still sealed.
        case backup
    }

    /// The most that may wait.
    private static let limit = 100
    /// The most that may wait with a cover, which can be large.
    private static let coverLimit = 4
    /// They hold ids, and the titles, authors and covers that a person has given; they stay while the library is locked too.
    private var orders: [(id: String, order: Order)] = []

    func add(_ order: Order) -> String {
        let id = UUID().uuidString.lowercased()
        orders.append((id, order))
        if orders.count > Self.limit { orders.removeFirst() }
        return id
    }

    /// Adds the cover to an ordered audiobook.
    ///
    /// - Throws: ``ExportError/orderOver``; ``ExportError/noRoomForCover`` for any other order.
    func put(_ cover: CoverImage, on id: String) throws(ExportError) {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { throw .orderOver }
        guard case .recordings(var order) = orders[index].order, order.hasRoomForCover else { throw .noRoomForCover }
        order.joined?.cover = cover
        orders[index].order = .recordings(order)
        let covered = orders.indices.filter { orders[$0].order.hasCover && orders[$0].id != id }
        if covered.count >= Self.coverLimit { orders.remove(at: covered[0]) }
    }

    /// - Throws: ``ExportError/orderOver`` for an unknown, used or expired order.
    func take(_ id: String) throws(ExportError) -> Order {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { throw .orderOver }
        let order = orders.remove(at: index).order
        if case .everything(_, let end) = order, end.hasCome { throw .orderOver }
        return order
    }
}

/// Recordings that are downloaded together.
struct RecordingsOrder: Sendable {
    /// At least one, in the order in which they are joined.
    let ids: [AudioItem.ID]
    let format: DownloadFormat
    /// The texts and captions that go with each sound.
    var beside: [DownloadFormat] = []
    /// Set if they are joined into one file; otherwise each becomes a separate file.
    var joined: JoinedExport?

    var hasRoomForCover: Bool {
        guard case .sound(let sound) = format else { return false }
        return joined != nil && sound.soundFormat == nil
    }
}

extension ExportOrders.Order {
    fileprivate var hasCover: Bool {
        if case .recordings(let order) = self { order.joined?.cover != nil } else { false }
    }
}
