import Foundation
import Synchronization

/// Sets a terminal to deliver each key as it is typed, or to hide a secret; restores it in all cases but SIGKILL.
enum TerminalMode {
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    /// Gives keys from now on, and shows none.
    ///
    /// Called once, by the command that reads the keys.
    ///
    /// - Returns: False, and changes nothing, when standard input is no terminal or was changed already.
    static func enterKeys() -> Bool {
        guard !isChanged.load(ordering: .acquiring), remember() else { return false }
        setKeys()
        return true
    }

    /// Shows nothing of what is typed from now on, and forgets what was typed before.
    ///
    /// - Returns: False, and changes nothing, when standard input is no terminal.
    static func hideTyping() -> Bool {
        guard isChanged.load(ordering: .acquiring) || remember() else { return false }
        set(without: ECHO, TCSAFLUSH)
        return true
    }

    /// Puts the terminal back; does nothing when it is as it was.
    static func restore() {
        guard isChanged.load(ordering: .acquiring), var before = terminalBefore else { return }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
    }

    /// Stops the program as Ctrl-Z does elsewhere; returns when it is continued.
    static func suspend() {
        restore()
        raise(SIGTSTP)
        setKeys()
    }

    /// Remembers how the terminal is, and puts it back when the program crashes.
    private static func remember() -> Bool {
        guard terminalBefore != nil else { return false }
        // A crash must not leave a shell that shows nothing; both calls may be made in a signal handler.
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

/// Set once ``terminalBefore`` has been looked at; an atomic, because signal handlers and other threads read it and none may wait
/// for a lock.
private let isChanged = Atomic(false)

/// How the terminal was before anything was changed; `nil` when standard input is none.
///
/// Found out when it is first read, which ``TerminalMode/remember()`` does before a signal handler could.
private let terminalBefore: termios? = {
    var state = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
    return state
}()
