/// Why an age file or an age identity cannot be used.
package enum AgeError: UserFacingError, Equatable {
    /// The header is invalid.
    case header
    /// None of the identities can decrypt it.
    case noMatch
    /// The header was changed after it had been sealed.
    case headerAltered
    /// The encrypted payload is truncated, modified, reordered or followed by other bytes.
    case payload
    /// The file is sealed for an unsupported kind of key.
    case unsupported
    /// The text is no identity or recipient.
    case badIdentity

    package var failure: Failure {
        switch self {
        case .header:
            Failure(.damaged, "age.header", "That is not an age file, or its beginning is damaged.")
                .suggesting("Take another copy of the file.")
        case .noMatch:
            Failure(.invalidContent, "age.no-match", "The age file was not sealed for this identity.")
                .suggesting("Use the identity it was sealed for.")
        case .headerAltered:
            Failure(.damaged, "age.header-altered", "The beginning of the age file was changed.")
                .suggesting("Take another copy of the file.")
        case .payload:
            Failure(.damaged, "age.payload", "The age file is cut short or was changed.")
                .suggesting("Take another copy of the file.")
        case .unsupported:
            Failure(
                .invalidContent,
                "age.unsupported",
                "The age file is sealed for a kind of key that is not supported here."
            )
            .suggesting("Use a version of the program “age” that knows it.")
        case .badIdentity:
            Failure(.invalidContent, "age.bad-identity", "That is not an age identity or recipient.")
                .suggesting("An identity begins with “AGE-SECRET-KEY-1”, a recipient with “age1”.")
        }
    }
}
