package import EchoText
internal import Foundation
package import Logging

/// Reads every document in a process of its own, which a hostile file can end, and nothing else.
///
/// A page over which the process ends, or never gets done, is left out: the document is read again without it, and a notice
/// says so.
package actor WorkerDocumentReader: DocumentReader {
    /// Most documents that are read at once; each may take a GiB.
    private static let mostAtOnce = 2

    private let launch: WorkerLaunch
    private let timing: ReaderTiming
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let lanes = PrioritySemaphore(places: mostAtOnce)
    private let isolation: IsolationFinder

    /// - Parameters:
    ///   - launch: What to start; its limits are those of ``WorkerLimits/reader``.
    ///   - isolation: What to start it in, or `nil` to find out with the first worker.
    ///   - timing: How long workers are waited for.
    ///   - clock: What they are waited for by.
    ///   - logger: Takes what workers print, and why they ended.
    package init(
        _ launch: WorkerLaunch,
        isolation: WorkerIsolation? = nil,
        timing: ReaderTiming = ReaderTiming(),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        self.launch = launch
        self.isolation = IsolationFinder(isolation, logger: logger)
        self.timing = timing
        self.clock = clock
        self.logger = logger
    }

    package func read(_ file: DocumentFile) async throws -> DocumentText {
        try Task.checkCancellation()
        let kind = try DocumentKind(of: file.bytes)
        return try await lanes.pass { _ in
            try await readAround(.bytes(file.bytes), password: file.password, kind: kind)
        }
    }

    package func read(text file: any StoredBytes) async throws -> DocumentText {
        try Task.checkCancellation()
        return try await lanes.pass { _ in try await readAround(.stored(file), password: nil, kind: .text) }
    }

    package func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture {
        try Task.checkCancellation()
        let kind = try DocumentKind(of: file.bytes)
        switch kind {
        case .text, .markdown: throw DocumentError.noPicture
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

    /// Reads a document, and again without the page that ended its worker, as long as there is time.
    private func readAround(
        _ file: OutgoingDocument,
        password: String?,
        kind: DocumentKind
    ) async throws -> DocumentText {
        let elapsed = clock.stopwatch()
        var leftOut: Set<Int> = []
        while true {
            do {
                let left = timing.whole - elapsed()
                guard left > .zero else { throw DocumentError.tooSlow(seconds: Int(timing.whole.components.seconds)) }
                let task = kind == .text ? ReaderRequest.Task.readText : .read(leavingOut: leftOut.sorted())
                let answer = try await run(task, on: file, password: password, kind: kind, within: left)
                return try answer.document(kind)
            } catch let stop as ReaderStop {
                logger.notice(
                    "a reader stopped",
                    metadata: ["code": "\(stop.error.code)", "pages": "\(leftOut.count)"]
                )
                guard let page = stop.page, kind == .pdf, leftOut.count < timing.mostBadPages,
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
        let isolation = await isolation.isolation
        guard isolation.isEnough(for: launch) else { throw DocumentError.notConfined }
        let request = ReaderRequest(task: task, length: file.length, password: password)
        var launch = launch
        if case .read = task, kind == .pdf { launch.limits.holdToText(ofPDF: file.length) }
        let worker = OneShotWorker(
            request,
            reply: ReaderAnswer(of: kind, size: file.length),
            longest: time,
            idleTimeout: kind == .pdf ? timing.page : nil,
            clock: clock
        )
        let (answer, outcome) = try await worker.run(
            launch,
            in: isolation,
            logger: logger,
            orThrow: DocumentError.encrypted(wrong: true)
        ) { process in
            try await file.send(to: process, copies: request.copies)
        }
        do {
            try outcome.get()
            return answer
        } catch let stop as WorkerStop {
            if case .draw = task { throw DocumentError(stop) }
            throw ReaderStop(error: DocumentError(stop), page: answer.page)
        }
    }
}

/// How long a document's reader is waited for.
package struct ReaderTiming: Sendable, Hashable {
    /// For the whole of a document, however often its worker has to be started again.
    package var whole: Duration = .seconds(30)
    /// For one page of a PDF; poppler goes round for ever on some.
    package var page: Duration = .seconds(8)
    /// Most pages that are passed over because the worker ended or stopped at them.
    package var mostBadPages = 3

    package init() {}
}

extension WorkerLimits {
    /// Takes from the memory what no honest PDF needs for its text.
    ///
    /// The program itself takes up some 300 MiB of addresses. A page's text is made of the page's own bytes, unpacked, and no
    /// picture is: a file that needs more than this much for each of its bytes swells.
    ///
    /// - Parameter size: Of the file, in bytes.
    mutating func holdToText(ofPDF size: Int) {
        memory = min(memory, 512 << 20 + 32 * UInt64(size))
    }

    /// What a reader may use: a GiB, 20 seconds of processor time, a few files for fonts.
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
        var launch = WorkerLaunch.thisProgram
        launch.arguments = ["worker", "reader"]
        launch.limits = .reader
        // Poppler asks for and gives back many small pieces a page; kept at hand, they cost a third of the time less.
        launch.environment["GLIBC_TUNABLES"] = "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=65000"
        launch.readablePaths = readerPaths.filter(FileManager.default.fileExists)
        launch.needsConfinement = true
        return launch
    }

    /// Which fonts stand for those that a document does not bring, and how the characters of East Asian ones are numbered.
    private static let readerPaths = [
        "/etc/fonts", "/var/cache/fontconfig", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts",
        "/usr/share/X11/fonts", "/usr/share/ghostscript/fonts", "/usr/share/poppler",
    ]
}
