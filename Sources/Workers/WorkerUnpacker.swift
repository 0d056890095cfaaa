package import EchoText
internal import Foundation
package import Logging

/// Unpacks each archive in a process of its own, which can read that archive and write nothing.
///
/// What comes out of it is held to the rules again on this side. The process has no network, and no file but the archive; where
/// that cannot be had, archives are refused unless the launch says otherwise.
package actor WorkerUnpacker: ArchiveUnpacker {
    private let launch: WorkerLaunch
    private let idleTimeout: Duration
    private let longest: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let isolation: IsolationFinder

    /// - Parameters:
    ///   - launch: What to start; the archive is added to what it may read.
    ///   - isolation: What to start it in, or `nil` to find out with the first worker.
    ///   - idleTimeout: How long nothing may come out.
    ///   - longest: How long the whole may take, whatever comes out.
    ///   - clock: What measures that.
    ///   - logger: Takes what workers print, and why they ended.
    package init(
        _ launch: WorkerLaunch = .unpacker,
        isolation: WorkerIsolation? = nil,
        idleTimeout: Duration = .seconds(60),
        longest: Duration = .seconds(1_800),
        clock: any Clock<Duration> = .continuous,
        logger: Logger
    ) {
        self.launch = launch
        self.isolation = IsolationFinder(isolation, logger: logger)
        self.idleTimeout = idleTimeout
        self.longest = longest
        self.clock = clock
        self.logger = logger
    }

    package func unpack(
        _ path: String,
        by rules: ArchiveRules,
        take: @escaping @Sendable (ArchivePiece) throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        // What cannot be looked at cannot be opened.
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard let facts, facts[.type] as? FileAttributeType == .typeRegular, let size = facts[.size] as? Int,
            FileManager.default.isReadableFile(atPath: path)
        else { throw VoiceInstallError.notAnArchive }
        let isolation = await isolation.isolation
        guard isolation.isEnough(for: launch) else { throw VoiceInstallError.notConfined }
        var launch = launch
        launch.readablePaths.append(path)
        let worker = OneShotWorker(
            UnpackerRequest(path: path, rules: rules),
            reply: ArchiveIntake(rules, archiveSize: size, piece: take),
            longest: longest,
            idleTimeout: idleTimeout,
            clock: clock
        )
        do {
            try await worker.run(launch, in: isolation, logger: logger, orThrow: VoiceInstallError.notAnArchive)
                .outcome.get()
        } catch let stop as WorkerStop {
            throw VoiceInstallError(stop)
        }
    }
}

extension WorkerLimits {
    /// What an unpacker may use: a GiB, ten minutes of processor time, the archive.
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
    /// This program, as one who unpacks an archive.
    package static var unpacker: WorkerLaunch {
        var launch = WorkerLaunch.thisProgram
        launch.arguments = ["worker", "unpacker"]
        launch.limits = .unpacker
        launch.needsConfinement = true
        return launch
    }
}
