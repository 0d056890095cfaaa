/// Records connections in the library while it is open, and aside otherwise: voices are downloaded with the library locked, too.
package actor CombinedLedger: OutboundLedger {
    private let aside: any OutboundNotes
    private let library: @Sendable () async -> (any OutboundLedger)?
    private var open: [Int: (ledger: any OutboundLedger, number: Int)] = [:]
    private var next = 1

    /// - Parameters:
    ///   - aside: Stores records while the library is closed.
    ///   - library: Returns the open library's ledger; `nil` while none is open.
    package init(aside: any OutboundNotes, library: @escaping @Sendable () async -> (any OutboundLedger)?) {
        (self.aside, self.library) = (aside, library)
    }

    package func begin(_ record: OutboundRecord) async throws -> Int {
        var place: (any OutboundLedger, Int)?
        if let ledger = await library(), let number = try? await ledger.begin(record) {
            // A library that closes just now, or cannot be written to, takes none; the note is moved into it later.
            place = (ledger, number)
        }
        let entry = if let place { place } else { (aside as any OutboundLedger, try await aside.begin(record)) }
        let number = next
        next += 1
        open[number] = entry
        return number
    }

    package func end(_ number: Int, outcome: OutboundRecord.Outcome, bytesReceived: Int) async {
        guard let entry = open.removeValue(forKey: number) else { return }
        await entry.ledger.end(entry.number, outcome: outcome, bytesReceived: bytesReceived)
    }

    /// Removes the records that no library has taken over.
    package func eraseNotes() async throws { try await aside.erase() }

    package func records(limit: Int) async throws -> [OutboundRecord] {
        let ledger = await library()
        // Records that cannot be moved now are listed all the same.
        if let ledger { try? await aside.move(into: ledger) }
        let noted = try await aside.records(limit: limit)
        let kept = try await ledger?.records(limit: limit) ?? []
        return Array((noted + kept).prefix(max(0, limit)))
    }
}

/// Connection records outside a library, until a library takes them over.
package protocol OutboundNotes: OutboundLedger {
    /// Moves the records of ended connections into `ledger`.
    ///
    /// - Throws: What `ledger` throws; the records stay then.
    func move(into ledger: any OutboundLedger) async throws

    /// Removes all records, as when everything is erased.
    func erase() async throws
}
