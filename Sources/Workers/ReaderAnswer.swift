internal import EchoText
internal import Foundation

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

extension DocumentError: WorkerFailure {
    static var cannotStart: DocumentError { .cannotStartReader }
    static var died: DocumentError { .readerDied }
}
