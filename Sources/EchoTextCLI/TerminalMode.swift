import Foundation

/// A terminal that gives each key as it is typed, and shows none; it is put back whatever happens but SIGKILL.
enum TerminalMode {
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    /// Gives keys from now on.
    ///
    /// - Returns: False, and changes nothing, when standard input is no terminal.
    static func enterKeys() -> Bool {
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &terminalBefore) == 0 else { return false }
        // A crash must not leave a shell that shows nothing; both calls may be made in a signal handler.
        for number in crashes {
            signal(number) { number in
                TerminalMode.leaveKeys()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        hasEnteredKeys = true
        setKeys()
        return true
    }

    /// Puts the terminal back; does nothing when it is as it was.
    static func leaveKeys() {
        if hasEnteredKeys { tcsetattr(STDIN_FILENO, TCSADRAIN, &terminalBefore) }
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

// Signal handlers may read no lock. Both are written once, before the first handler is installed or key is read.
nonisolated(unsafe) private var terminalBefore = termios()
nonisolated(unsafe) private var hasEnteredKeys = false
