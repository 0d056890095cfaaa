/// A failure that may pass by itself.
package protocol RecoverableError: UserFacingError {
    /// Whether the operation may succeed later without any action of the person.
    var isWorthRetrying: Bool { get }

    /// Whether a missing network may be the cause, so that waiting for one is best.
    var needsNetwork: Bool { get }
}

extension RecoverableError {
    package var needsNetwork: Bool { false }
}

extension RecognitionError: RecoverableError {
    package var isWorthRetrying: Bool {
        switch self {
        case .recognizerDied, .cannotStart, .tooSlow: true
        default: false
        }
    }
}
