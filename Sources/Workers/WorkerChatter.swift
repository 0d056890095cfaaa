internal import Foundation
internal import Logging

/// What a worker writes to its standard error, kept from the terminal and from the log.
///
/// An engine may repeat there what it was asked to speak, and a reader what a document says, so only its amount is reported.
struct WorkerChatter {
    private let logger: Logger?
    private var lines = 0
    private var taken = 0

    init(logger: Logger?, process: Int32) {
        var logger = logger
        logger?[metadataKey: "worker"] = "\(process)"
        self.logger = logger
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        taken += bytes.count
        lines += bytes.count { $0 == UInt8(ascii: "\n") }
    }

    func finish(_ end: WorkerEnd) {
        let metadata: Logger.Metadata = [
            "end": "\(end)", "stderr-bytes": "\(taken)", "stderr-lines": "\(lines)",
        ]
        logger?.debug("worker ended", metadata: metadata)
    }
}
