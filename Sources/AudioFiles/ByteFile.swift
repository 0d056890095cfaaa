import EchoText
package import Foundation

/// Writes bytes piece by piece into a file that appears at its path when it is complete.
package actor ByteFile: ByteSink {
    private nonisolated let executor = BlockingExecutor(label: "byte file")
    private nonisolated let interruption: WaitInterruption
    /// `nil` once closed.
    private var file: OutputFile?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter path: Where to write.
    /// - Throws: ``AudioFileError``.
    package init(path: String) async throws {
        interruption = try WaitInterruption()
        try await interruptible { output in
            output.file = try OutputFile(path: path, interruption: output.interruption)
        }
    }

    package func append(_ bytes: Data) async throws {
        try await interruptible { output in
            guard let file = output.file else { throw CancellationError() }
            try bytes.withUnsafeBytes { try file.write($0, at: file.length) }
        }
    }

    package func finish() async throws {
        try await interruptible { output in
            try output.file?.commit()
            output.file = nil
        }
    }

    package nonisolated func discard() async {
        interruption.set(forGood: true)
        await closeUnfinished()
    }

    private func closeUnfinished() {
        file?.discard()
        file = nil
    }

    /// Runs `work` so that cancelling the task ends its wait for a slow reader.
    ///
    /// - Parameter work: Takes this actor, which keeps it on the actor's own queue.
    /// - Throws: What `work` throws, or `CancellationError`.
    private func interruptible(_ work: (isolated ByteFile) throws -> Void) async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try work(self)
        } onCancel: {
            interruption.set()
        }
    }
}
