/// A range of a recording in which one person speaks.
package struct SpeakerTurn: Sendable, Hashable, Codable {
    /// In seconds from the start of the sound; not empty.
    package let time: Range<Double>
    /// Which of the sound's speakers it is, from 0; the numbers have no order.
    package let speaker: Int

    package init(_ time: Range<Double>, speaker: Int) {
        (self.time, self.speaker) = (time, speaker)
    }
}

/// How many people speak in a sound.
package enum SpeakerCount: Sendable, Hashable, Codable {
    /// As a person says; at least 1.
    case known(Int)
    /// Unknown: voices count as one speaker's up to this distance, from 0 for identical voices to 2.
    case unknown(distance: Double = 0.5)

    /// The most speakers that a person can name.
    package static let most = 20

    /// - Parameter speakers: As a person says; `nil` when nobody knows.
    /// - Throws: ``SpeakerError/invalidCount``.
    package init(_ speakers: Int?) throws(SpeakerError) {
        guard let speakers else {
            self = .unknown()
            return
        }
        guard (1...Self.most).contains(speakers) else { throw .invalidCount }
        self = .known(speakers)
    }
}

/// Determines who speaks when: the port of speaker diarization.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - turns are ordered by their starts and lie within the sound; turns of several people may overlap;
/// - the same sound gives the same turns, however it is divided into pieces;
/// - silence gives no turn, and neither does an empty sound;
/// - a cancelled call throws `CancellationError` soon, and leaves the diarizer usable;
/// - nothing of the sound leaves the machine.
package protocol SpeakerDiarizer: Sendable {
    /// The models that are installed, the newest first.
    func models() async throws -> [SpeakerModel]

    /// Analyzes a whole sound.
    ///
    /// - Parameters:
    ///   - sound: At ``RecognitionClip/sampleRate``.
    ///   - seconds: At least as long as the sound; at most ``SpeakerDiarization/longest``.
    ///   - count: How many people speak in it.
    ///   - report: Called with the fraction of the work done, from 0 to 1.
    /// - Returns: The turns of all speakers.
    /// - Throws: ``SpeakerError``, ``RecognitionError``, what reading `sound` throws, `CancellationError`.
    func turns(
        in sound: any ClipSource,
        seconds: Double,
        _ count: SpeakerCount,
        report: @escaping @Sendable (Double) -> Void
    ) async throws -> [SpeakerTurn]
}

/// The requirements for sound to be diarized.
package enum SpeakerDiarization {
    /// In seconds.
    ///
    /// All of a sound is in the memory of a worker at once, 230 MB for an hour; what is kept to compare voices grows with
    /// the square of its length.
    package static let longest = 4.0 * 3_600
}

/// Opens models of diarization in this process.
///
/// A foreign model can end the process: all but tests open them in a worker.
package protocol SpeakerModelLoader: Sendable {
    /// - Parameters:
    ///   - models: The files.
    ///   - count: How many people speak.
    ///   - threads: How many threads compute.
    /// - Returns: The loaded models.
    /// - Throws: ``SpeakerError``, ``RecognitionError/cannotStart``.
    func open(_ models: SpeakerModels, _ count: SpeakerCount, threads: Int) async throws -> any DiarizationSession
}

/// Models of diarization that are ready.
package protocol DiarizationSession: Sendable {
    /// Analyzes one sound; only the end of the process can stop it early.
    ///
    /// - Parameters:
    ///   - samples: The whole sound, at ``RecognitionClip/sampleRate``.
    ///   - report: Called with the fraction of the work done, on any thread.
    /// - Returns: The turns, ordered by their starts, within the sound.
    /// - Throws: ``SpeakerError``.
    func turns(in samples: [Float], report: @escaping @Sendable (Double) -> Void) async throws -> [SpeakerTurn]
}

/// A sound at the rate at which speech is recognized.
package actor ConvertedClips: ClipSource {
    private let source: any ClipSource
    private let conversion: (any RateConversion)?
    private var isOver = false

    package nonisolated let sampleRate = RecognitionClip.sampleRate

    /// - Parameters:
    ///   - source: The sound.
    ///   - conversion: Converts its sample rate; `nil` if that is right already.
    package init(_ source: any ClipSource, by conversion: (any RateConversion)?) {
        (self.source, self.conversion) = (source, conversion)
    }

    package func next() async throws -> AudioClip? {
        guard let conversion else { return try await source.next() }
        while !isOver {
            let clip = try await source.next()
            isOver = clip == nil
            let nothing = AudioClip(samples: [], sampleRate: source.sampleRate)
            let converted = try await conversion.convert(clip ?? nothing, isLast: isOver)
            if !converted.samples.isEmpty { return converted }
        }
        return nil
    }
}

/// Why the speakers of a transcript are not found.
package enum SpeakerError: UserFacingError, Equatable, Codable {
    /// These kinds of model are not installed.
    case missingModels([SpeakerModel.Kind])
    /// The model's files cannot be used.
    case badModel(String)
    /// The diarization process ended in the middle of its work.
    case died
    case tooSlow(seconds: Int)
    /// The recording is longer than ``SpeakerDiarization/longest``.
    case tooLong
    /// No speech was found in the recording.
    case nobodyHeard
    case invalidCount
    /// The speakers of this transcript are not being looked for.
    case notFound
    /// The speakers of this transcript are being looked for already.
    case busy

    package var failure: Failure {
        switch self {
        case .missingModels(let kinds): Self.missing(kinds)
        case .badModel(let name):
            Failure(.invalidContent, "speakers.bad-model", "The model “\(name)” cannot be used to tell speakers apart.")
                .suggesting("Take one of sherpa-onnx's releases, and add it again.")
        case .died:
            Failure(.processFailed, "speakers.died", "The process that tells speakers apart stopped unexpectedly.")
                .suggesting("Try again; if it happens every time, use other models.")
        case .tooSlow(let seconds):
            Failure(.processFailed, "speakers.too-slow", "The models gave no result for \(seconds) seconds.")
                .suggesting("Try again when the machine has less to do, or use smaller models.")
        case .tooLong:
            Failure(.invalidRequest, "speakers.too-long", "Speakers are told apart in recordings of up to four hours.")
                .suggesting("Name the speakers by hand.")
        case .nobodyHeard:
            Failure(.invalidContent, "speakers.nobody-heard", "Nobody's voice was found in the recording.")
                .suggesting("Name the speakers by hand.")
        case .invalidCount:
            Failure(
                .invalidRequest,
                "speakers.invalid-count",
                "The number of speakers is from 1 to \(SpeakerCount.most)."
            )
            .suggesting("Leave it out to have it found.")
        case .notFound:
            Failure(.notFound, "speakers.not-found", "The speakers of this transcript are not being looked for.")
        case .busy:
            Failure(.conflict, "speakers.busy", "The speakers of this transcript are being looked for already.")
                .suggesting("Wait until they are found, or stop it.")
        }
    }

    private static func missing(_ kinds: [SpeakerModel.Kind]) -> Failure {
        let which =
            switch (kinds.contains(.segmentation), kinds.contains(.embedding)) {
            case (true, false): "A model that finds who speaks is missing."
            case (false, true): "A model that compares voices is missing."
            default: "The models that tell speakers apart are not installed."
            }
        let names = kinds.map(\.recommended.rawValue).joined(separator: " ")
        return Failure(.unavailable, "speakers.missing-models", which)
            .suggesting(
                "Choose “Find the speakers” on the recording's page, or download them with “echotext recognizers download”.",
                inTerminal: """
                    Download what is missing by “echotext recognizers download \(names)”, or add others by “echotext recognizers \
                    add”.
                    """
            )
    }
}
