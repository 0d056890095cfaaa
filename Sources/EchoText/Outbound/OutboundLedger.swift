package import Foundation

/// A connection to another machine, as the person can review it later.
package struct OutboundRecord: Sendable, Hashable, Codable {
    package enum Purpose: String, Sendable, Hashable, Codable, CaseIterable {
        case catalogue
        case voice
        /// Also a model that tells speakers apart.
        case recogniser
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
