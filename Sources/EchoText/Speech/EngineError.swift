/// Why an engine's library cannot be used on this machine.
package enum EngineError: UserFacingError, Equatable {
    case missing(Voice.Engine)
    case wrongVersion(Voice.Engine, found: String, wanted: String)

    package var code: String {
        switch self {
        case .missing: "engine.missing"
        case .wrongVersion: "engine.wrong-version"
        }
    }

    package var message: String {
        switch self {
        case .missing(.espeakNG): "The espeak-ng library is not installed, so its voices cannot speak."
        case .missing(.sherpaOnnx): "The libraries of the natural voices are not installed, so they cannot speak."
        case .wrongVersion(let engine, let found, let wanted):
            "The \(engine.library) is version \(found); this program needs \(wanted)."
        }
    }

    package var suggestion: String? {
        switch self {
        case .missing(.espeakNG), .wrongVersion(.espeakNG, _, _):
            "Install Debian's packages libespeak-ng1 and espeak-ng-data."
        case .missing(.sherpaOnnx), .wrongVersion(.sherpaOnnx, _, _):
            "Run “make deps” in EchoText's folder to fetch them. The espeak-ng voices work without them."
        }
    }
}

extension Voice.Engine {
    fileprivate var library: String {
        switch self {
        case .espeakNG: "espeak-ng library"
        case .sherpaOnnx: "natural voices' library"
        }
    }
}
