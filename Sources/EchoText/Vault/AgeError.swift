/// Why an age file or an age identity cannot be used.
package enum AgeError: UserFacingError, Equatable {
    /// The header is invalid.
    case header
    /// None of the identities, or not this passphrase, opens it.
    case noMatch
    /// The header was changed after it had been sealed.
    case headerAltered
    /// The sealed bytes are cut short, changed, out of order or followed by others.
    case payload
    /// The text form is not as the format wants it.
    case armor
    /// The file is sealed for an unsupported kind of key.
    case unsupported
    /// The text is no identity or recipient.
    case badIdentity

    package var code: String {
        switch self {
        case .header: "age.header"
        case .noMatch: "age.no-match"
        case .headerAltered: "age.header-altered"
        case .payload: "age.payload"
        case .armor: "age.armor"
        case .unsupported: "age.unsupported"
        case .badIdentity: "age.bad-identity"
        }
    }

    package var message: String {
        switch self {
        case .header: "That is not an age file, or its beginning is damaged."
        case .noMatch: "The age file was not sealed for this identity or passphrase."
        case .headerAltered: "The beginning of the age file was changed."
        case .payload: "The age file is cut short or was changed."
        case .armor: "The text form of the age file is damaged."
        case .unsupported: "The age file is sealed for a kind of key that is not supported here."
        case .badIdentity: "That is not an age identity or recipient."
        }
    }

    package var suggestion: String? {
        switch self {
        case .header, .headerAltered, .payload, .armor: "Take another copy of the file."
        case .noMatch: "Use the identity or passphrase it was sealed for."
        case .unsupported: "Use a version of the program “age” that knows it."
        case .badIdentity: "An identity begins with “AGE-SECRET-KEY-1”, a recipient with “age1”."
        }
    }
}
