package import EchoText
internal import Foundation
package import Logging

/// Decodes each sound file in its own process, which requests the file's bytes and cannot open files.
///
/// This side validates the output.
package actor WorkerSoundDecoder: SoundFileDecoder {
    /// The limit on files that are decoded at once.
    private static let maximumConcurrent = 2

    private let surroundings: WorkerSurroundings
    private let idleTimeout: Duration
    private let longest: Duration
    private let lanes = PrioritySemaphore(permits: maximumConcurrent)

    /// - Parameters:
    ///   - launch: The program to start.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - idleTimeout: The timeout between two pieces of output.
    ///   - longest: The timeout for the whole file.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    package init(
        _ launch: WorkerLaunch = .decoder,
        isolation: WorkerIsolation? = nil,
        idleTimeout: Duration = .seconds(60),
        longest: Duration = .seconds(6 * 3_600),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        surroundings = WorkerSurroundings(launch, isolation: isolation, clock: clock, logger: logger)
        self.idleTimeout = idleTimeout
        self.longest = longest
    }

    /// Such a file has one track.
    package func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard file.length > 0 else { throw SoundImportError.empty }
        if let track, track != 1 { throw SoundImportError.noSuchTrack(track, of: [SoundTrack(number: 1)]) }
        try await lanes.pass { _ in try await run(file, take: take) }
    }

    private func run(
        _ file: any StoredBytes,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        let exchange = DecoderExchange()
        let worker = OneShotWorker(
            DecoderRequest(length: file.length),
            reply: DecoderIntake(exchange, length: file.length),
            longest: longest,
            idleTimeout: idleTimeout
        )
        let (intake, outcome) = try await worker.run(
            in: surroundings,
            notConfined: SoundImportError.notConfined,
            tooLong: SoundImportError.decoderDied
        ) { process in
            for await turn in exchange.turns {
                let answer: Frame
                switch turn {
                case .wantsBytes(let range):
                    answer = Frame(.piece, request: 1, payload: Array(try await file.read(range)))
                case .sound(let sound):
                    try await take(sound)
                    answer = Frame(.more, request: 1)
                }
                exchange.answer()
                process.send(answer.encoded)
            }
        }
        do {
            try outcome.get()
        } catch let fault as WorkerFault {
            throw SoundImportError(fault)
        } catch let refusal as DecoderRefusal {
            throw SoundImportError(refusal, after: intake)
        }
        // A decoder that ends before its last piece was consumed would lose it.
        guard exchange.isAnswered, intake.facts != nil else { throw SoundImportError.decoderDied }
    }
}

extension SoundImportError: WorkerFailure {
    static var died: SoundImportError { .decoderDied }

    fileprivate init(_ refusal: DecoderRefusal, after intake: DecoderIntake) {
        switch (refusal, intake.facts) {
        case (.damaged, let facts?): self = .damaged(seconds: Double(intake.samples) / Double(facts.sampleRate))
        case (.damaged, nil): self = .damaged(seconds: 0)
        case (.unknownKind, nil): self = .unknownKind(found: nil)
        // The facts come before it is known whether there is any sound.
        case (.noSound, _) where intake.samples == 0: self = .noSound
        // What has begun is of a known kind, and has sound.
        case (.unknownKind, _), (.noSound, _): self = .decoderDied
        }
    }
}

extension WorkerLimits {
    /// The limits of a decoder: a GiB of memory, half an hour of processor time, few files.
    package static var decoder: WorkerLimits {
        var limits = WorkerLimits()
        limits.memory = 1 << 30
        limits.processorSeconds = 1_800
        limits.lifeSeconds = 1_810
        limits.openFiles = 32
        limits.processes = 64
        return limits
    }
}

extension WorkerLaunch {
    /// This program, as a decoder of sound files.
    package static var decoder: WorkerLaunch { .confined("decoder", .decoder) }
}
