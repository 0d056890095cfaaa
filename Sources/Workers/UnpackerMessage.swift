internal import EchoText
internal import Foundation

/// What the program asks of an unpacker's worker.
struct UnpackerRequest: Codable, Hashable {
    /// Absolute path of the archive.
    var path: String
    var rules: ArchiveRules

    var frame: [UInt8] {
        get throws {
            let payload = try JSONEncoder().encode(self)
            guard payload.count <= Frame.Kind.ask.longestPayload else { throw VoiceInstallError.notAnArchive }
            return Frame(.ask, request: 1, payload: Array(payload)).encoded
        }
    }
}

extension ArchivePiece {
    private static let folderMark: UInt8 = 0
    private static let fileMark: UInt8 = 1

    /// The piece as it travels; bytes in one frame, of which there are at most 1 MiB.
    ///
    /// - Precondition: A name has at most ``ArchiveRules/longestName`` bytes.
    var frame: [UInt8] {
        switch self {
        case .folder(let name): Frame(.entry, request: 1, payload: [Self.folderMark] + Array(name.utf8)).encoded
        case .file(let name): Frame(.entry, request: 1, payload: [Self.fileMark] + Array(name.utf8)).encoded
        case .bytes(let bytes): Frame(.content, request: 1, payload: bytes).encoded
        }
    }

    /// - Throws: ``WorkerError/protocolViolation`` when the frame is none of these.
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
