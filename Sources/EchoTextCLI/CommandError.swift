import EchoText
import Foundation

/// Why a command cannot run as given, or did not finish.
enum CommandError: UserFacingError, Equatable {
    /// The argument of this number, from 1, is not UTF-8; repaired, it would name another file.
    case argumentNotUTF8(number: Int)
    /// Two options exclude each other.
    case contradiction(String, hint: String)
    /// Sound was about to be written to a terminal.
    case soundOnTerminal
    /// The answer did not reach standard output.
    case outputFailed(errno: Int32)
    /// Standard output is closed, or open for reading only.
    case outputClosed
    /// The person interrupted the program.
    case interrupted
    /// The person refused, or no one could be asked.
    case notConfirmed
    /// A secret is needed, and there is no terminal to ask on.
    case noTerminal
    /// Input ended before there was an answer.
    case noAnswer
    /// The text is longer than the library accepts.
    case textTooLong
    /// The system's limit of open files is too low.
    case tooFewFiles

    var failure: Failure {
        switch self {
        case .argumentNotUTF8(let number):
            Failure(.invalidRequest, "command.argument-not-utf8", "Argument \(number) is not in UTF-8.")
                .suggesting("Give the file a name in UTF-8, or a link to it that has one.")
        case .contradiction(let what, let hint):
            Failure(.invalidRequest, "command.contradiction", what)
                .suggesting(hint)
        case .soundOnTerminal:
            Failure(
                .invalidRequest,
                "command.sound-on-terminal",
                "Standard output is a terminal, which shows sound as rubbish."
            )
            .suggesting("Send it on with “|” or “>”, or give -o a file; without -o it is played.")
        case .outputFailed(let errno):
            Failure(
                .inputOutput,
                "command.output-failed",
                "The answer could not be written: \(String(cString: strerror(errno)))."
            )
            .suggesting("Check where standard output goes.")
        case .outputClosed:
            Failure(.inputOutput, "command.output-closed", "Standard output is closed.")
                .suggesting("Send it on with “|” or “>”, or give the command a file to write.")
        case .interrupted:
            Failure(.interrupted, "command.interrupted", "It was interrupted.")
        case .notConfirmed:
            Failure(.internal, "command.not-confirmed", "Nothing was done, because it was not confirmed.")
                .suggesting("Answer “y”, or give --yes where nobody can be asked.")
        case .noTerminal:
            Failure(.invalidRequest, "command.no-terminal", "A secret is asked for at the terminal, and there is none.")
                .suggesting("Give it by a file descriptor: see the options that end in -fd.")
        case .noAnswer:
            Failure(.missingInput, "command.no-answer", "The input ended before there was an answer.")
                .suggesting("Nothing was changed. Try again.")
        case .textTooLong:
            Failure(
                .invalidContent,
                "command.text-too-long",
                "The text is longer than the 100 MB that the library keeps."
            )
            .suggesting("Keep it in parts, or write it to a file with -o and without --save.")
        case .tooFewFiles:
            Failure(.inputOutput, "command.too-few-files", "The system lets the program open too few files.")
                .suggesting("Raise the limit, for example with “ulimit -n 1024”.")
        }
    }
}

/// An error together with the file that it is about, for the person who named the file.
///
/// The message itself names no file, since messages end up in logs as well.
struct FileFailure: UserFacingError {
    /// As the person wrote it.
    let path: String
    let cause: any UserFacingError

    var failure: Failure { cause.failure }

    /// The file's name, safe to print in a line.
    var fileName: String { CommandOutput.harmless((path as NSString).lastPathComponent, isLine: true) }

    /// Returns `error` with the file that it is about; what is no fault of a file, such as an interruption, comes back as it is.
    static func naming(_ path: String, _ error: any Error) -> any Error {
        guard let cause = error as? any UserFacingError, !(cause is VaultError), !(cause is FileFailure) else {
            return error
        }
        return FileFailure(path: path, cause: cause)
    }
}

/// An error together with the one of several recordings, documents or entries that it is about.
struct ReferenceFailure: UserFacingError {
    /// As the person wrote it.
    let reference: String
    /// Its place among all that the person named, from 1.
    let number: Int
    let cause: LibraryError
    /// How a message names it; `nil` for as the person did, or by its place.
    var mention: String?

    var failure: Failure { cause.failure }

    /// The name that the person gave, safe to print in a line; only its place where no terminal shows it, as in a log.
    var subject: String {
        if let mention { return mention }
        return isatty(STDERR_FILENO) == 1 ? "“\(CommandOutput.harmless(reference, isLine: true))”" : "name \(number)"
    }

    /// Finds each of several things in turn.
    ///
    /// - Throws: A ``ReferenceFailure`` where one of several is not found; else what `find` throws.
    static func each<Thing>(of references: [String], find: (String) async throws -> Thing) async throws -> [Thing] {
        var found: [Thing] = []
        for (index, reference) in references.enumerated() {
            do {
                found.append(try await find(reference))
            } catch let error as LibraryError where references.count > 1 {
                throw ReferenceFailure(reference: reference, number: index + 1, cause: error)
            }
        }
        return found
    }
}

/// The program's exit status.
///
/// - SeeAlso: `sysexits.h`, whose numbers these are; 130 is 128 and SIGINT, as shells count.
enum ExitStatus: Int32 {
    case failure = 1
    case usage = 64
    case badInput = 65
    case noInput = 66
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case tryAgain = 75
    /// The library is locked and was not unlocked.
    case locked = 77
    /// Stored data is damaged.
    case damaged = 76
    case interrupted = 130

    /// The exit status that reports `kind` to a script.
    init(of kind: FailureKind) {
        self =
            switch kind {
            case .invalidRequest, .unsupportedMediaType, .misdirected, .conflict: .usage
            case .invalidContent, .tooLarge: .badInput
            case .missingInput, .notFound: .noInput
            case .voiceNotFound, .unavailable, .incompatible, .offline, .remoteRefused: .unavailable
            case .cannotCreate: .cannotCreate
            case .inputOutput: .inputOutput
            case .busy, .tooManyRequests, .remoteFailed, .remoteTimedOut, .processFailed: .tryAgain
            case .damaged, .libraryDamaged: .damaged
            case .locked, .lockedOut, .forbidden, .unauthenticated: .locked
            case .interrupted: .interrupted
            case .internal: .failure
            }
    }
}
