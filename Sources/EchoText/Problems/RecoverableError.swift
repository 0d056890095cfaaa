/// A failure that may pass by itself.
package protocol RecoverableError: UserFacingError {
    /// Whether the same may succeed later, without anything that a person does.
    var isWorthRetrying: Bool { get }

    /// Whether it may be the network that is missing, so that it is best to wait for one.
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
