import EchoText
import Foundation

/// The meaning of a listener's keys.
enum PlayerKey: Equatable {
    case pause
    case back
    case forward
    case next
    case previous
    case again
    case faster
    case slower
    case quit
    case suspend
    case mark
    case compare
    /// A digit of a number that ``enter`` completes.
    case digit(Int)
    case enter

    /// Returns the keys in `bytes`, which were read together.
    static func keys(in bytes: [UInt8]) -> [PlayerKey] {
        var keys: [PlayerKey] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == 0x1B, rest.dropFirst().first.map({ $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "O") }) == true
            {
                let sequence = rest.dropFirst(2).prefix { !(0x40...0x7E).contains($0) }
                let final = rest.dropFirst(2 + sequence.count).first
                if final == UInt8(ascii: "C") { keys.append(.forward) }
                if final == UInt8(ascii: "D") { keys.append(.back) }
                rest = rest.dropFirst(3 + sequence.count)
            } else {
                if let key = PlayerKey(byte) { keys.append(key) }
                rest = rest.dropFirst()
            }
        }
        return keys
    }

    private init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "): self = .pause
        case UInt8(ascii: "n"), UInt8(ascii: "N"): self = .next
        case UInt8(ascii: "p"), UInt8(ascii: "P"): self = .previous
        case UInt8(ascii: "r"), UInt8(ascii: "R"): self = .again
        case UInt8(ascii: "+"), UInt8(ascii: "="): self = .faster
        case UInt8(ascii: "-"): self = .slower
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04: self = .quit
        case 0x1A: self = .suspend
        case UInt8(ascii: "b"), UInt8(ascii: "B"): self = .compare
        case UInt8(ascii: "h"), UInt8(ascii: "H"): self = .mark
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit(Int(byte - UInt8(ascii: "0")))
        case 0x0A, 0x0D: self = .enter
        default: return nil
        }
    }
}

/// Reads keys from the terminal, off the shared thread pool.
actor Keyboard {
    private nonisolated let executor = BlockingExecutor(label: "keyboard")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Waits for the next keys, and checks for cancellation ten times a second.
    ///
    /// - Returns: `nil` when the terminal is closed.
    /// - Throws: `CancellationError`.
    func keys() throws -> [PlayerKey]? {
        while true {
            try Task.checkCancellation()
            var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return count > 0 ? PlayerKey.keys(in: Array(bytes[..<count])) : nil
        }
    }
}
