/// Why a file cannot be opened as age, in the classes of its specification's test vectors.
package enum AgeFailure: Error, Equatable {
    /// The header is not what the specification allows.
    case header
    /// It is sealed for others.
    case noMatch
    /// The header was changed.
    case headerAuthentication
    /// The contents were changed, cut short or added to.
    case payload
    /// It is sealed in a way that is not supported here: for a passphrase, in armor, or for another kind of key.
    case unsupported
}
