import EchoText
import Foundation

/// Why a command line cannot be carried out as it stands, or was not to its end.
enum CommandError: UserFacingError, Equatable {
    /// Two options want what cannot be had together.
    case contradiction(String, hint: String)
    /// Sound was about to be written to a terminal.
    case soundOnTerminal
    /// The answer did not reach standard output.
    case outputFailed(errno: Int32)
    /// The person stopped it.
    case interrupted

    var code: String {
        switch self {
        case .contradiction: "command.contradiction"
        case .soundOnTerminal: "command.sound-on-terminal"
        case .outputFailed: "command.output-failed"
        case .interrupted: "command.interrupted"
        }
    }

    var message: String {
        switch self {
        case .contradiction(let what, _): what
        case .soundOnTerminal: "Standard output is a terminal, which shows sound as rubbish."
        case .outputFailed(let errno): "The answer could not be written: \(String(cString: strerror(errno)))."
        case .interrupted: "It was interrupted."
        }
    }

    var suggestion: String? {
        switch self {
        case .contradiction(_, let hint): hint
        case .soundOnTerminal: "Send it on with “|” or “>”, or give -o a file; without -o it is played."
        case .outputFailed: "Check where standard output goes."
        case .interrupted: nil
        }
    }
}
