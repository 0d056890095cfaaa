import EchoText

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
