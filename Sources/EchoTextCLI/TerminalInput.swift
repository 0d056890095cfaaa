import EchoText
import Foundation

/// Reads input that a person types at the terminal, or that a program sends through a file descriptor.
enum TerminalInput {
    /// Asks on standard error and waits for a line; cancellation ends the wait.
    ///
    /// - Throws: ``CommandError/noAnswer`` at the end of input; `CancellationError`.
    static func line(asking question: String) async throws -> String {
        say(question)
        return String(decoding: try await bytes(from: STDIN_FILENO), as: UTF8.self)
    }

    /// Asks for a secret, with the terminal's echo off.
    ///
    /// - Throws: ``CommandError/noTerminal`` when there is no terminal, ``CommandError/noAnswer``, `CancellationError`.
    static func secret(asking question: String) async throws -> [UInt8] {
        guard TerminalMode.hideTyping() else { throw CommandError.noTerminal }
        defer {
            // Excess input is part of the secret as well, and must not reach the shell.
            tcflush(STDIN_FILENO, TCIFLUSH)
            TerminalMode.restore()
            say("\n")
        }
        say(question)
        return try await bytes(from: STDIN_FILENO)
    }

    /// Reads one line from `descriptor`, without its line end.
    ///
    /// - Throws: ``CommandError/noAnswer`` at the end of input or where the descriptor cannot be read;
    ///   `CancellationError`.
    static func bytes(from descriptor: Int32) async throws -> [UInt8] {
        // A descriptor that was passed in stays open across exec; the program's own, which may have that number, do
        // not.
        guard fcntl(descriptor, F_GETFD) == 0 else { throw CommandError.noAnswer }
        let longest = 4_096
        var line: [UInt8] = []
        while line.count < longest {
            try await readable(descriptor)
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count == 1 else {
                if line.isEmpty { throw CommandError.noAnswer }
                return line
            }
            if byte == UInt8(ascii: "\n") { return line }
            line.append(byte)
        }
        throw CommandError.noAnswer
    }

    /// Returns when a read would not block; checks for an interruption ten times a second.
    private static func readable(_ descriptor: Int32) async throws {
        let executor = InputWait.shared
        while try await !executor.isReadable(descriptor) { try Task.checkCancellation() }
    }

    private static func say(_ words: String) {
        // If standard error is closed, there is nobody to ask.
        _ = try? FileHandle.standardError.write(contentsOf: Data(Answer.harmless(words).utf8))
    }
}

/// Waits for input off the shared thread pool.
private actor InputWait {
    static let shared = InputWait()

    private nonisolated let executor = BlockingExecutor(label: "terminal input")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func isReadable(_ descriptor: Int32) throws -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, 100)
        guard ready >= 0 || errno == EINTR, entry.revents & Int16(POLLNVAL) == 0 else { throw CommandError.noAnswer }
        return ready > 0
    }
}
