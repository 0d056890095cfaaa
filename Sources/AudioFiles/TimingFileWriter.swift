package import EchoText

/// Writes a narration's timing table next to its sound file, row by row as it is made.
///
/// It appears at its path when ``finish()`` has returned, as a ``SoundFileWriter``'s file does.
package actor TimingFileWriter {
    private nonisolated let executor = BlockingExecutor(label: "timing file")
    private nonisolated let interruption: WaitInterruption
    private var file: OutputFile?
    private var writer: TimingWriter
    private var timing = SentenceTiming()
    private var samples = 0
    /// Rows of sentences that have been taken and not been written, as the task was cancelled or the disk is full.
    private var rows = ""
    /// Why a stream did not take rows that were given to it.
    private var failure: (any Error)?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - path: Where to write, or `nil` for standard output.
    ///   - format: How.
    ///   - sampleRate: Of the narration, in hertz.
    /// - Throws: ``AudioFileError``.
    package init(path: String?, format: TimingFormat, sampleRate: Int) async throws {
        interruption = try WaitInterruption()
        writer = TimingWriter(format, sampleRate: sampleRate)
        try await begin(path)
    }

    private func begin(_ path: String?) async throws {
        try await interruptible { table in
            table.file =
                try path.map { try OutputFile(path: $0, interruption: table.interruption) }
                ?? OutputFile(descriptor: 1, interruption: table.interruption)
            try table.write(table.writer.head)
        }
    }

    /// Takes the next passage of the narration.
    package func append(_ passage: Passage) async throws {
        take(passage)
        guard !rows.isEmpty else { return }
        try await interruptible { try $0.writeRows() }
    }

    /// Takes the next passage without writing anything yet, also in a task that was cancelled.
    package func take(_ passage: Passage) {
        samples = passage.end
        if let sentence = timing.add(passage) { rows += writer.row(sentence) }
    }

    /// Completes the table and renames it to its path.
    package func finish() async throws {
        try await interruptible { try $0.close() }
    }

    /// Completes the table with what there is, also in a task that was cancelled; does nothing after ``finish()``.
    ///
    /// - Throws: ``AudioFileError``, also where a stream did not take what was given to it before.
    package func finishPartial() async throws {
        guard file != nil else { return }
        if let failure { throw failure }
        interruption.clear()
        try close()
    }

    /// Leaves nothing behind.
    package nonisolated func discard() async {
        interruption.set(forGood: true)
        await closeUnfinished()
    }

    private func writeRows() throws {
        let taken = rows
        // A stream may have got some of their bytes, so they are not written twice; in a file they are replaced.
        if file?.isStream == true { rows = "" }
        try write(taken)
        rows = ""
    }

    private func close() throws {
        if let sentence = timing.take() { rows += writer.row(sentence) }
        try writeRows()
        try write(writer.tail(samples: samples))
        try file?.commit()
        file = nil
    }

    private func closeUnfinished() {
        file?.discard()
        file = nil
    }

    /// Runs `work` so that cancelling the task ends its wait for a slow reader.
    ///
    /// - Parameter work: Takes this actor, which keeps it on the actor's own queue.
    /// - Throws: What `work` throws, or `CancellationError`.
    private func interruptible(_ work: (isolated TimingFileWriter) throws -> Void) async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try work(self)
        } onCancel: {
            interruption.set()
        }
    }

    private func write(_ text: String) throws {
        guard let file else { throw CancellationError() }
        var text = text
        do {
            try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0), at: file.length) }
        } catch {
            if file.isStream, !(error is CancellationError) { failure = error }
            throw error
        }
    }
}
