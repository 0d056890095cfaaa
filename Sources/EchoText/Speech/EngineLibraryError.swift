/// Why an engine's library cannot be used on this machine.
package enum EngineLibraryError: UserFacingError, Equatable {
    case missing(EngineLibrary)
    case wrongVersion(EngineLibrary, found: String, wanted: String)

    package var failure: Failure {
        switch self {
        case .missing(let library):
            Failure(.unavailable, "engine.missing", library.absence)
                .suggesting(library.remedy, inTerminal: library.remedyInTerminal)
        case .wrongVersion(let library, let found, let wanted):
            Failure(
                .unavailable,
                "engine.wrong-version",
                "The \(library.words) is version \(found); this program needs \(wanted)."
            )
            .suggesting(library.remedy, inTerminal: library.remedyInTerminal)
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
    /// Recognizes English, with moderate accuracy.
    case pocketSphinx = "pocketsphinx"

    fileprivate var words: String {
        switch self {
        case .espeakNG: "espeak-ng library"
        case .onnxRuntime: "library ONNX Runtime"
        case .sherpaOnnx: "library sherpa-onnx"
        case .pocketSphinx: "library PocketSphinx"
        }
    }

    fileprivate var absence: String {
        switch self {
        case .espeakNG: "The espeak-ng library is not installed, so its voices cannot speak."
        case .pocketSphinx: "The library PocketSphinx is not installed, so the basic recogniser cannot hear."
        case .onnxRuntime, .sherpaOnnx: "The \(words) is not installed; natural voices cannot speak without it."
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .espeakNG: "Install Debian's packages libespeak-ng1 and espeak-ng-data."
        case .pocketSphinx: "Install Debian's packages libpocketsphinx3 and pocketsphinx-en-us."
        case .onnxRuntime, .sherpaOnnx: "Choose another voice, or set EchoText up again by “./echotext”."
        }
    }

    fileprivate var remedyInTerminal: String {
        switch self {
        case .espeakNG, .pocketSphinx: remedy
        case .onnxRuntime, .sherpaOnnx:
            "Run “make deps” in EchoText's folder to fetch it. The espeak-ng voices work without it."
        }
    }
}

/// Why a child process could not do its work.
package enum WorkerError: UserFacingError, Equatable {
    case cannotStart
    /// It ended in the middle of its work; `signal` is the signal that killed it, if any.
    case died(signal: Int32?)
    /// It said something the protocol does not allow.
    case protocolViolation
    case incompatibleVersion(found: Int, wanted: Int)

    package var failure: Failure {
        switch self {
        case .cannotStart:
            Failure(.processFailed, "worker.cannot-start", "The engine's own process could not be started.")
                .suggesting("Check that the machine has memory and processes to spare.")
        case .died:
            Failure(.processFailed, "worker.died", "The engine's own process ended unexpectedly.")
                .suggesting("Try again, or choose another voice.")
        case .protocolViolation:
            Failure(
                .processFailed,
                "worker.protocol-violation",
                "The engine's own process gave an answer that makes no sense."
            )
            .suggesting("Try again, or choose another voice.")
        case .incompatibleVersion:
            Failure(
                .unavailable,
                "worker.incompatible-version",
                "The engine's own process is of another version of EchoText."
            )
            .suggesting("Build or install EchoText again, as a whole.")
        }
    }
}
