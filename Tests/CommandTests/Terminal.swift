import Foundation
import Synchronization

/// A terminal with a test at its keyboard.
final class Terminal: Sendable {
    /// The path of the terminal for programs.
    let path: String
    /// The output shown on it.
    let screen: PipeEnd
    /// Held open, so that the screen does not end before the program begins; −1 once closed.
    private let line: Mutex<Int32>

    struct NoTerminal: Error {}

    /// `TIOCSPTLCK` and `TIOCGPTN` of Linux on x86-64 and AArch64, macros that Swift does not import.
    private static let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    init() throws {
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = -1
        var isLocked: Int32 = 0
        guard main >= 0, ioctl(main, Self.unlock, &isLocked) == 0, ioctl(main, Self.getNumber, &number) == 0 else {
            throw NoTerminal()
        }
        path = "/dev/pts/\(number)"
        screen = PipeEnd(main)
        let line = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        self.line = Mutex(line)
        guard line >= 0 else { throw NoTerminal() }
    }

    deinit { hangUp() }

    /// Ends the screen once nobody else has the terminal open, or a little later in any case.
    func hangUp() {
        screen.end(after: .seconds(5))
        line.withLock { line in
            if line >= 0 { close(line) }
            line = -1
        }
    }
}

/// A look at a terminal that outlives the program on it.
final class TerminalLine: Sendable {
    private let descriptor: Int32

    init(_ terminal: Terminal) throws {
        descriptor = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Terminal.NoTerminal() }
    }

    deinit { close(descriptor) }

    /// Its modes: echo, line or key input, and signals of keys.
    var modes: tcflag_t {
        get throws {
            var settings = termios()
            guard tcgetattr(descriptor, &settings) == 0 else { throw Terminal.NoTerminal() }
            return settings.c_lflag
        }
    }
}
