import EchoText

/// Why a command line cannot be carried out as it stands.
enum CommandError: UserFacingError, Equatable {
    /// Two options want what cannot be had together.
    case contradiction(String, hint: String)

    var code: String { "command.contradiction" }

    var message: String {
        switch self {
        case .contradiction(let what, _): what
        }
    }

    var suggestion: String? {
        switch self {
        case .contradiction(_, let hint): hint
        }
    }
}
