import EchoText
import Foundation

/// Writes text piece by piece into a file that appears in its place when it is whole.
actor TextFile: TextSink {
    private nonisolated let executor = BlockingExecutor(label: "text file")
    private nonisolated let interruption: Interruption
    /// `nil` once closed.
    private var file: OutputFile?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter path: Where to write.
    /// - Throws: ``AudioFileError``.
    init(path: String) async throws {
        interruption = try Interruption()
        try await interruptible { text in
            text.file = try OutputFile(path: path, interruption: text.interruption)
        }
    }

    /// Writes into memory.
    init(memory file: MemoryFile) async throws {
        interruption = try Interruption()
        self.file = OutputFile(memory: file, interruption: interruption)
    }

    func append(_ text: String) async throws {
        var text = text
        try await interruptible { output in
            guard let file = output.file else { throw CancellationError() }
            try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0), at: file.length) }
        }
    }

    func append(_ bytes: Data) async throws {
        try await interruptible { output in
            guard let file = output.file else { throw CancellationError() }
            try bytes.withUnsafeBytes { try file.write($0, at: file.length) }
        }
    }

    func finish() async throws {
        try await interruptible { output in
            try output.file?.commit()
            output.file = nil
        }
    }

    nonisolated func abandon() async {
        interruption.set(forGood: true)
        await discard()
    }

    private func discard() {
        file?.discard()
        file = nil
    }

    /// Runs `work` so that cancelling the task ends its wait for a slow reader.
    ///
    /// - Parameter work: Takes this actor, which keeps it on the actor's own queue.
    /// - Throws: What `work` throws, or `CancellationError`.
    private func interruptible(_ work: (isolated TextFile) throws -> Void) async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try work(self)
        } onCancel: {
            interruption.set()
        }
    }
}
