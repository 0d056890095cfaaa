package import Foundation

/// A connection to another machine, as the person can review it later.
package struct OutboundRecord: Sendable, Hashable, Codable {
    package enum Purpose: String, Sendable, Hashable, Codable, CaseIterable {
        case catalogue
        case voice
        /// Also a model that tells speakers apart.
        case recognizer = "recogniser"
        case transcription
    }

    package enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
        case begun
        case answered
        case refused
        case failed
    }

    package let time: Date
    package let purpose: Purpose
    /// The name and the port; never a path or a query.
    package let host: String
    /// Bytes that were sent of a person's own sound or text; 0 for a download.
    package var bytesSent: Int
    /// Seconds of sound that were sent.
    package var seconds: Double?
    package var bytesReceived: Int
    package var outcome: Outcome

    package init(
        time: Date,
        purpose: Purpose,
        host: String,
        bytesSent: Int = 0,
        seconds: Double? = nil,
        bytesReceived: Int = 0,
        outcome: Outcome = .begun
    ) {
        self.time = time
        self.purpose = purpose
        self.host = host
        self.bytesSent = bytesSent
        self.seconds = seconds
        self.bytesReceived = bytesReceived
        self.outcome = outcome
    }
}

/// Lists every connection that was made.
package protocol OutboundLedger: Sendable {
    /// Records a connection before it is made; if this throws, the connection must not be made.
    ///
    /// - Returns: The number of the record.
    func begin(_ record: OutboundRecord) async throws -> Int

    /// Completes a record.
    func end(_ number: Int, outcome: OutboundRecord.Outcome, bytesReceived: Int) async

    /// - Returns: Newest first, at most `limit` of them.
    func records(limit: Int) async throws -> [OutboundRecord]
}

/// Why a connection is not made that its ledger does not take.
package enum OutboundLedgerError: UserFacingError, Equatable {
    case notRecorded

    package var failure: Failure {
        Failure(
            .inputOutput,
            "outbound.not-recorded",
            "The connection could not be entered in the list of connections, so it was not made."
        )
        .suggesting("See that the library's disk has room and can be written to.")
    }
}

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
