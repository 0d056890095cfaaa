package import EchoText
import FileSystem
package import Foundation

/// Fetches archives from the address that the person has set, into files that a later fetch resumes.
package struct OutboundArchives: ArchiveSource {
    /// Times, chance and free space, which tests replace.
    package struct Environment: Sendable {
        /// The longest time in which the server may send nothing.
        package var idleTimeout = Duration.seconds(30)
        package var clock: any Clock<Duration> = ContinuousClock()
        package var now: @Sendable () -> Date = { Date() }
        /// From 0 to 1.
        package var chance: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// The free bytes on the disk of a path; `nil` when unknown.
        package var freeSpace: @Sendable (String) -> Int64? = { FreeSpace.bytes(at: $0) }

        package init() {}
    }

    private let client: OutboundClient
    private let folder: String
    private let environment: Environment
    private let disk = BlockingExecutor(label: "echotext.archives")

    /// The first bytes of a bzip2 file.
    private static let signature = Array("BZh".utf8)

    /// - Parameters:
    ///   - client: Opens connections.
    ///   - folder: The folder for archives; created when something is fetched.
    ///   - environment: Times, chance and free space.
    package init(client: OutboundClient, folder: String, environment: Environment = Environment()) {
        self.client = client
        self.folder = folder
        self.environment = environment
    }

    package func fetch<Output: Sendable>(
        _ entry: CatalogueEntry,
        report: @Sendable (TransferProgress) async -> Void,
        lending use: @Sendable (FetchedArchive) async throws -> Output
    ) async throws -> Output {
        try check(entry.id)
        let partial = PartialArchive(entry.id, in: folder, freeSpace: environment.freeSpace)
        do {
            try await partial.open()
            let output = try await use(try await fetch(entry, into: partial, report))
            await partial.remove()
            return output
        } catch {
            await partial.close()
            throw error
        }
    }

    package func begun(_ id: CatalogueEntry.ID) async -> TransferProgress? {
        let path = PartialArchive.path(of: id, in: folder)
        return await disk.run {
            guard let note = PartialArchive.note(at: path),
                // Without a file, the fetch has not begun.
                let facts = try? FileManager.default.attributesOfItem(atPath: path),
                let bytes = (facts[.size] as? NSNumber)?.int64Value, bytes > 0
            else { return nil }
            return TransferProgress(bytes: bytes, total: note.total)
        }
    }

    package func begun() async -> [CatalogueEntry.ID] {
        await disk.run { [folder] in PartialArchive.begun(in: folder) }
    }

    package func sweep() async {
        let alone = await disk.run { [folder] in
            AtomicFile.sweep(folder, of: "json")
            return PartialArchive.begun(in: folder, ofNotes: true)
        }
        for id in alone {
            try? await discard(id)  // one that another program works on stays
        }
    }

    package func discard(_ id: CatalogueEntry.ID) async throws {
        try check(id)
        let partial = PartialArchive(id, in: folder, freeSpace: environment.freeSpace)
        try await partial.open()
        await partial.remove()
    }

    /// - Throws: ``ModelDownloadError/unknownEntry(_:similar:)`` for an id that is no plain file name.
    private func check(_ id: CatalogueEntry.ID) throws(ModelDownloadError) {
        guard PartialArchive.isPlain(id) else {
            throw .unknownEntry(String(id.rawValue.prefix(100)), similar: [])
        }
    }

    // MARK: - Fetching

    private func fetch(
        _ entry: CatalogueEntry,
        into partial: PartialArchive,
        _ report: @Sendable (TransferProgress) async -> Void
    ) async throws -> FetchedArchive {
        if await partial.isWhole, await !isAsDescribed(entry, partial) { try await partial.restart(nil) }
        if await !partial.isWhole { try await bring(entry, into: partial, report) }
        let (bytes, sha256) = (await partial.bytes, await partial.sha256)
        try await verify(entry, partial, bytes: bytes, sha256: sha256)
        try await partial.finish()
        await report(TransferProgress(bytes: bytes, total: bytes))
        return FetchedArchive(
            path: PartialArchive.path(of: entry.id, in: folder),
            bytes: bytes,
            sha256: sha256,
            url: await partial.note?.place ?? ""
        )
    }

    private func isAsDescribed(_ entry: CatalogueEntry, _ partial: PartialArchive) async -> Bool {
        let bytes = await partial.bytes
        guard entry.archiveBytes ?? bytes == bytes else { return false }
        guard let wanted = entry.sha256 else { return true }
        return await partial.sha256 == wanted
    }

    /// - Throws: ``ModelDownloadError/wrongContent(_:host:)``, ``ModelDownloadError/wrongSize(_:bytes:expected:)``,
    ///   ``ModelDownloadError/wrongChecksum(_:)``; nothing of the archive is left then.
    private func verify(_ entry: CatalogueEntry, _ partial: PartialArchive, bytes: Int64, sha256: String) async throws {
        let place = await partial.note?.place ?? ""
        let problem: ModelDownloadError? =
            if entry.isPacked, await partial.beginning(Self.signature.count) != Self.signature {
                .wrongContent(entry.id, host: URL(string: place)?.host ?? "file")
            } else if let expected = entry.archiveBytes, expected != bytes {
                .wrongSize(entry.id, bytes: bytes, expected: expected)
            } else if let expected = entry.sha256, expected != sha256 {
                .wrongChecksum(entry.id)
            } else {
                nil
            }
        guard let problem else { return }
        await partial.remove()
        throw problem
    }

    private func bring(
        _ entry: CatalogueEntry,
        into partial: PartialArchive,
        _ report: @Sendable (TransferProgress) async -> Void
    ) async throws {
        // Reports leave in the caller's own task, where `report` may be called.
        let (reports, continuation) = AsyncStream.makeStream(
            of: TransferProgress.self,
            bufferingPolicy: .bufferingNewest(1)  // Only the last one counts.
        )
        let meter = TransferMeter(clock: environment.clock) { continuation.yield($0) }
        let carrying = Task {
            defer { continuation.finish() }
            try await transfer(entry, into: partial, meter)
        }
        try await withTaskCancellationHandler {
            for await progress in reports { await report(progress) }
            try await carrying.value
            try Task.checkCancellation()
        } onCancel: {
            carrying.cancel()
        }
    }

    private func transfer(_ entry: CatalogueEntry, into partial: PartialArchive, _ meter: TransferMeter) async throws {
        var retries = RetryPolicy()
        var farthest = await partial.bytes
        while true {
            let transport = try await transport(of: entry)
            do {
                try await IdleTimeout(environment.idleTimeout, clock: environment.clock).watch(host: transport.host) {
                    received in
                    let sink = DownloadSink(entry: entry, partial: partial, received: received, meter: meter)
                    try await transport.transfer(to: sink)
                }
                return
            } catch let error as ModelDownloadError {
                let bytes = await partial.bytes
                let hasProgressed = bytes > farthest
                farthest = max(farthest, bytes)
                if error.isAboutContent { try await partial.restart(nil) }
                guard
                    let wait = retries.wait(
                        after: error,
                        hasProgressed: hasProgressed,
                        chance: environment.chance()
                    )
                else { throw error }
                try await environment.clock.sleep(for: wait)
            }
        }
    }

    private func transport(of entry: CatalogueEntry) async throws -> any ArchiveTransport {
        let address = try await client.rules().catalogue
        if case .folder(let path) = address {
            let folder = try await disk.run { try ReleaseFolder(entry.release, in: path) }
            return FolderTransport(path: "\(folder.path)/\(entry.archive)")
        }
        guard let place = ReleasePlace(entry.release, at: address) else { throw ModelDownloadError.badAddress }
        return ServerTransport(url: place.archive(entry.archive), client: client, now: environment.now)
    }
}

extension ModelDownloadError {
    /// Whether the received file is not the archive that was asked for; a page that came instead says nothing of that.
    fileprivate var isAboutContent: Bool {
        switch self {
        case .wrongSize, .wrongChecksum, .tooLarge: true
        default: false
        }
    }
}

/// When it is worth trying again, and how long to wait before that.
struct RetryPolicy: Sendable {
    /// How many tries in a row may bring nothing.
    static let maximumFailures = 5
    /// The same for a server that cannot be reached at all, where waiting seldom helps.
    private static let maximumUnreached = 3
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(16)
    /// The longest delay that a server may ask for; beyond it the error is reported to the person.
    private static let longestRest = Duration.seconds(60)

    private var failures = 0

    /// - Parameters:
    ///   - error: What ended the last try.
    ///   - hasProgressed: Whether that try brought something new.
    ///   - chance: From 0 to 1, so that many machines do not come back at once.
    /// - Returns: How long to wait before the next try; `nil` to give up.
    mutating func wait(after error: ModelDownloadError, hasProgressed: Bool, chance: Double) -> Duration? {
        failures = hasProgressed ? 1 : failures + 1
        let backOff = min(Self.longest, Self.shortest * (1 << min(failures - 1, 10))) * (0.5 + chance / 2)
        switch error {
        case .unreachable: return failures < Self.maximumUnreached ? backOff : nil
        case .stalled, .interrupted, .serverFailed: return failures < Self.maximumFailures ? backOff : nil
        case .tooManyRequests(_, let rest):
            guard failures < Self.maximumFailures, (rest ?? .zero) <= Self.longestRest else { return nil }
            return max(rest ?? .zero, backOff)
        default: return nil
        }
    }
}
