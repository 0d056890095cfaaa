import EchoText
import Foundation

/// The text that `echotext speak` is given.
struct SpeakInput: Sendable {
    let source: any TextSource
    /// The same, when it is a file or a pipe.
    let file: FileTextSource?

    /// - Throws: ``TextSourceError``, or ``SynthesisError/nothingToSay`` when there is no text and nobody to wait for.
    init(text: String?, file path: String?) throws {
        if let text {
            source = StringSource(text)
            file = nil
            return
        }
        let opened: FileTextSource
        if let path, path != "-" {
            opened = try FileTextSource(path: path)
        } else {
            guard path == "-" || isatty(STDIN_FILENO) == 0 else { throw SynthesisError.nothingToSay }
            opened = try FileTextSource()
        }
        source = opened
        file = opened
    }
}
