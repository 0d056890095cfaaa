import Foundation

/// Standard input, output and error.
enum StandardStreams {
    /// Puts something in the place of those that are closed, which the next file that is opened would take.
    ///
    /// Reading from such an input and writing to such an output fail at once; what is said to the person goes nowhere.
    static func fill() {
        let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)]
        for (stream, way) in ways where fcntl(stream, F_GETFD) < 0 {
            // The system gives the lowest number that is free: the stream's, as those before it are open.
            _ = open("/dev/null", way)
        }
    }

    /// - Throws: ``CommandError/outputClosed`` when nothing can be written to standard output.
    static func checkOutput() throws(CommandError) {
        let status = fcntl(STDOUT_FILENO, F_GETFL)
        guard status >= 0, status & O_ACCMODE != O_RDONLY else { throw .outputClosed }
    }
}
