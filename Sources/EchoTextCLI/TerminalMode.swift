import Foundation
import Synchronization

/// A terminal that gives each key as it is typed, and shows none; it is put back whatever happens but SIGKILL.
enum TerminalMode {
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    /// Gives keys from now on.
    ///
    /// Called once, by the command that reads the keys.
    ///
    /// - Returns: False, and changes nothing, when standard input is no terminal or gives keys already.
    static func enterKeys() -> Bool {
        guard !hasEnteredKeys.load(ordering: .acquiring) else { return false }
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &terminalBefore) == 0 else { return false }
        // A crash must not leave a shell that shows nothing; both calls may be made in a signal handler.
        for number in crashes {
            signal(number) { number in
                TerminalMode.leaveKeys()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        hasEnteredKeys.store(true, ordering: .releasing)
        setKeys()
        return true
    }

    /// Puts the terminal back; does nothing when it is as it was.
    static func leaveKeys() {
        if hasEnteredKeys.load(ordering: .acquiring) { tcsetattr(STDIN_FILENO, TCSADRAIN, &terminalBefore) }
    }

    /// Stops the program as Ctrl-Z does elsewhere; returns when it goes on.
    static func suspend() {
        leaveKeys()
        raise(SIGTSTP)
        setKeys()
    }

    private static func setKeys() {
        var keys = terminalBefore
        keys.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &keys)
    }
}

/// Set once ``terminalBefore`` is written; an atomic, because signal handlers and other threads read it and none may wait for a lock.
private let hasEnteredKeys = Atomic(false)

/// How the terminal was.
///
/// Unsafe by name only: written before ``hasEnteredKeys`` is set and never after, read only by those who have seen it set.
nonisolated(unsafe) private var terminalBefore = termios()
