import EchoText
import Foundation

/// Reads what a person types at the terminal, or a program sends by a file descriptor.
enum TerminalInput {
    /// Asks on standard error and waits for a line, however the program is stopped.
    ///
    /// - Throws: ``CommandError/noAnswer`` at the end of input; `CancellationError`.
    static func line(asking question: String) async throws -> String {
        say(question)
        return String(decoding: try await bytes(from: STDIN_FILENO), as: UTF8.self)
    }

    /// Asks for what is not to be seen: the terminal shows nothing of it.
    ///
    /// - Throws: ``CommandError/noTerminal`` when there is no terminal, ``CommandError/noAnswer``, `CancellationError`.
    static func secret(asking question: String) async throws -> [UInt8] {
        guard TerminalMode.hideTyping() else { throw CommandError.noTerminal }
        defer {
            // What was typed too much is a secret as well, and nothing for the shell.
            tcflush(STDIN_FILENO, TCIFLUSH)
            TerminalMode.restore()
            say("\n")
        }
        say(question)
        return try await bytes(from: STDIN_FILENO)
    }

    /// One line from `descriptor`, without its end.
    ///
    /// - Throws: ``CommandError/noAnswer`` at the end of input or where nothing can be read; `CancellationError`.
    static func bytes(from descriptor: Int32) async throws -> [UInt8] {
        // One that was handed over is open across exec; the program's own, which may have the number, are not.
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

    /// Returns when a read will not wait; looks up ten times a second for an interruption.
    private static func readable(_ descriptor: Int32) async throws {
        let executor = InputWait.shared
        while try await !executor.isReadable(descriptor) { try Task.checkCancellation() }
    }

    private static func say(_ words: String) {
        // There is no one to ask when standard error is closed.
        _ = try? FileHandle.standardError.write(contentsOf: Data(Answer.harmless(words).utf8))
    }
}

/// Waits for input off the shared pool.
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
