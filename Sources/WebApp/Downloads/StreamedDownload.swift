import AsyncAlgorithms
import Books
import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Answers with files that are made while they are sent, and reports by events how much is made and how each answer ended.
struct StreamedDownload: Sendable {
    let events: StudioEvents
    /// The library session, which stays open until everything is sent.
    let librarySession: LibrarySession
    /// Bounds how many answers are made at once.
    let permits: PrioritySemaphore
    /// Measures how long the client does not read.
    let clock: any Clock<Duration>
    private let running = RunningDownloads()

    /// Notes that the download with this unique id is about to begin, so that it can be stopped before its answer begins.
    func expect(_ id: String) {
        running.expect(id)
    }

    /// Stops making a download, whose answer breaks off; no event reports that.
    func stop(_ id: String) {
        running.stop(id)
    }

    /// How long the client may not read before the download is ended.
    static let timeout = Duration.seconds(60)

    /// - Parameters:
    ///   - id: The id under which its end is reported.
    ///   - name: The name that a browser gives the file.
    ///   - end: Occurs when the library is closed.
    ///   - context: The context of the request.
    ///   - fill: Writes the files, and returns how many were left out.
    /// - Returns: The response.
    func zip(
        _ id: String,
        called name: String,
        until end: Latch,
        on context: WebRequestContext,
        _ fill: @escaping @Sendable (ZipArchive, DownloadProgress) async throws -> Int
    ) -> Response {
        response(id, called: name, "application/zip", until: end, on: context) { pieces, progress in
            let file = StreamedFile(to: pieces)
            let zip = ZipArchive(to: file, at: Date())
            let leftOut = try await fill(zip, progress)
            try await zip.finish()
            try await file.finish()
            return leftOut
        }
    }

    /// A file that is sent while it is made; events report how much is made and how that ended.
    func response(
        _ id: String,
        called name: String,
        _ type: String,
        until end: Latch,
        on context: WebRequestContext,
        _ fill: @escaping @Sendable (StreamedFile.Pieces, DownloadProgress) async throws -> Int
    ) -> Response {
        let body = ResponseBody { writer in
            let pieces = StreamedFile.Pieces()
            let sent = Latch()
            let progress = DownloadProgress()
            let telling = Task {
                for await percent in progress.percents { await events.post(.exportProgress(id: id, percent: percent)) }
            }
            let filling = running.start(id) {
                defer { progress.end() }
                do {
                    return try await librarySession.keepingOpen { _ in
                        try await filled(pieces, by: fill, progress, until: end, keepingPermitUntil: sent)
                    }
                } catch {
                    pieces.fail(error)
                    throw error
                }
            }
            // A client that disconnects cancels the work, and frees its permit.
            defer {
                running.remove(filling, as: id)
                filling.cancel()
            }
            do {
                for try await piece in pieces {
                    try await context.whileRead(by: clock) { try await writer.write(piece) }
                }
                // A download that is cut short must not look whole.
                try Task.checkCancellation()
                sent.set()
                let leftOut = try await filling.value
                await telling.value
                let outcome = ExportOutcome(leftOut: leftOut, lacksParts: progress.damage.isSet)
                await events.post(.export(id: id, outcome))
            } catch {
                // A client that went away knows that.
                let failure =
                    end.isSet ? VaultError.locked.failure : error is CancellationError ? nil : Failure(error)
                if let failure { await events.post(.export(id: id, ExportOutcome(failure: failure))) }
                throw error
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [
            .contentType: type, .contentDisposition: Disposition.attachment(name),
        ]
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Calls `fill` with a permit, which is held until the last piece has been sent.
    ///
    /// It runs outside the actor of the library session, since making files takes long.
    ///
    /// - Returns: How many files were left out.
    /// - Throws: ``VaultError/locked`` when the library has been closed meanwhile, and what `fill` throws.
    @concurrent
    private func filled(
        _ pieces: StreamedFile.Pieces,
        by fill: @Sendable (StreamedFile.Pieces, DownloadProgress) async throws -> Int,
        _ progress: DownloadProgress,
        until end: Latch,
        keepingPermitUntil sent: Latch
    ) async throws -> Int {
        try await permits.pass { _ in
            guard !end.isSet else { throw VaultError.locked }
            let leftOut = try await fill(pieces, progress)
            await sent.wait()
            return leftOut
        }
    }
}

extension WebRequestContext {
    /// Runs `work`, which waits for the client to read, and closes the connection if that takes longer than
    /// ``StreamedDownload/timeout``.
    ///
    /// - Parameters:
    ///   - clock: Measures how long the client does not read.
    ///   - work: Sends something.
    /// - Throws: ``ExportError/downloadUnread``; `CancellationError` when the client has disconnected.
    @concurrent
    func whileRead(by clock: any Clock<Duration>, _ work: @concurrent () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                guard (try? await clock.sleep(for: StreamedDownload.timeout)) != nil else { return false }
                self.cut()
                return true
            }
            do {
                try await work()
            } catch {
                group.cancelAll()
                let isCut = try await group.next() ?? false
                throw isCut ? ExportError.downloadUnread : CancellationError()
            }
        }
    }
}

/// How much of a download is made.
struct DownloadProgress: Sendable {
    /// The percentages, each larger than the one before; a slow reader misses some.
    let percents: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    /// Occurs when a part of a file is missing, since the document of a recording is damaged.
    let damage = Latch()
    private let last = LastPercent()

    init() {
        (percents, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter fraction: 0 to 1; what follows the last part takes time as well, so 100 per cent is never reported.
    func report(_ fraction: Double) {
        let percent = Int(min(99, max(0, fraction * 100)))
        if last.rises(to: percent) { continuation.yield(percent) }
    }

    /// Reports parts that take about as long as each other.
    func report(_ done: Int, of total: Int) {
        report(Double(done) / Double(max(1, total)))
    }

    /// Ends ``percents``.
    func end() {
        continuation.finish()
    }
}

/// The largest percentage so far.
private final class LastPercent: Sendable {
    private let percent = Mutex(-1)

    func rises(to next: Int) -> Bool {
        percent.withLock { percent in
            guard next > percent else { return false }
            percent = next
            return true
        }
    }
}

/// The downloads that are being made or are to begin, so that they can be stopped.
private final class RunningDownloads: Sendable {
    /// A download whose answer has not begun yet.
    private struct Coming {
        let id: String
        var isStopped = false
    }

    private struct State {
        var tasks: [String: Task<Int, any Error>] = [:]
        /// The newest last; some never begin, since they were refused or their client has gone.
        var coming: [Coming] = []
    }

    /// How many are remembered that have not begun.
    private static let remembered = 100

    private let state = Mutex(State())

    /// Notes that a download is about to begin; from now on, it can be stopped.
    func expect(_ id: String) {
        state.withLock { state in
            guard !state.coming.contains(where: { $0.id == id }) else { return }
            state.coming = state.coming.suffix(Self.remembered - 1) + [Coming(id: id)]
        }
    }

    /// Begins a download; one that was stopped already is cancelled.
    func start(_ id: String, _ work: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
        state.withLock { state in
            // Whoever hears that it has begun can stop it, so the task begins with the lock held.
            let task = Task { try await work() }
            state.tasks[id] = task
            if let index = state.coming.firstIndex(where: { $0.id == id }) {
                if state.coming.remove(at: index).isStopped { task.cancel() }
            }
            return task
        }
    }

    /// Removes it, unless another download has the id by now.
    func remove(_ task: Task<Int, any Error>, as id: String) {
        state.withLock { state in
            guard state.tasks[id] == task else { return }
            state.tasks[id] = nil
        }
    }

    /// Stops a download; one that is over, or is not known, stays as it is.
    func stop(_ id: String) {
        state.withLock { state in
            if let task = state.tasks[id] {
                task.cancel()
            } else if let index = state.coming.firstIndex(where: { $0.id == id }) {
                state.coming[index].isStopped = true
            }
        }
    }
}

/// A file that is sent while it is written, and never stored.
struct StreamedFile: ByteSink {
    /// A slow receiver slows the writing down.
    typealias Pieces = AsyncThrowingChannel<ByteBuffer, any Error>

    private let pieces: Pieces

    init(to pieces: Pieces) {
        self.pieces = pieces
    }

    func append(_ bytes: Data) async throws {
        try Task.checkCancellation()
        await pieces.send(ByteBuffer(bytes: bytes))
    }

    func finish() async throws { pieces.finish() }

    /// Sent bytes cannot be taken back; the download ends without its last part, so that the browser sees that it was cut short.
    func discard() async {}
}
