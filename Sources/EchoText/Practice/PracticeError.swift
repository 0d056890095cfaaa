/// Why something cannot be practised.
package enum PracticeError: UserFacingError, Equatable {
    /// A setting has a value that it cannot have.
    case outOfRange(setting: String, allowed: String)
    /// The text has nothing to speak.
    case nothingToSay
    /// No voice that is installed speaks the language (BCP 47).
    case noVoice(language: String)
    case sessionNotFound
    case takeNotFound
    /// Segments are counted from 1.
    case noSuchSegment(Int)
    /// No hard segment is due.
    case nothingDue
    /// The take is no 16-bit mono WAV sound.
    case invalidTake
    /// In seconds.
    case takeTooLong(limit: Int)

    package var failure: Failure {
        switch self {
        case .outOfRange(let setting, let allowed):
            Failure(.invalidRequest, "practice.out-of-range", "“\(setting)” cannot have that value.")
                .suggesting("It takes \(allowed).")
        case .nothingToSay:
            Failure(.invalidContent, "practice.nothing-to-say", "There is nothing in the text that can be said.")
                .suggesting("Give a text with words in it.")
        case .noVoice(let language):
            Failure(.unavailable, "practice.no-voice", "No voice that is installed speaks the language “\(language)”.")
                .suggesting("Install one on the Voices page, or choose another language for the text.")
        case .sessionNotFound:
            Failure(.notFound, "practice.session-not-found", "There is no such practice session.")
                .suggesting("“echotext practice history” lists them.")
        case .takeNotFound:
            Failure(.notFound, "practice.take-not-found", "There is no such take.")
                .suggesting("It may have been discarded when it was scored.")
        case .noSuchSegment(let number):
            Failure(.notFound, "practice.no-such-segment", "The text has no segment \(number).")
                .suggesting("Segments are counted from 1.")
        case .nothingDue:
            Failure(.conflict, "practice.nothing-due", "No hard segment is due.")
                .suggesting("Practise something else; what was hard is offered again after some days.")
        case .invalidTake:
            Failure(
                .unsupportedMediaType,
                "practice.invalid-take",
                "That is no take: it has to be 16-bit mono WAV sound."
            )
        case .takeTooLong(let limit):
            Failure(.tooLarge, "practice.take-too-long", "The take is longer than \(limit / 60) minutes.")
                .suggesting("Practise shorter segments.")
        }
    }
}
