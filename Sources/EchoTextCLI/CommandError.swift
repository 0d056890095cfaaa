import EchoText
import Foundation

/// Why a command line cannot be carried out as it stands, or was not to its end.
enum CommandError: UserFacingError, Equatable {
    /// Two options exclude each other.
    case contradiction(String, hint: String)
    /// Sound was about to be written to a terminal.
    case soundOnTerminal
    /// The answer did not reach standard output.
    case outputFailed(errno: Int32)
    /// The person stopped it.
    case interrupted
    /// The person refused, or no one could be asked.
    case notConfirmed
    /// A secret is wanted, and there is no terminal to ask at.
    case noTerminal
    /// Input ended before there was an answer.
    case noAnswer
    /// More text than the library takes.
    case textTooLong
    /// The system lets the program open hardly any.
    case tooFewFiles

    var code: String {
        switch self {
        case .contradiction: "command.contradiction"
        case .soundOnTerminal: "command.sound-on-terminal"
        case .outputFailed: "command.output-failed"
        case .interrupted: "command.interrupted"
        case .notConfirmed: "command.not-confirmed"
        case .noTerminal: "command.no-terminal"
        case .noAnswer: "command.no-answer"
        case .textTooLong: "command.text-too-long"
        case .tooFewFiles: "command.too-few-files"
        }
    }

    var message: String {
        switch self {
        case .contradiction(let what, _): what
        case .soundOnTerminal: "Standard output is a terminal, which shows sound as rubbish."
        case .outputFailed(let errno): "The answer could not be written: \(String(cString: strerror(errno)))."
        case .interrupted: "It was interrupted."
        case .notConfirmed: "Nothing was done, because it was not confirmed."
        case .noTerminal: "A secret is asked for at the terminal, and there is none."
        case .noAnswer: "The input ended before there was an answer."
        case .textTooLong: "The text is longer than the 100 MB that the library keeps."
        case .tooFewFiles: "The system lets the program open too few files."
        }
    }

    var suggestion: String? {
        switch self {
        case .contradiction(_, let hint): hint
        case .soundOnTerminal: "Send it on with “|” or “>”, or give -o a file; without -o it is played."
        case .outputFailed: "Check where standard output goes."
        case .interrupted: nil
        case .notConfirmed: "Answer “y”, or give --yes where nobody can be asked."
        case .noTerminal: "Give it by a file descriptor: see the options that end in -fd."
        case .noAnswer: "Nothing was changed. Try again."
        case .textTooLong: "Keep it in parts, or write it to a file with -o and without --save."
        case .tooFewFiles: "Raise the limit, as by “ulimit -n 1024”."
        }
    }
}
