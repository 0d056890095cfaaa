internal import EchoText
internal import Foundation

/// The model that a recognition worker has to open.
enum RecognitionRequest: Codable, Hashable {
    case recognizer(RecognizerModel, RecognitionSettings, lanes: Int)
    /// A recogniser that is about to be installed, of which nothing is taken for granted.
    case trial(RecognizerModel)
    /// A detector of voices, by the absolute path of its model.
    case detector(String)
    /// Diarization models; the sound comes in clips, and an empty clip ends it.
    case speakers(SpeakerModels, SpeakerCount, seconds: Double, threads: Int)

    /// The most clips that a recogniser recognizes at once.
    static let maximumLanes = 64
}

extension Frame {
    /// A clip, or windows for a detector, as a request.
    static func clip(_ samples: [Float], request: UInt32) -> [UInt8] {
        samples.withUnsafeBytes { encoded(.clip, request: request, payload: $0) }
    }

    /// The samples of a ``Kind/clip``; both sides run on one machine, whose byte order is little-endian.
    ///
    /// - Throws: ``WorkerError/protocolViolation``.
    func clipSamples() throws(WorkerError) -> [Float] {
        guard kind == .clip, payload.count.isMultiple(of: MemoryLayout<Float>.stride) else {
            throw .protocolViolation
        }
        let count = payload.count / MemoryLayout<Float>.stride
        return [Float](unsafeUninitializedCapacity: count) { samples, filled in
            payload.withUnsafeBytes { UnsafeMutableRawBufferPointer(samples).copyMemory(from: $0) }
            filled = count
        }
    }

    /// The answer to a clip.
    static func heard(_ speech: RecognizedSpeech, request: UInt32) throws -> [UInt8] {
        Frame(.heard, request: request, payload: Array(try JSONEncoder().encode(speech))).encoded
    }

    /// The share of the work on a clip that is done, from 0 to 1, in ten-thousandths.
    static func reached(_ share: Double, request: UInt32) -> [UInt8] {
        var writer = PayloadWriter()
        writer.write(UInt32(min(max(share, 0), 1) * 10_000))
        return Frame(.reached, request: request, payload: writer.bytes).encoded
    }

    /// Decodes the fraction in a ``Kind/reached``.
    ///
    /// - Throws: ``WorkerError/protocolViolation``.
    func share() throws(WorkerError) -> Double {
        var reader = PayloadReader(payload)
        let parts = try reader.number()
        try reader.finish()
        guard parts <= 10_000 else { throw .protocolViolation }
        return Double(parts) / 10_000
    }

    /// The answer to a whole sound: start and end in seconds and the speaker of each turn.
    ///
    /// - Throws: ``SpeakerError/died`` for more than fit.
    static func turns(_ turns: [SpeakerTurn], request: UInt32) throws -> [UInt8] {
        var writer = PayloadWriter()
        for turn in turns {
            guard let speaker = UInt32(exactly: turn.speaker), writer.bytes.count + 20 <= Kind.turns.longestPayload
            else {
                throw SpeakerError.died
            }
            writer.write(turn.time.lowerBound)
            writer.write(turn.time.upperBound)
            writer.write(speaker)
        }
        return Frame(.turns, request: request, payload: writer.bytes).encoded
    }

    /// The answer to windows: a byte for each, 1 for speech.
    static func activity(_ windows: [VoiceWindow], request: UInt32) -> [UInt8] {
        Frame(.activity, request: request, payload: windows.map { $0.isSpeech ? 1 : 0 }).encoded
    }
}

extension RecognizedSpeech {
    /// Decodes a worker's answer to a clip.
    ///
    /// - Throws: ``WorkerError/protocolViolation`` for impossible results, and for characters that do not occur in
    ///   text.
    init(_ answer: Frame, in seconds: Double) throws(WorkerError) {
        guard answer.kind == .heard,
            let speech = try? JSONDecoder().decode(Self.self, from: Data(answer.payload)),
            speech.isPossible(in: seconds), speech.text.unicodeScalars.allSatisfy(\.isOfText),
            speech.language?.unicodeScalars.allSatisfy(\.isOfTag) ?? true
        else { throw .protocolViolation }
        self = speech
    }
}

extension Unicode.Scalar {
    /// Whether a text of speech may contain it: a worker taken over by a hostile model must not write to terminals.
    fileprivate var isOfText: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Joiners are part of words in some scripts; other format characters may change the direction of text.
        case .format: value == 0x200C || value == 0x200D
        default: true
        }
    }

    fileprivate var isOfTag: Bool {
        isASCII && (properties.isAlphabetic || properties.numericType != nil || self == "-")
    }
}

extension SpeakerTurn {
    /// Decodes a worker's answer to a whole sound.
    ///
    /// - Parameters:
    ///   - answer: The frame.
    ///   - seconds: The length of the sound.
    /// - Returns: The turns, ordered by their starts.
    /// - Throws: ``WorkerError/protocolViolation`` for turns outside the sound.
    static func turns(_ answer: Frame, in seconds: Double) throws(WorkerError) -> [SpeakerTurn] {
        guard answer.kind == .turns, answer.payload.count.isMultiple(of: 20) else { throw .protocolViolation }
        var reader = PayloadReader(answer.payload)
        var turns: [SpeakerTurn] = []
        var place = 0.0
        for _ in 0..<answer.payload.count / 20 {
            let (start, end, speaker) = (try reader.fraction(), try reader.fraction(), try reader.number())
            guard place <= start, start < end, end <= seconds + 1e-6, speaker < UInt16.max else {
                throw .protocolViolation
            }
            turns.append(SpeakerTurn(start..<end, speaker: Int(speaker)))
            place = start
        }
        return turns
    }
}

extension RecognitionError {
    /// Encodes an error for the program, which does not trust its message.
    init(sending error: any Error) {
        self =
            switch error {
            case let error as RecognitionError: error
            case SpeakerError.badModel(let name): .badModel(name)
            default: .recognizerDied
            }
    }

    /// Makes the error for a person, whose message contains nothing from the worker.
    ///
    /// - Parameters:
    ///   - model: The bare name of the model.
    ///   - settings: The recogniser's settings.
    /// - Returns: An error of a recogniser.
    func naming(_ model: String, _ settings: RecognitionSettings) -> RecognitionError {
        switch self {
        case .unsupportedLanguage: .unsupportedLanguage(settings.language ?? "und")
        case .badModel: .badModel(model)
        case .unsupportedModel: .unsupportedModel(model)
        case .cannotStart: .cannotStart
        case .noSuchRecognizer, .noRecognizer, .notARecognizer, .missingFile, .recognizerDied, .notConfined, .tooSlow:
            .recognizerDied
        }
    }
}

extension RecognitionError: WorkerFailure {
    static var died: RecognitionError { .recognizerDied }
}
