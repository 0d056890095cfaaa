import EchoText
import Foundation
import Synchronization

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
        _ = try? FileHandle.standardError.write(contentsOf: Data(CommandOutput.harmless(words).utf8))
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

/// Sets a terminal to deliver each key as it is typed, or to hide a secret; it is restored in all cases but SIGKILL.
enum TerminalMode {
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    /// Delivers each key at once, without echo.
    ///
    /// Called once, by the command that reads the keys.
    ///
    /// - Returns: False, and changes nothing, when standard input is no terminal or was changed already.
    static func enterKeys() -> Bool {
        guard !isChanged.load(ordering: .acquiring), remember() else { return false }
        setKeys()
        return true
    }

    /// Turns the echo off, and discards pending input.
    ///
    /// - Returns: False, and changes nothing, when standard input is no terminal.
    static func hideTyping() -> Bool {
        guard isChanged.load(ordering: .acquiring) || remember() else { return false }
        set(without: ECHO, TCSAFLUSH)
        return true
    }

    /// Restores the terminal; does nothing if it was not changed.
    static func restore() {
        guard isChanged.load(ordering: .acquiring), var before = terminalBefore else { return }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
    }

    /// Suspends the program as Ctrl-Z does elsewhere; returns when it is continued.
    static func suspend() {
        restore()
        raise(SIGTSTP)
        setKeys()
    }

    /// Stores the terminal's mode, and restores it if the program crashes.
    private static func remember() -> Bool {
        guard terminalBefore != nil else { return false }
        // A crash must not leave a shell without echo; both calls are async-signal-safe.
        for number in crashes {
            signal(number) { number in
                TerminalMode.restore()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        isChanged.store(true, ordering: .releasing)
        return true
    }

    private static func setKeys() { set(without: ICANON | ECHO | ISIG, TCSADRAIN) }

    private static func set(without flags: Int32, _ moment: Int32) {
        guard var changed = terminalBefore else { return }
        changed.c_lflag &= ~tcflag_t(flags)
        tcsetattr(STDIN_FILENO, moment, &changed)
    }
}

/// Set once ``terminalBefore`` has been read; an atomic, because signal handlers and other threads read it and must not
/// wait for a lock.
private let isChanged = Atomic(false)

/// The terminal's mode before any change; `nil` when standard input is not a terminal.
///
/// It is initialized at the first read, which ``TerminalMode/remember()`` makes before a signal handler can.
private let terminalBefore: termios? = {
    var state = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
    return state
}()

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
    /// The voice, and then the take.
    case compare
    /// Both at once, aligned by words.
    case align
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
        case UInt8(ascii: "a"), UInt8(ascii: "A"): self = .align
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

/// The keys that a person presses during a session.
protocol PracticeKeys: Sendable {
    /// Begins to deliver each key at once; called once.
    ///
    /// - Returns: Whether there is a keyboard.
    func begin() -> Bool

    /// Waits for the next keys.
    ///
    /// - Returns: `nil` when no more can come.
    /// - Throws: `CancellationError`.
    func next() async throws -> [PlayerKey]?

    /// Restores what ``begin()`` changed.
    func end()
}

/// The keys of the terminal.
struct TerminalKeys: PracticeKeys {
    private let keyboard = Keyboard()

    func begin() -> Bool { TerminalMode.enterKeys() }

    func next() async throws -> [PlayerKey]? { try await keyboard.keys() }

    func end() { TerminalMode.restore() }
}
