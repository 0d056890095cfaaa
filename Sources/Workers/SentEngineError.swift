package import EchoText

/// Why a request failed in a worker; encoding and decoding it gives an equal error.
package enum SentEngineError: Error, Sendable, Equatable {
    case cancelled
    case voiceFolder(VoiceFolderError)
    case synthesis(SynthesisError)
    case engine(EngineLibraryError)

    /// Classifies `error`; an error without a message for a person counts as a failure of the engine.
    package init(_ error: any Error) {
        self =
            switch error {
            case is CancellationError: .cancelled
            case let error as VoiceFolderError: .voiceFolder(error)
            case let error as SynthesisError: .synthesis(error)
            case let error as EngineLibraryError: .engine(error)
            default: .synthesis(.engineFailed(.piper, status: nil))
            }
    }

    /// The error to throw.
    package var error: any Error {
        switch self {
        case .cancelled: CancellationError()
        case .voiceFolder(let error): error
        case .synthesis(let error): error
        case .engine(let error): error
        }
    }

    /// The errors' own stable codes identify them, so that the order of cases may change.
    package var payload: [UInt8] {
        var payload = PayloadWriter()
        switch self {
        case .cancelled: payload.write("cancelled")
        case .voiceFolder(let error):
            payload.write(error.code)
            payload.write(error)
        case .synthesis(let error):
            payload.write(error.code)
            payload.write(error)
        case .engine(let error):
            payload.write(error.code)
            payload.write(error)
        }
        return payload.bytes
    }

    /// - Throws: ``WorkerError/protocolViolation``.
    package init(payload bytes: [UInt8]) throws(WorkerError) {
        var payload = PayloadReader(bytes)
        let code = try payload.string()
        if code == "cancelled" {
            self = .cancelled
        } else if let error = try payload.voiceFolderError(code) {
            self = .voiceFolder(error)
        } else if let error = try payload.synthesisError(code) {
            self = .synthesis(error)
        } else if let error = try payload.engineError(code) {
            self = .engine(error)
        } else {
            throw .protocolViolation
        }
        try payload.finish()
    }
}

extension PayloadWriter {
    fileprivate mutating func write(_ error: VoiceFolderError) {
        switch error {
        case .notAVoiceFolder: break
        case .missingFile(let file), .unreadableFile(let file), .badDescription(let file), .badTokens(let file),
            .badModel(let file):
            write(shown: file)
        case .unsupportedPhonemes(let file, let type):
            write(shown: file)
            write(shown: type)
        case .disabled(let file, let deaths):
            write(shown: file)
            write(Int64(deaths ?? 0))
        }
    }

    fileprivate mutating func write(_ error: SynthesisError) {
        switch error {
        case .nothingToSay, .tooMuchSilence: break
        case .voiceNotInstalled(let voice, let similar):
            write(shown: voice.rawValue)
            write(UInt32(min(similar.count, PayloadReader.maximumSimilar)))
            for voice in similar.prefix(PayloadReader.maximumSimilar) { write(shown: voice.rawValue) }
        case .noSuchSpeaker(let number, let voice, let count):
            write(Int64(number))
            write(shown: voice.rawValue)
            write(Int64(count))
        case .voiceChanged(let voice): write(shown: voice.rawValue)
        case .noSpeakerCalled(let name, let voice, let names):
            write(shown: name)
            write(shown: voice.rawValue)
            write(UInt32(min(names.count, PayloadReader.maximumSimilar)))
            for name in names.prefix(PayloadReader.maximumSimilar) { write(shown: name) }
        case .speedOutOfRange(let value), .pitchOutOfRange(let value), .rateOutOfRange(let value),
            .chanceOutOfRange(let value):
            write(value)
        case .engineFailed(let engine, let status):
            write(engine.rawValue)
            write(status.map(Int64.init) ?? .min)
        case .engineDied(let engine, let text):
            write(engine.rawValue)
            write(shown: text ?? "")
        case .timedOut(let engine, let phase, let seconds):
            write(engine.rawValue)
            write(phase.rawValue)
            write(seconds)
        }
    }

    fileprivate mutating func write(_ error: EngineLibraryError) {
        switch error {
        case .missing(let library): write(library.rawValue)
        case .wrongVersion(let library, let found, let wanted):
            write(library.rawValue)
            write(shown: found)
            write(shown: wanted)
        }
    }

    /// Writes a string that ``PayloadReader/shownString()`` accepts: shortened, and without the characters that it
    /// refuses.
    mutating func write(shown string: String) {
        var kept = String.UnicodeScalarView()
        var length = 0
        for scalar in string.unicodeScalars where scalar.isSafeToShow {
            length += UTF8.width(scalar)
            guard length <= PayloadReader.longestShown else { break }
            kept.append(scalar)
        }
        write(String(kept))
    }
}

extension PayloadReader {
    /// Most bytes of a string that is shown to a person.
    fileprivate static let longestShown = 512
    fileprivate static let maximumSimilar = 8

    /// Zero means unknown.
    private mutating func disabledDeaths() throws(WorkerError) -> Int? {
        let deaths = Int(try signedNumber())
        return deaths == 0 ? nil : deaths
    }

    /// A list that is bounded, of names that a person may have meant.
    private mutating func shownStrings() throws(WorkerError) -> [String] {
        let count = try number()
        guard count <= Self.maximumSimilar else { throw .protocolViolation }
        var strings: [String] = []
        for _ in 0..<count { strings.append(try shownString()) }
        return strings
    }

    fileprivate mutating func voiceFolderError(_ code: String) throws(WorkerError) -> VoiceFolderError? {
        switch code {
        case VoiceFolderError.notAVoiceFolder.code: .notAVoiceFolder
        case VoiceFolderError.missingFile("").code: .missingFile(try shownString())
        case VoiceFolderError.unreadableFile("").code: .unreadableFile(try shownString())
        case VoiceFolderError.badDescription("").code: .badDescription(try shownString())
        case VoiceFolderError.badTokens("").code: .badTokens(try shownString())
        case VoiceFolderError.badModel("").code: .badModel(try shownString())
        case VoiceFolderError.unsupportedPhonemes("", type: "").code:
            .unsupportedPhonemes(try shownString(), type: try shownString())
        case VoiceFolderError.disabled("", deaths: 0).code:
            .disabled(try shownString(), deaths: try disabledDeaths())
        default: nil
        }
    }

    fileprivate mutating func synthesisError(_ code: String) throws(WorkerError) -> SynthesisError? {
        let anyone = Voice.ID(rawValue: "")
        switch code {
        case SynthesisError.nothingToSay.code: return .nothingToSay
        case SynthesisError.tooMuchSilence.code: return .tooMuchSilence
        case SynthesisError.voiceNotInstalled(anyone).code:
            let voice = Voice.ID(rawValue: try shownString())
            return .voiceNotInstalled(voice, similar: try shownStrings().map { Voice.ID(rawValue: $0) })
        case SynthesisError.noSuchSpeaker(0, of: anyone, count: 0).code:
            let number = Int(try signedNumber())
            let voice = Voice.ID(rawValue: try shownString())
            let count = Int(try signedNumber())
            guard count >= 1 else { throw .protocolViolation }
            return .noSuchSpeaker(number, of: voice, count: count)
        case SynthesisError.noSpeakerCalled("", of: anyone, names: []).code:
            let name = try shownString()
            let voice = Voice.ID(rawValue: try shownString())
            return .noSpeakerCalled(name, of: voice, names: try shownStrings())
        case SynthesisError.voiceChanged(anyone).code:
            return .voiceChanged(Voice.ID(rawValue: try shownString()))
        case SynthesisError.speedOutOfRange(0).code: return .speedOutOfRange(try fraction())
        case SynthesisError.pitchOutOfRange(0).code: return .pitchOutOfRange(try fraction())
        case SynthesisError.rateOutOfRange(0).code: return .rateOutOfRange(try fraction())
        case SynthesisError.chanceOutOfRange(0).code: return .chanceOutOfRange(try fraction())
        case SynthesisError.engineFailed(.piper, status: nil).code:
            return .engineFailed(try engine(), status: Int32(exactly: try signedNumber()))
        case SynthesisError.engineDied(.espeakNG).code:
            let engine = try engine()
            let text = try shownString()
            return .engineDied(engine, over: text.isEmpty ? nil : text)
        case SynthesisError.timedOut(.piper, phase: .loading, seconds: 0).code:
            let engine = try engine()
            guard let phase = SynthesisError.Phase(rawValue: try string()) else { throw .protocolViolation }
            // The message rounds the number to an integer, which traps for some bit patterns.
            let seconds = try fraction()
            guard (0...1e9).contains(seconds) else { throw .protocolViolation }
            return .timedOut(engine, phase: phase, seconds: seconds)
        default: return nil
        }
    }

    fileprivate mutating func engineError(_ code: String) throws(WorkerError) -> EngineLibraryError? {
        switch code {
        case EngineLibraryError.missing(.sherpaOnnx).code: .missing(try library())
        case EngineLibraryError.wrongVersion(.sherpaOnnx, found: "", wanted: "").code:
            .wrongVersion(try library(), found: try shownString(), wanted: try shownString())
        default: nil
        }
    }

    private mutating func engine() throws(WorkerError) -> Voice.Engine {
        guard let engine = Voice.Engine(rawValue: try string()) else { throw .protocolViolation }
        return engine
    }

    private mutating func library() throws(WorkerError) -> EngineLibrary {
        guard let library = EngineLibrary(rawValue: try string()) else { throw .protocolViolation }
        return library
    }

    /// A string that is shown in a message: a worker taken over by a hostile file must not write to terminals.
    mutating func shownString() throws(WorkerError) -> String {
        let string = try string()
        guard string.utf8.count <= Self.longestShown, string.unicodeScalars.allSatisfy(\.isSafeToShow) else {
            throw .protocolViolation
        }
        return string
    }
}
