import CProcess
import EchoText
import Foundation

/// The input of an agent's process on standard input: the address, the idle time and the secret.
///
/// Its bytes: a version, the length of the JSON as two bytes in little-endian order, the JSON, and 32 bytes of secret.
struct AgentBootstrap: Codable, Equatable {
    var address: AgentAddress
    /// In milliseconds; `nil` for never.
    var lockAfter: Int64?

    private static let version: UInt8 = 1

    /// The bytes before the secret.
    ///
    /// - Throws: ``VaultError/system(errno:)`` when the folder's name is longer than any can be.
    func head() throws -> [UInt8] {
        let json = try JSONEncoder().encode(self)
        guard let length = UInt16(exactly: json.count) else { throw VaultError.system(errno: ENAMETOOLONG) }
        return [Self.version, UInt8(truncatingIfNeeded: length), UInt8(length >> 8)] + json
    }

    /// - Throws: ``AgentError/protocolViolation``.
    static func read(from descriptor: Int32) throws -> (AgentBootstrap, SecretBytes) {
        let head = try bytes(3, from: descriptor)
        guard head[0] == version else { throw AgentError.protocolViolation }
        let json = try bytes(Int(head[1]) | Int(head[2]) << 8, from: descriptor)
        guard let bootstrap = try? JSONDecoder().decode(Self.self, from: Data(json)) else {
            throw AgentError.protocolViolation
        }
        let secret = try SecretBytes(count: AgentProtocol.secretLength) { try fill($0, from: descriptor) }
        return (bootstrap, secret)
    }

    private static func bytes(_ count: Int, from descriptor: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try fill($0, from: descriptor) }
        return bytes
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws {
        var taken = 0
        while taken < buffer.count {
            let count = Foundation.read(descriptor, buffer.baseAddress?.advanced(by: taken), buffer.count - taken)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw AgentError.protocolViolation }
            taken += count
        }
    }
}

/// The single answer of an agent's process on standard output: it listens, or the reason why not.
///
/// Its bytes: a code, and the system's error number as four bytes in little-endian order.
enum AgentReadiness: Equatable {
    case listening
    case alreadyRunning
    case unsafeFolder
    case failed(errno: Int32)

    static let length = 5

    init(_ error: any Error) {
        self =
            switch error {
            case AgentError.alreadyRunning: .alreadyRunning
            case VaultError.unsafeFolder: .unsafeFolder
            case VaultError.system(let errno): .failed(errno: errno)
            default: .failed(errno: 0)
            }
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        let number = bytes[1...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch bytes[0] {
        case 0: self = .listening
        case 1: self = .alreadyRunning
        case 2: self = .unsafeFolder
        case 3: self = .failed(errno: Int32(bitPattern: number))
        default: return nil
        }
    }

    var encoded: [UInt8] {
        let (code, errno): (UInt8, Int32) =
            switch self {
            case .listening: (0, 0)
            case .alreadyRunning: (1, 0)
            case .unsafeFolder: (2, 0)
            case .failed(let errno): (3, errno)
            }
        let number = UInt32(bitPattern: errno)
        return [code] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }
}
