import Foundation

/// Standard input, output and error.
enum StandardStreams {
    /// Opens `/dev/null` for each stream that is closed; otherwise the next opened file would get its descriptor.
    ///
    /// Reading from such an input and writing to such an output fail at once; messages to the person are discarded.
    static func fill() {
        let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)]
        for (stream, way) in ways where fcntl(stream, F_GETFD) < 0 {
            // The system returns the lowest free descriptor: the stream's, as those below it are open.
            _ = open("/dev/null", way)
        }
    }

    /// - Throws: ``CommandError/outputClosed`` when standard output cannot be written to.
    static func checkOutput() throws(CommandError) {
        let status = fcntl(STDOUT_FILENO, F_GETFL)
        guard status >= 0, status & O_ACCMODE != O_RDONLY else { throw .outputClosed }
    }
}
