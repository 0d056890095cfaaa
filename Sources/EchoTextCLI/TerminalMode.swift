import Foundation
import Synchronization

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
