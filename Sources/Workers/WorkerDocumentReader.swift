package import EchoText
package import Foundation
package import Logging

/// Reads every document in its own process; a hostile file can end that process, but do nothing else.
///
/// A page that ends the process or exceeds its timeout is left out: the document is read again without it, and gets a
/// notice.
package actor WorkerDocumentReader: DocumentReader {
    /// The limit on documents that are read at once; each may take a GiB of memory.
    private static let maximumConcurrent = 2

    private let surroundings: WorkerSurroundings
    private let timing: ReaderTiming
    private let lanes = PrioritySemaphore(permits: maximumConcurrent)

    /// - Parameters:
    ///   - launch: The program to start, with the limits of ``WorkerLimits/reader``.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - timing: The timeouts.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    package init(
        _ launch: WorkerLaunch,
        isolation: WorkerIsolation? = nil,
        timing: ReaderTiming = ReaderTiming(),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        surroundings = WorkerSurroundings(launch, isolation: isolation, clock: clock, logger: logger)
        self.timing = timing
    }

    package func read(_ file: DocumentFile) async throws -> DocumentText {
        try Task.checkCancellation()
        let kind = try DocumentKind(of: file.bytes)
        return try await lanes.pass { _ in
            try await readSkippingBadPages(.bytes(file.bytes), password: file.password, kind: kind)
        }
    }

    package func read(text file: any StoredBytes) async throws -> DocumentText {
        try Task.checkCancellation()
        return try await lanes.pass { _ in try await readSkippingBadPages(.stored(file), password: nil, kind: .text) }
    }

    package func decode(_ bytes: Data) async throws -> DocumentText {
        try Task.checkCancellation()
        guard !bytes.isEmpty else { throw DocumentError.empty }
        guard bytes.count <= DocumentKind.text.largestFile else {
            throw DocumentError.tooLarge(limit: DocumentKind.text.largestFile)
        }
        return try await lanes.pass { _ in
            do {
                let answer = try await run(.decode, on: .bytes(bytes), password: nil, kind: .text, within: timing.whole)
                return try answer.document(.text)
            } catch let stop as ReaderStop {
                throw stop.error
            }
        }
    }

    package func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        try Task.checkCancellation()
        let kind = try DocumentKind(of: file.bytes)
        switch kind {
        case .text, .markdown, .srt, .vtt: throw DocumentError.noPicture
        case .pdf, .epub:
            return try await lanes.pass { _ in
                let answer = try await run(
                    .draw(page: page, width: width),
                    on: .bytes(file.bytes),
                    password: file.password,
                    kind: kind,
                    within: timing.whole
                )
                return try answer.picture()
            }
        }
    }

    /// Reads a document; if a page ends the worker, reads it again without that page, as long as there is time.
    private func readSkippingBadPages(
        _ file: OutgoingDocument,
        password: String?,
        kind: DocumentKind
    ) async throws -> DocumentText {
        let elapsed = surroundings.clock.stopwatch()
        var leftOut: Set<Int> = []
        while true {
            do {
                let left = timing.whole - elapsed()
                guard left > .zero else { throw DocumentError.tooSlow(seconds: Int(timing.whole.components.seconds)) }
                let task = kind == .text ? ReaderRequest.Task.readText : .read(leavingOut: leftOut.sorted())
                let answer = try await run(task, on: file, password: password, kind: kind, within: left)
                return try answer.document(kind)
            } catch let stop as ReaderStop {
                surroundings.logger.notice(
                    "a reader stopped",
                    metadata: ["code": "\(stop.error.code)", "pages": "\(leftOut.count)"]
                )
                guard let page = stop.page, kind == .pdf, leftOut.count < timing.maximumBadPages,
                    stop.error != .cannotStartReader,
                    leftOut.insert(page).inserted
                else { throw stop.error }
            }
        }
    }

    private func run(
        _ task: ReaderRequest.Task,
        on file: OutgoingDocument,
        password: String?,
        kind: DocumentKind,
        within time: Duration
    ) async throws -> ReaderAnswer {
        let request = ReaderRequest(task: task, length: file.length, password: password)
        var surroundings = surroundings
        if case .read = task, kind == .pdf { surroundings.launch.limits.limitToText(ofPDF: file.length) }
        let worker = OneShotWorker(
            request,
            reply: ReaderAnswer(of: kind, size: file.length),
            longest: time,
            idleTimeout: kind == .pdf ? timing.page : nil
        )
        let (answer, outcome) = try await worker.run(
            in: surroundings,
            notConfined: DocumentError.notConfined,
            tooLong: DocumentError.encrypted(wrong: true)
        ) { process in
            try await file.send(to: process, copies: request.copies)
        }
        do {
            try outcome.get()
            return answer
        } catch let fault as WorkerFault {
            if case .draw = task { throw DocumentError(fault) }
            throw ReaderStop(error: DocumentError(fault), page: answer.page)
        }
    }
}

/// The timeouts of a document's reader.
package struct ReaderTiming: Sendable, Hashable {
    /// The limit for a whole document, including restarts of the worker.
    package var whole: Duration = .seconds(30)
    /// The limit for one page of a PDF; poppler loops forever on some.
    package var page: Duration = .seconds(8)
    /// The limit on pages that are left out because the worker ended or timed out at them.
    package var maximumBadPages = 3

    package init() {}
}

extension WorkerLimits {
    /// Lowers the memory limit to what a legitimate PDF needs for its text.
    ///
    /// The program itself takes some 300 MiB of address space. Reading text unpacks a page's own bytes but no pictures:
    /// a file that needs more memory than this for each of its bytes is a decompression bomb.
    ///
    /// - Parameter size: The size of the file, in bytes.
    mutating func limitToText(ofPDF size: Int) {
        memory = min(memory, 512 << 20 + 32 * UInt64(size))
    }

    /// The limits of a reader: a GiB, 20 seconds of processor time, a few files for fonts.
    package static var reader: WorkerLimits {
        var limits = WorkerLimits()
        limits.memory = 1 << 30
        limits.processorSeconds = 20
        limits.lifeSeconds = 25
        limits.processes = 64
        return limits
    }
}

extension WorkerLaunch {
    /// This program, as a reader of documents.
    package static var reader: WorkerLaunch {
        var launch = WorkerLaunch.confined("reader", .reader)
        // Poppler allocates and frees many small blocks for each page; caching them saves a third of the time.
        launch.environment["GLIBC_TUNABLES"] = "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=65000"
        launch.readablePaths = readerPaths.filter(FileManager.default.fileExists)
        return launch
    }

    /// Substitutes for fonts that a document does not embed, and the character maps of East Asian fonts.
    private static let readerPaths = [
        "/etc/fonts", "/var/cache/fontconfig", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts",
        "/usr/share/X11/fonts", "/usr/share/ghostscript/fonts", "/usr/share/poppler",
    ]
}
