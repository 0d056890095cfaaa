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

    private let setup: WorkerSetup
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
        setup = WorkerSetup(launch, isolation: isolation, clock: clock, logger: logger)
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
        let elapsed = setup.clock.stopwatch()
        var leftOut: Set<Int> = []
        while true {
            do {
                let left = timing.whole - elapsed()
                guard left > .zero else { throw DocumentError.tooSlow(seconds: Int(timing.whole.components.seconds)) }
                let task = kind == .text ? ReaderRequest.Task.readText : .read(leavingOut: leftOut.sorted())
                let answer = try await run(task, on: file, password: password, kind: kind, within: left)
                return try answer.document(kind)
            } catch let stop as ReaderStop {
                setup.logger.notice(
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
        var setup = setup
        if case .read = task, kind == .pdf { setup.launch.limits.limitToText(ofPDF: file.length) }
        let worker = OneShotWorker(
            request,
            reply: ReaderAnswer(of: kind, size: file.length),
            longest: time,
            idleTimeout: kind == .pdf ? timing.page : nil
        )
        let (answer, outcome) = try await worker.run(
            in: setup,
            notConfined: DocumentError.notConfined,
            tooLong: DocumentError.encrypted(wrong: true)
        ) { process in
            try await file.send(to: process, copies: request.copies)
        }
        do {
            try outcome.get()
            return answer
        } catch let fault as ConnectionFault {
            if case .draw = task { throw DocumentError(fault) }
            throw ReaderStop(error: DocumentError(fault), page: answer.page)
        }
    }
}

/// The timeouts of a document's reader.
///
/// They are far above its limits on processor time (``WorkerLimits/reader``), so that a busy machine loses no page: they
/// only end what waits for nothing.
package struct ReaderTiming: Sendable, Hashable {
    /// The limit for a whole document, including restarts of the worker.
    package var whole: Duration = .seconds(120)
    /// The limit for one page of a PDF.
    package var page: Duration = .seconds(40)
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

    /// The limits of a reader: a GiB, 20 seconds of processor time until the first page, 25 in all, a few files for fonts.
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

/// A request to a reader's worker; the document's bytes follow it.
struct ReaderRequest: Codable, Hashable {
    enum Task: Codable, Hashable {
        /// Read the document without these pages.
        case read(leavingOut: [Int])
        /// Read the document as plain text, which is sent twice, so that the worker holds no more than a piece of it.
        case readText
        /// Detect the encoding of a plain text and decode it, without other changes.
        case decode
        /// Draw a page, or the cover.
        case draw(page: Int?, width: Int)
    }

    var task: Task
    /// The size of the document, in bytes.
    var length: Int
    var password: String?

    /// How often the document is sent.
    var copies: Int { task == .readText ? 2 : 1 }
}

/// A document to be sent to a worker.
enum OutgoingDocument: Sendable {
    case bytes(Data)
    case stored(any StoredBytes)

    /// The size, in bytes.
    var length: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .stored(let bytes): bytes.length
        }
    }

    /// Sends the document to a worker `copies` times; a stored document is read in pieces, as the worker consumes them.
    ///
    /// - Throws: The error of a failed read.
    func send(to process: WorkerProcess, copies: Int) async throws {
        switch self {
        case .bytes(let bytes): process.send(document: bytes, copies: copies)
        case .stored(let bytes):
            for _ in 0..<copies {
                for start in stride(from: 0, to: bytes.length, by: Frame.longestPiece) {
                    let end = min(start + Frame.longestPiece, bytes.length)
                    let piece = Array(try await bytes.read(start..<end))
                    guard await process.take(Frame(.piece, request: 1, payload: piece).encoded) else { return }
                }
            }
        }
    }
}

extension Frame {
    /// The limit on a piece of a document or of its text, in bytes.
    static let longestPiece = 256 << 10

    /// Splits `bytes` into frames and passes each, encoded, to `take` until that returns `false`.
    static func cut(_ bytes: UnsafeRawBufferPointer, as kind: Kind, while take: ([UInt8]) -> Bool) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(longestPiece))
            guard take(encoded(kind, request: 1, payload: piece)) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    /// Splits `bytes` into frames and passes each, encoded, to `take`.
    static func cut(_ bytes: UnsafeRawBufferPointer, as kind: Kind, _ take: ([UInt8]) -> Void) {
        _ = cut(
            bytes,
            as: kind,
            while: { piece in
                take(piece)
                return true
            }
        )
    }
}

/// Why a reader's process did not finish, and at which page.
struct ReaderStop: Error {
    var error: DocumentError
    /// The page that it was reading; `nil` before the first.
    var page: Int?
}

/// The reply of a reader's process.
struct ReaderAnswer: Sendable {
    var text = ReceivedText()
    var structure = Data()
    var png = Data()
    /// The page that it is reading; `nil` before the first.
    private(set) var page: Int?
    /// The limit on the text, in bytes.
    private let longestText: Int

    /// - Parameters:
    ///   - kind: The kind of the document.
    ///   - size: The size of the document, in bytes.
    init(of kind: DocumentKind, size: Int) {
        // The text is limited in UTF-16 units; in bytes it may be three times as long. Plain text is as long as its
        // file.
        longestText = 3 * (kind == .text ? size + 1_024 : DocumentKind.maximumText)
        // Growth by doubling would use up to three times the memory of a long text; reserved memory counts only when
        // written.
        if kind == .text { text.reserve(size) }
    }

    /// Assembles the document.
    ///
    /// - Throws: ``ReaderStop`` when it is not valid: a hostile file may have taken over the process.
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

    /// Assembles the picture; its size is read from the file's header.
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

extension ReaderAnswer: WorkerReply {
    /// The limit on a structure or picture, in bytes.
    private static let maximumBytes = 64 << 20

    static var kinds: Set<Frame.Kind> { Frame.Kind.ofReader }

    mutating func take(_ frame: Frame) throws {
        switch frame.kind {
        case .page:
            guard frame.payload.count == 4 else { throw WorkerError.protocolViolation }
            page = frame.payload.reversed().reduce(0) { $0 << 8 | Int($1) }
        case .text: try text.append(frame.payload)
        case .structure: structure.append(contentsOf: frame.payload)
        case .picture: png.append(contentsOf: frame.payload)
        default: throw WorkerError.protocolViolation
        }
        guard text.text.utf8.count <= longestText, structure.count <= Self.maximumBytes, png.count <= Self.maximumBytes
        else { throw WorkerError.protocolViolation }
    }

    static func refusal(_ payload: [UInt8]) throws -> any Error {
        let error = try JSONDecoder().decode(DocumentError.self, from: Data(payload))
        // The program determines the file's kind itself, so a worker never sends this message.
        if case .unsupported = error { throw WorkerError.protocolViolation }
        return error
    }
}

extension DocumentError: ExpressibleByConnectionFault {
    static var cannotStart: DocumentError { .cannotStartReader }
    static var died: DocumentError { .readerDied }
}

/// A text that arrives from a worker in pieces, which may split a character.
struct ReceivedText: Sendable {
    private(set) var text = ""
    /// The text's length in UTF-16 units.
    private(set) var units = 0
    /// The first bytes of a character that is not complete yet.
    private var rest: [UInt8] = []

    /// Whether the text ends with a complete character.
    var isWhole: Bool { rest.isEmpty }

    /// Reserves memory for `count` bytes.
    mutating func reserve(_ count: Int) {
        text.reserveCapacity(count)
    }

    /// - Throws: ``WorkerError/protocolViolation`` for invalid UTF-8.
    mutating func append(_ piece: [UInt8]) throws(WorkerError) {
        let bytes = rest.isEmpty ? piece : rest + piece
        let whole = Self.wholeCharacters(in: bytes)
        guard let valid = String(validating: bytes[..<whole], as: UTF8.self) else { throw .protocolViolation }
        rest = Array(bytes[whole...])
        text += valid
        units += bytes[..<whole].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    }

    /// The number of bytes before an incomplete last character.
    private static func wholeCharacters(in bytes: [UInt8]) -> Int {
        guard let lead = bytes.indices.suffix(4).last(where: { bytes[$0] & 0xC0 != 0x80 }) else { return bytes.count }
        let byte = bytes[lead]
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        return lead + length <= bytes.count ? bytes.count : lead
    }
}

/// The worker's side: reads one document for the program.
package struct ReaderWorkerServer: Sendable {
    /// Reads plain text that arrives in pieces, twice, and delivers the clean text in pieces.
    package typealias TextReading =
        @Sendable (_ next: () throws -> [UInt8]?, _ give: (UnsafeRawBufferPointer) throws -> Void) throws ->
        DocumentStructure

    private let text: TextReading
    private let reader:
        @Sendable (_ leavingOut: Set<Int>, _ beginning: @escaping @Sendable (Int) -> Void) -> any DocumentReader
    private let confinement: WorkerConfinement?

    /// - Parameters:
    ///   - confinement: Limits the processor time; `nil` for no limit.
    ///   - text: Reads plain text; throws ``DocumentError``.
    ///   - reader: Makes the reader for every other kind; it leaves out the given pages and reports each page's
    ///     number before it reads the page.
    package init(
        confinement: WorkerConfinement? = nil,
        text: @escaping TextReading,
        reader:
            @escaping @Sendable (_ leavingOut: Set<Int>, _ beginning: @escaping @Sendable (Int) -> Void)
            -> any DocumentReader
    ) {
        self.confinement = confinement
        self.text = text
        self.reader = reader
    }

    /// Answers the program's one request.
    ///
    /// Takes over both descriptors: from then on, libraries that print to standard output write to standard error.
    package func run(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) async {
        await OneShotServer(accepted: Frame.Kind.toReader, confinement: confinement).run(
            input: input,
            output: output,
            refusing: DocumentError.readerDied
        ) { (request: ReaderRequest, rest, output) in
            try await answer(request, try DocumentPieces(rest, length: request.length), to: output)
        }
    }

    private func answer(_ request: ReaderRequest, _ pieces: DocumentPieces, to output: FrameOutput) async throws {
        switch request.task {
        case .readText:
            let structure = try text(pieces.next) { piece in
                // Waits until the program has read the frame, so that no frames queue up here.
                Frame.cut(piece, as: .text, output.sendNow)
            }
            try send(structure, to: output)
        case .read(let leftOut):
            let reader = reader(Set(leftOut)) { page in
                let number = withUnsafeBytes(of: UInt32(truncatingIfNeeded: page).littleEndian) { Array($0) }
                // The program must know the page even if the page ends this process.
                output.sendNow(Frame(.page, request: 1, payload: number).encoded)
                confinement?.allowPage()
            }
            try send(try await reader.read(try pieces.file(password: request.password)), to: output)
        case .decode:
            try send(try await reader([]) { _ in }.decode(try pieces.file(password: nil).bytes), to: output)
        case .draw(let page, let width):
            let file = try pieces.file(password: request.password)
            let picture = try await reader([]) { _ in }.picture(of: page, in: file, width: width)
            picture.png.withUnsafeBytes { Frame.cut($0, as: .picture, output.send) }
        }
    }

    private func send(_ document: DocumentText, to output: FrameOutput) throws {
        var text = document.text
        text.withUTF8 { Frame.cut(UnsafeRawBufferPointer($0), as: .text, output.send) }
        try send(document.structure, to: output)
    }

    private func send(_ structure: DocumentStructure, to output: FrameOutput) throws {
        try JSONEncoder().encode(structure).withUnsafeBytes { Frame.cut($0, as: .structure, output.send) }
    }
}

/// The document that follows the request.
private final class DocumentPieces {
    /// In bytes; equal to the worker's memory limit.
    private static let longestDocument = 1 << 30

    private let frames: FollowingFrames
    private let length: Int
    /// The bytes received of the current copy.
    private var taken = 0

    /// - Throws: ``WorkerError/protocolViolation`` for a length that is negative or too large.
    init(_ frames: FollowingFrames, length: Int) throws(WorkerError) {
        guard (1...Self.longestDocument).contains(length) else { throw .protocolViolation }
        (self.frames, self.length) = (frames, length)
    }

    /// The next bytes of the document; `nil` at its end, after which the next copy begins.
    ///
    /// - Throws: ``WorkerError/protocolViolation``.
    func next() throws -> [UInt8]? {
        guard taken < length else {
            taken = 0
            return nil
        }
        guard let piece = try frames.next(), piece.kind == .piece, !piece.payload.isEmpty else {
            throw WorkerError.protocolViolation
        }
        taken += piece.payload.count
        guard taken <= length else { throw WorkerError.protocolViolation }
        return piece.payload
    }

    /// The whole document.
    func file(password: String?) throws -> DocumentFile {
        var document = Data(capacity: length)
        while let piece = try next() { document.append(contentsOf: piece) }
        return DocumentFile(name: "", bytes: document, password: password)
    }
}
