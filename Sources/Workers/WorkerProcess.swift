internal import CProcess
internal import EchoText
internal import FileSystem
internal import Foundation
package import Logging
internal import Synchronization

/// How a worker's process ended.
package enum WorkerEnd: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)

    /// The signal that ended the worker; `nil` if it exited.
    package var signal: Int32? {
        switch self {
        case .exited: nil
        case .signalled(let signal): signal
        }
    }
}

/// A child process and its three pipes.
///
/// Each process has one thread, which starts it, reads its output and waits for its end. The kernel counts a child as
/// orphaned when the *thread* that started it ends, so a pooled thread cannot be used. Writes have their own queue,
/// since a child that does not read blocks the writer.
package final class WorkerProcess: Sendable {
    /// The process id on this machine, outside any sandbox; that of the sandbox's own process if there is one.
    package let identifier: Int32
    private let input: Int32
    private let writing = DispatchQueue(label: "echotext.worker.write")
    private let handles: Mutex<Handles>

    /// The pidfds with which the child, or in a sandbox the first process inside, can be killed.
    private struct Handles {
        var child: Int32
        /// The pidfd of the process inside, once it is known.
        var inner: Int32?
        /// Whether the process inside is not known yet but will be.
        var awaitsInner: Bool
        var isKilled = false
        var hasExited = false
    }

    private init(_ child: child_process) {
        identifier = child.pid
        input = child.input
        handles = Mutex(Handles(child: child.pidfd, awaitsInner: child.notes >= 0))
    }

    /// Starts a child on its own thread.
    ///
    /// The closures run on that thread, in this order: `started`, with `nil` if no process could be started, in which
    /// case no other closure is called; `receive` with each piece of output, which returns whether to continue; `ended`
    /// once, when the process has exited and its resources are freed.
    package static func start(
        _ launch: WorkerLaunch,
        in isolation: WorkerIsolation,
        logger: Logger? = nil,
        receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool,
        started: @escaping @Sendable (WorkerProcess?) -> Void,
        ended: @escaping @Sendable (WorkerEnd) -> Void
    ) {
        let thread = Thread {
            var child = child_process()
            guard spawn(launch, in: isolation, into: &child) else { return started(nil) }
            let process = WorkerProcess(child)
            started(process)
            var errorOutput = WorkerErrorOutput(logger: logger, process: child.pid)
            process.listen(to: child, errorOutput: &errorOutput, receive: receive)
            let end = process.reap(child, in: isolation)
            errorOutput.finish(end)
            ended(end)
        }
        thread.name = "echotext worker"
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// Sends `bytes` after everything sent before; they are lost if the child has ended.
    package func send(_ bytes: [UInt8]) {
        writing.async { [self] in
            if isOpen { _ = Self.write(bytes, to: input) }
        }
    }

    /// Sends a document in pieces after everything sent before; memory holds only one piece in addition to the
    /// document.
    ///
    /// - Parameters:
    ///   - document: The bytes of the document.
    ///   - copies: How often to send it.
    func send(document: Data, copies: Int) {
        writing.async { [self] in
            guard isOpen else { return }
            for _ in 0..<copies {
                let isTaken = document.withUnsafeBytes {
                    Frame.cut($0, as: .piece, while: { Self.write($0, to: input) })
                }
                guard isTaken else { return }
            }
        }
    }

    /// Sends `bytes` after everything sent before, and waits until they are written.
    ///
    /// - Returns: Whether they were written; `false` if the child has ended.
    func take(_ bytes: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            writing.async { [self] in continuation.resume(returning: isOpen && Self.write(bytes, to: input)) }
        }
    }

    /// Whether the descriptor is still open: after the child has exited, its number may refer to another file.
    private var isOpen: Bool { handles.withLock { !$0.hasExited } }

    /// - Returns: Whether all of it was written; if not, the reading side sees the end too, and reports it.
    private static func write(_ bytes: [UInt8], to input: Int32) -> Bool {
        bytes.withUnsafeBytes { $0.writeAll(toPipe: input) }
    }

    /// Kills the child; `ended` is called afterwards.
    ///
    /// In a sandbox the process inside is killed, for which the sandbox's own process waits. If the latter were killed
    /// right after it started the process inside, that process would keep running.
    package func kill() {
        handles.withLock { handles in
            handles.isKilled = true
            guard !handles.hasExited, !handles.awaitsInner else { return }
            child_kill(handles.inner ?? handles.child)
        }
    }

    private static func spawn(
        _ launch: WorkerLaunch,
        in isolation: WorkerIsolation,
        into child: inout child_process
    ) -> Bool {
        let (path, arguments, environment) = launch.command(in: isolation)
        let wantsNotes = isolation.isSandboxed ? Int32(1) : 0
        return withArrayOfCStrings(arguments) { arguments in
            withArrayOfCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                child_spawn(&child, path, arguments, environment, wantsNotes) == 0
            }
        }
    }
}

extension WorkerProcess {
    /// Reads until the child closes its output or `receive` returns `false`.
    private func listen(
        to child: child_process,
        errorOutput: inout WorkerErrorOutput,
        receive: (UnsafeRawBufferPointer) -> Bool
    ) {
        var sandboxNotes: [UInt8] = []
        var sources = [child.output, child.errors, child.notes].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { piece.deallocate() }
        var isListening = true
        // The process to kill must be known before this returns.
        while isListening || sources[2].fd >= 0 {
            if !isListening { sources[0].fd = -1 }
            guard poll(&sources, nfds_t(sources.count), -1) >= 0 || errno == EINTR else { return }
            for index in sources.indices where sources[index].fd >= 0 && sources[index].revents != 0 {
                let count = read(sources[index].fd, piece.baseAddress, piece.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { sources[index].fd = -1 }  // `poll` ignores it
                let bytes = UnsafeRawBufferPointer(rebasing: piece[..<max(count, 0)])
                switch index {
                case 0: isListening = count > 0 && receive(bytes)
                case 1: errorOutput.take(bytes)
                default: if note(bytes, into: &sandboxNotes) { sources[index].fd = -1 }
                }
            }
        }
    }

    /// Records which process runs inside the sandbox; no bytes mean the end of the notes.
    ///
    /// - Returns: Whether the notes are complete.
    private func note(_ bytes: UnsafeRawBufferPointer, into notes: inout [UInt8]) -> Bool {
        notes.append(contentsOf: bytes)
        let sandbox = try? JSONDecoder().decode(SandboxNotes.self, from: Data(notes))
        guard sandbox != nil || bytes.isEmpty || notes.count > 4_096 else { return false }
        let isKilled = handles.withLock { handles in
            guard handles.awaitsInner else { return false }
            let inner = sandbox.map { child_descriptor($0.childProcess) } ?? -1
            handles.inner = inner >= 0 ? inner : nil
            handles.awaitsInner = false
            return handles.isKilled
        }
        if isKilled { kill() }
        return true
    }

    /// Kills the child, waits for its end and frees its resources.
    private func reap(_ child: child_process, in isolation: WorkerIsolation) -> WorkerEnd {
        kill()
        let status = child_wait(child.pid)
        handles.withLock { handles in
            close(handles.child)
            if let inner = handles.inner { close(inner) }
            handles.inner = nil
            handles.hasExited = true
        }
        for descriptor in [child.output, child.errors, child.notes] where descriptor >= 0 { close(descriptor) }
        writing.sync { _ = close(input) }
        return WorkerEnd(status: status, isSandboxed: isolation.isSandboxed)
    }
}

/// Bubblewrap's report about its sandbox.
private struct SandboxNotes: Decodable {
    let childProcess: Int32

    enum CodingKeys: String, CodingKey {
        case childProcess = "child-pid"
    }
}

extension WorkerEnd {
    /// Decodes a wait status, where a sandbox reports a signal as an exit code above 128, as shells do.
    init(status: Int32, isSandboxed: Bool) {
        let signal = child_signal(status)
        let code = child_exit_code(status)
        if signal != 0 {
            self = .signalled(signal)
        } else if isSandboxed, code > 128, code < 128 + 65 {
            self = .signalled(code - 128)
        } else {
            self = .exited(code)
        }
    }
}

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

extension Task where Failure == any Error {
    /// The task's result, or `CancellationError` at once when the *calling* task is cancelled; this task keeps
    /// running.
    var valueUnlessCancelled: Success {
        get async throws {
            let (results, continuation) = AsyncThrowingStream.makeStream(
                of: Success.self,
                bufferingPolicy: .bufferingOldest(1)  // There is only one element.
            )
            let relay = Task<Void, Never> {
                switch await result {
                case .success(let value):
                    continuation.yield(value)
                    continuation.finish()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
            defer { relay.cancel() }
            for try await value in results { return value }
            throw _Concurrency.CancellationError()
        }
    }
}
