/// Why an engine's library cannot be used on this machine.
package enum EngineError: UserFacingError, Equatable {
    case missing(EngineLibrary)
    case wrongVersion(EngineLibrary, found: String, wanted: String)

    package var code: String {
        switch self {
        case .missing: "engine.missing"
        case .wrongVersion: "engine.wrong-version"
        }
    }

    package var message: String {
        switch self {
        case .missing(.espeakNG): "The espeak-ng library is not installed, so its voices cannot speak."
        case .missing(let library): "The \(library.words) is not installed; natural voices cannot speak without it."
        case .wrongVersion(let library, let found, let wanted):
            "The \(library.words) is version \(found); this program needs \(wanted)."
        }
    }

    package var suggestion: String? {
        switch self {
        case .missing(.espeakNG), .wrongVersion(.espeakNG, _, _):
            "Install Debian's packages libespeak-ng1 and espeak-ng-data."
        case .missing, .wrongVersion:
            "Run “make deps” in EchoText's folder to fetch it. The espeak-ng voices work without it."
        }
    }
}

/// A library that an engine speaks with.
package enum EngineLibrary: String, Sendable, CaseIterable {
    case espeakNG = "espeak-ng"
    /// Runs the models of natural voices in parts.
    case onnxRuntime = "onnxruntime"
    /// Runs them whole.
    case sherpaOnnx = "sherpa-onnx"

    fileprivate var words: String {
        switch self {
        case .espeakNG: "espeak-ng library"
        case .onnxRuntime: "library ONNX Runtime"
        case .sherpaOnnx: "library sherpa-onnx"
        }
    }
}
