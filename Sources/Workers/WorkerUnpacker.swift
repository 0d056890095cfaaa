package import EchoText
internal import Foundation
package import Logging

/// Unpacks each archive in its own process, which can read only that archive and write nothing.
///
/// This side checks the output against the rules again. The process has no network and no access to other files; if the
/// machine cannot ensure this, archives are rejected unless the launch allows it.
package actor WorkerUnpacker: ArchiveUnpacker {
    private let surroundings: WorkerSurroundings
    private let idleTimeout: Duration
    private let longest: Duration

    /// - Parameters:
    ///   - launch: The program to start; the archive is added to its readable paths.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - idleTimeout: The timeout between two pieces of output.
    ///   - longest: The timeout for the whole archive.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    package init(
        _ launch: WorkerLaunch = .unpacker,
        isolation: WorkerIsolation? = nil,
        idleTimeout: Duration = .seconds(60),
        longest: Duration = .seconds(1_800),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        surroundings = WorkerSurroundings(launch, isolation: isolation, clock: clock, logger: logger)
        self.idleTimeout = idleTimeout
        self.longest = longest
    }

    package func unpack(
        _ path: String,
        by rules: ArchiveRules,
        take: @escaping @Sendable (ArchivePiece) throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        // A file without readable attributes cannot be opened either.
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard let facts, facts[.type] as? FileAttributeType == .typeRegular, let size = facts[.size] as? Int,
            FileManager.default.isReadableFile(atPath: path)
        else { throw VoiceInstallError.notAnArchive }
        var surroundings = surroundings
        surroundings.launch.readablePaths.append(path)
        let worker = OneShotWorker(
            UnpackerRequest(path: path, rules: rules),
            reply: ArchiveIntake(rules, archiveSize: size, piece: take),
            longest: longest,
            idleTimeout: idleTimeout
        )
        do {
            try await worker.run(
                in: surroundings,
                notConfined: VoiceInstallError.notConfined,
                tooLong: VoiceInstallError.notAnArchive
            )
            .outcome.get()
        } catch let fault as WorkerFault {
            throw VoiceInstallError(fault)
        }
    }
}

extension WorkerLimits {
    /// The limits of an unpacker: a GiB of memory, ten minutes of processor time, few files.
    package static var unpacker: WorkerLimits {
        var limits = WorkerLimits()
        limits.memory = 1 << 30
        limits.processorSeconds = 600
        limits.lifeSeconds = 610
        limits.openFiles = 32
        limits.processes = 64
        return limits
    }
}

extension WorkerLaunch {
    /// This program, as an unpacker of archives.
    package static var unpacker: WorkerLaunch { .confined("unpacker", .unpacker) }
}
