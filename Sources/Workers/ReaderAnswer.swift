internal import EchoText
internal import Foundation

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
    /// The page it has begun with; `nil` before the first.
    private(set) var page: Int?
    /// Most bytes of the text.
    private let longestText: Int

    /// - Parameters:
    ///   - kind: What the document is.
    ///   - size: In bytes.
    init(of kind: DocumentKind, size: Int) {
        // The text is bound in UTF-16 units; in bytes it may be three times as long. Plain text is what the file is.
        longestText = 3 * (kind == .text ? size + 1_024 : DocumentKind.mostText)
        // Growing by doubling would take up to three times a long text; memory that nothing is written to is not taken.
        if kind == .text { text.reserve(size) }
    }

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

extension ReaderAnswer: WorkerReply {
    /// Most bytes of a structure, or of a picture.
    private static let mostBytes = 64 << 20

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
        guard text.text.utf8.count <= longestText, structure.count <= Self.mostBytes, png.count <= Self.mostBytes
        else { throw WorkerError.protocolViolation }
    }

    static func refusal(_ payload: [UInt8]) throws -> any Error {
        let error = try JSONDecoder().decode(DocumentError.self, from: Data(payload))
        // What a file looks like is found out here, and its words are not the worker's to choose.
        if case .unsupported = error { throw WorkerError.protocolViolation }
        return error
    }
}

extension DocumentError {
    init(_ stop: WorkerStop) {
        switch stop {
        case .cannotStart: self = .cannotStartReader
        case .died: self = .readerDied
        case .tooSlow(let wait): self = .tooSlow(seconds: WorkerStop.seconds(of: wait))
        }
    }
}
