internal import EchoText
internal import Foundation

/// A request to an unpacker's worker.
struct UnpackerRequest: Codable, Hashable {
    /// Absolute path of the archive.
    var path: String
    var rules: ArchiveRules
}

extension ArchivePiece {
    private static let folderMark: UInt8 = 0
    private static let fileMark: UInt8 = 1

    /// The piece as an encoded frame; its bytes must fit into one frame of 1 MiB.
    ///
    /// - Precondition: A name has at most ``ArchiveRules/longestName`` bytes.
    var frame: [UInt8] {
        switch self {
        case .folder(let name): Frame(.entry, request: 1, payload: [Self.folderMark] + Array(name.utf8)).encoded
        case .file(let name): Frame(.entry, request: 1, payload: [Self.fileMark] + Array(name.utf8)).encoded
        case .bytes(let bytes): Frame(.content, request: 1, payload: bytes).encoded
        }
    }

    /// - Throws: ``WorkerError/protocolViolation`` when the frame is not a valid piece.
    init(_ frame: Frame) throws(WorkerError) {
        switch frame.kind {
        case .content:
            guard !frame.payload.isEmpty else { throw .protocolViolation }
            self = .bytes(frame.payload)
        case .entry:
            guard let name = String(validating: frame.payload.dropFirst(), as: UTF8.self) else {
                throw .protocolViolation
            }
            switch frame.payload.first {
            case Self.folderMark: self = .folder(name)
            case Self.fileMark: self = .file(name)
            default: throw .protocolViolation
            }
        default: throw .protocolViolation
        }
    }
}

/// An unpacker's reply, checked against the rules again: a hostile file may have taken over the process.
struct ArchiveIntake: WorkerReply {
    static var kinds: Set<Frame.Kind> { Frame.Kind.ofUnpacker }

    private var count: ArchiveCount
    /// Whether a file has begun; bytes are invalid before.
    private var isInFile = false
    private let piece: @Sendable (ArchivePiece) throws -> Void

    /// - Parameters:
    ///   - rules: What an archive may contain.
    ///   - archiveSize: The size of the archive, in bytes.
    ///   - piece: Called with each piece that follows the rules.
    init(_ rules: ArchiveRules, archiveSize: Int, piece: @escaping @Sendable (ArchivePiece) throws -> Void) {
        count = ArchiveCount(rules, archiveSize: archiveSize)
        self.piece = piece
    }

    /// - Throws: ``WorkerError``, ``VoiceInstallError`` for a violation of the rules, and the errors of `piece`.
    mutating func take(_ frame: Frame) throws {
        let next = try ArchivePiece(frame)
        switch next {
        case .folder(let name):
            try count.begin(name, size: nil, isFolder: true)
            isInFile = false
        case .file(let name):
            try count.begin(name, size: nil, isFolder: false)
            isInFile = true
        case .bytes(let bytes):
            guard isInFile else { throw WorkerError.protocolViolation }
            try count.add(bytes.count)
        }
        try piece(next)
    }

    static func refusal(_ payload: [UInt8]) throws -> any Error {
        switch try JSONDecoder().decode(VoiceInstallError.self, from: Data(payload)) {
        case .forbidden(let what, let name):
            VoiceInstallError.forbidden(what, name: ArchiveRules.shown(name))
        case let error: error.isOfArchive ? error : .unpackerDied
        }
    }
}

extension VoiceInstallError {
    /// Whether an unpacker may send this error; its message then contains no text of the worker's.
    fileprivate var isOfArchive: Bool {
        switch self {
        case .damagedArchive, .notAnArchive, .bomb, .tooManyFiles, .tooMuchInside: true
        default: false
        }
    }
}

extension VoiceInstallError: WorkerFailure {
    static var cannotStart: VoiceInstallError { .cannotStartUnpacker }
    static var died: VoiceInstallError { .unpackerDied }
}
