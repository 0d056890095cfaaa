internal import Foundation
internal import Logging

/// What a worker writes to its standard error, kept from the terminal and, within bounds, for the log.
///
/// An engine may repeat there what it was asked to speak, so lines are logged at `trace` only.
struct WorkerChatter {
    /// Most bytes logged of one worker, and of one line.
    private static let most = 64 << 10
    private static let longestLine = 500

    private let logger: Logger?
    private var line: [UInt8] = []
    private var taken = 0

    init(logger: Logger?, process: Int32) {
        var logger = logger
        logger?[metadataKey: "worker"] = "\(process)"
        self.logger = logger
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        taken += bytes.count
        guard taken <= Self.most else { return }
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                flush()
            } else if line.count < Self.longestLine {
                line.append(byte)
            }
        }
    }

    mutating func finish(_ end: WorkerEnd) {
        flush()
        logger?.debug("worker ended", metadata: ["end": "\(end)", "stderr-bytes": "\(taken)"])
    }

    private mutating func flush() {
        guard !line.isEmpty else { return }
        logger?.trace("worker wrote", metadata: ["line": "\(String(decoding: line, as: UTF8.self))"])
        line.removeAll(keepingCapacity: true)
    }
}
