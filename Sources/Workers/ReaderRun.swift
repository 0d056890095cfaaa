internal import EchoText
internal import Foundation
internal import Logging
internal import Synchronization

/// Why a reader's process came to no end of its own, and at which page.
struct ReaderStop: Error {
    var error: DocumentError
    /// The page it had begun with; `nil` before the first.
    var page: Int?
}

/// What a reader's process has said.
struct ReaderAnswer: Sendable {
    var text = ReceivedText()
    var structure = Data()
    var png = Data()

    /// The document.
    ///
    /// - Throws: ``ReaderStop`` when it is not what a reader would say: a file may have taken its process over.
    func document(_ kind: DocumentKind) throws -> DocumentText {
        guard text.isWhole, let structure = try? JSONDecoder().decode(DocumentStructure.self, from: structure) else {
            throw ReaderStop(error: .readerDied)
        }
        let document = DocumentText(text: text.text, structure: structure)
        guard document.invariantViolation(ofLength: text.units) == nil, document.kind == kind else {
            throw ReaderStop(error: .readerDied)
        }
        return document
    }

    /// The picture, whose size stands at the beginning of its file.
    func picture() throws(DocumentError) -> PagePicture {
        guard png.count > 24, png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { throw .readerDied }
        func number(_ offset: Int) -> Int { png.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(16), number(20))
        guard (1...PagePicture.widest).contains(width), (1...PagePicture.highest).contains(height) else {
            throw .readerDied
        }
        return PagePicture(png: png, width: width, height: height)
    }
}

/// One process at one request, from its start until nothing is left of it.
final class ReaderRun: Sendable {
    private enum Outcome {
        case answered
        case refused(DocumentError)
        case stopped(DocumentError)
        /// The document could not be read.
        case failed(any Error)
        case cancelled
    }

    private struct State {
        var decoder = FrameDecoder(accepting: Frame.Kind.ofReader)
        var answer = ReaderAnswer()
        var page: Int?
        var outcome: Outcome?
        var process: WorkerProcess?
        /// Waits for the time to be over.
        var watches: [Task<Void, Never>] = []
        var continuation: CheckedContinuation<ReaderAnswer, any Error>?
    }

    /// Most bytes of a structure, or of a picture.
    private static let mostBytes = 64 << 20

    private let state = Mutex(State())
    private let timing: ReaderTiming
    private let kind: DocumentKind
    /// Most bytes of a text.
    private let longestText: Int
    private let clock: any Clock<Duration>
    private let watchdog: Watchdog

    /// - Parameters:
    ///   - timing: How long it is waited for.
    ///   - kind: What the document is.
    ///   - size: In bytes.
    ///   - clock: What it is waited for by.
    init(timing: ReaderTiming, kind: DocumentKind, size: Int, clock: any Clock<Duration>) {
        self.timing = timing
        self.kind = kind
        self.clock = clock
        // The text is bound in UTF-16 units; in bytes it may be three times as long. Plain text is what the file is.
        longestText = 3 * (kind == .text ? size + 1_024 : DocumentKind.mostText)
        watchdog = Watchdog(timeout: timing.page, clock: clock)
        // Growing by doubling would take up to three times a long text; memory that nothing is written to is not taken.
        if kind == .text { state.withLock { $0.answer.text.reserve(size) } }
    }

    /// - Returns: When the process is gone.
    /// - Throws: ``DocumentError`` that the worker gave, ``ReaderStop``, or `CancellationError`.
    func answer(
        to request: ReaderRequest,
        about document: OutgoingDocument,
        by launch: WorkerLaunch,
        in isolation: WorkerIsolation,
        logger: Logger
    ) async throws -> ReaderAnswer {
        let (asked, copies) = (try request.frame, request.copies)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                WorkerProcess.start(launch, in: isolation, logger: logger) { [self] in
                    receive($0)
                } started: { [self] process in
                    begin(process, asked, document, copies: copies)
                } ended: { [self] _ in
                    finish(.stopped(.readerDied))
                }
            }
        } onCancel: {
            end(.cancelled)
        }
    }

    private func begin(_ process: WorkerProcess?, _ asked: [UInt8], _ document: OutgoingDocument, copies: Int) {
        guard let process else { return finish(.stopped(.cannotStartReader)) }
        let isOver = state.withLock { state in
            state.process = process
            guard state.outcome == nil else { return true }
            state.watches = watches()
            return false
        }
        if isOver { return process.kill() }
        process.send(FrameFormat.preamble)
        process.send(asked)
        switch document {
        case .bytes(let bytes): process.send(document: bytes, copies: copies)
        case .stored(let bytes): feed(process, bytes, copies: copies)
        }
    }

    /// Sends what is kept piece by piece, as the worker takes it.
    private func feed(_ process: WorkerProcess, _ document: any StoredBytes, copies: Int) {
        let feeding = Task { [weak self] in
            do {
                for _ in 0..<copies {
                    for start in stride(from: 0, to: document.length, by: Frame.longestPiece) {
                        let end = min(start + Frame.longestPiece, document.length)
                        let piece = Array(try await document.read(start..<end))
                        guard await process.take(Frame(.piece, request: 1, payload: piece).encoded) else { return }
                    }
                }
            } catch {
                self?.end(.failed(error))
            }
        }
        let isOver = state.withLock { state in
            state.watches.append(feeding)
            return state.continuation == nil
        }
        if isOver { feeding.cancel() }
    }

    private func watches() -> [Task<Void, Never>] {
        let whole = Task { [weak self, clock, timing] in
            // Thrown only when there is nothing to wait for any more.
            guard (try? await clock.sleep(for: timing.whole)) != nil else { return }
            // Most of the time there was; what was used before the process began is a part of a second.
            self?.end(.stopped(.tooSlow(seconds: Int((timing.whole / .seconds(1)).rounded(.up)))))
        }
        guard kind == .pdf else { return [whole] }
        let page = Task { [weak self, watchdog, timing] in
            guard (try? await watchdog.expiration()) != nil else { return }
            self?.end(.stopped(.tooSlow(seconds: Int(timing.page.components.seconds))))
        }
        return [whole, page]
    }

    /// - Returns: Whether to continue listening.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        watchdog.heard()
        return state.withLock { state in
            state.decoder.append(bytes)
            do {
                while state.outcome == nil, let frame = try state.decoder.next() { try take(frame, into: &state) }
            } catch {
                state.outcome = state.outcome ?? .stopped(.readerDied)
            }
            return state.outcome == nil
        }
    }

    private func take(_ frame: Frame, into state: inout State) throws {
        switch frame.kind {
        case .page:
            guard frame.payload.count == 4 else { throw WorkerError.protocolViolation }
            state.page = frame.payload.reversed().reduce(0) { $0 << 8 | Int($1) }
        case .text: try state.answer.text.append(frame.payload)
        case .structure: state.answer.structure.append(contentsOf: frame.payload)
        case .picture: state.answer.png.append(contentsOf: frame.payload)
        case .done: state.outcome = .answered
        case .failed:
            let error = try JSONDecoder().decode(DocumentError.self, from: Data(frame.payload))
            // What a file looks like is found out here, and its words are not the worker's to choose.
            if case .unsupported = error { throw WorkerError.protocolViolation }
            state.outcome = .refused(error)
        default: throw WorkerError.protocolViolation
        }
        guard state.answer.text.text.utf8.count <= longestText, state.answer.structure.count <= Self.mostBytes,
            state.answer.png.count <= Self.mostBytes
        else { throw WorkerError.protocolViolation }
    }

    /// Ends the process, if it is still at work.
    private func end(_ outcome: Outcome) {
        let process = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            return state.process
        }
        process?.kill()
    }

    private func finish(_ fallback: Outcome) {
        let (continuation, outcome, answer, page) = state.withLock { state in
            for watch in state.watches { watch.cancel() }
            defer {
                state.continuation = nil
                state.process = nil
                state.answer = ReaderAnswer()
            }
            return (state.continuation, state.outcome ?? fallback, state.answer, state.page)
        }
        switch outcome {
        case .answered: continuation?.resume(returning: answer)
        case .refused(let error): continuation?.resume(throwing: error)
        case .failed(let error): continuation?.resume(throwing: error)
        case .stopped(let error): continuation?.resume(throwing: ReaderStop(error: error, page: page))
        case .cancelled: continuation?.resume(throwing: CancellationError())
        }
    }
}
