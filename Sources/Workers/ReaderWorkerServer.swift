package import EchoText
internal import Foundation

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
