internal import Foundation
internal import Logging

/// Counts what a worker writes to its standard error; neither the terminal nor the log shows the content.
///
/// An engine may print the text of a request there, and a reader the content of a document, so only the amount is
/// logged.
struct WorkerErrorOutput {
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
